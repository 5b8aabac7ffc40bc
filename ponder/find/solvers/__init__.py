"""Untrusted SAT solvers, and orders by an encoding."""
