"""Formulas: named variables, clauses, their file forms, and what encoders share."""
