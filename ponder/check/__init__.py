"""Independent checks of results: imports no solver, trusts no field, repeats the arithmetic.

A result file is taken as a stranger's claim. `verify` accepts it only when everything that it
says about the puzzle and that carries evidence is true (the claims are those of theory §2.4); every
reason to reject it is one line (`CheckFailed`). What asks for more than a stranger may ask for, or
for a file that is not there, is left *open*, and never counts as proved.
"""
