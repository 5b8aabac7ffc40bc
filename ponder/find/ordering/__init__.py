"""Orders of one press set on any graph: blocks, subsets, greedy, parity walks, the determinant test."""
