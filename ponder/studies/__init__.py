"""Many boards: making them, comparing methods, keeping and reporting what came out."""
