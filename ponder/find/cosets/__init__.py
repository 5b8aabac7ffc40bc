"""Press sets in order of weight, and lower bounds on all of them."""
