"""Formulas of the bundle for the SAT competition have the published bytes, on any machine.

CI runs this on WebAssembly too: 32 bits, another Python, another numpy.
"""

from __future__ import annotations

import pytest

from ponder.formulas import dimacs
from ponder.studies.competition import BUNDLES
from ponder.studies.formula_set import FormulaRecipe, specimen
from tests.results import RESULTS, Line, read

MOST = 250_000  # clauses of a formula that is made without the marker
LISTED = dict(
    zip(BUNDLES["sat"], read(RESULTS / "formulas" / "competition-sat.csv"), strict=True)
)  # in the order of the bundle, as `tests/results` sees to
FEW = [recipe for recipe, line in LISTED.items() if int(line["clauses"]) <= MOST]


def same(recipe: FormulaRecipe, line: Line) -> bool:
    """Whether a formula is made as it is listed."""
    formula = specimen(recipe).formula()
    size = formula.size.variables, formula.size.clauses
    digest = dimacs.body_sha256(formula)
    return (size, digest) == ((int(line["variables"]), int(line["clauses"])), line["sha256"])


@pytest.mark.parametrize(
    "recipe",
    [
        pytest.param(
            recipe, id=recipe.name, marks=[pytest.mark.deep] * ("acyclic_labels" in recipe.name)
        )
        for recipe in FEW
    ],
)
def test_the_published_bytes(recipe: FormulaRecipe) -> None:
    assert same(recipe, LISTED[recipe])


@pytest.mark.deep
@pytest.mark.parametrize(
    "recipe", [one for one in LISTED if one not in FEW], ids=lambda recipe: recipe.name
)
def test_the_published_bytes_of_large_formulas(recipe: FormulaRecipe) -> None:
    assert same(recipe, LISTED[recipe])
