"""Independent checks of orders and refutations; imports no solver."""
