"""Row/column boards: half factors, their orders, fewest presses, odd sides."""
