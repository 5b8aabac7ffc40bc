"""Fewest presses on any graph: clusters, cuts, odd components, the master problem."""
