"""Orders of one press set on any graph: blocks, subsets, greedy, parity walks, determinants."""
