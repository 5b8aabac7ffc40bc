"""The drivers: one press set, `ponder.order`, `ponder.solve`."""
