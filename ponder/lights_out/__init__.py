"""Light puzzles without an order (rule `any`): nullities of many sizes, covers, most moves."""
