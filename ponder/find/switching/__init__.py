"""Switching: press sets that differ by patterns added to whole rows and columns."""
