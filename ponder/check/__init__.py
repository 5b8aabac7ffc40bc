"""Independent checks of results: imports no solver, trusts no field, repeats the arithmetic.

A result file is taken as a stranger's claim. `verify` accepts it only when everything that it
says about the puzzle and that carries evidence is true (the claims are those of theory §2.4); every
reason to reject it is one line (`CheckFailed`). What asks for more than a stranger may ask for, or
for a file that is not there, is not rejected but left *open*, and never counts as proved.

One technique per file: `verification` (the whole), `claims` (what a result may say), `fields`
(reading), `limits` (what it may ask for), `neighbourhoods` (counting toggles), `replay` (orders),
`linear` (press sets), `line_refutations`, `local_refutations`, `switches` (odd-sized row/column
boards), `spectral` (their largest ones), `proofs`, `formulas`, `drat` and `lrat` (clauses),
`cutting_planes` (sums of constraints), `refutations` (the kinds), `coset` (every press set at
once), `bounds` (fewest presses), `press_set_bounds` and `switching_blocks` (whatever the order),
`odd_components`, `decomposition` and `pair_formula` (what repeats cost).
"""
