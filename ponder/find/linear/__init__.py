"""Linear algebra over GF(2): press sets, kernel vectors, light members of a coset."""
