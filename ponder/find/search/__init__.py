"""What a search may spend, whom it tells, and what it has found."""
