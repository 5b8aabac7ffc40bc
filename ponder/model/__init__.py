"""The puzzle: graph, board, what is asked of an order, and what may be answered."""
