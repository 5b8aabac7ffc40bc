"""SAT solvers as unreliable strangers, and orders by an encoding."""
