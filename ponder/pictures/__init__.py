"""What to mark on a board (a refusal, an order, presses), apart from how it is drawn."""
