"""Fewest presses on any graph: clusters, cuts, odd components, the SAT oracle."""
