"""One search over all press sets of a board, for `order` and for `solve`."""
