"""Linear algebra over GF(2): press sets, quiet patterns, light members of a coset."""
