"""The benchmark set: every formula is what its manifest says, and its answer is true."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ponder.check.cutting_planes import check_veripb
from ponder.check.lrat import check_lrat
from ponder.cli import run
from ponder.find.ordering.blocks import Split, biconnected_blocks
from ponder.find.solvers.clause_arrays import Formula, Sat, Unsat
from ponder.find.solvers.decoding import decode
from ponder.find.solvers.sat import solve
from ponder.model.formats import read
from ponder.model.ordering_problem import OrderingProblem
from ponder.studies import formula_files
from ponder.studies.formula_files import MANIFEST, Manifest, hashes, make
from ponder.studies.formula_set import LAYERS, LINES, SET, FormulaRecipe, specimen
from ponder.studies.generate import CannotGenerate
from ponder.studies.random_graphs import Ring
from ponder.system.errors import BoardError, CheckFailed
from ponder.system.limits import Limits, TimeUp
from tests import brute
from tests.boards import edges_of
from tests.dimacs import parse

PUBLISHED = Path(__file__).resolve().parents[2] / "docs" / "results" / "formulas" / MANIFEST
RECIPES = {recipe.name: recipe for recipe in SET}
FEW = (
    "balanced-8-layered",
    "alternating-10-precedence",
    "count-8-half_factor",
    "count-4-layered-colours_off",
    "cut-8-precedence",
    "parity-6-precedence",
    "cubic-160-precedence-order_fill",
    "ring-54-precedence",
    "ring-10-precedence",
)
"""A formula of every family."""


def test_all_formulas_are_published() -> None:
    published = Manifest.read(PUBLISHED).formulas
    assert list(published) == list(RECIPES)
    answers = [entry["answer"] == "SATISFIABLE" for entry in published.values()]
    assert answers == [recipe.satisfiable for recipe in RECIPES.values()]


@pytest.mark.parametrize("names", [FEW, pytest.param(tuple(RECIPES), marks=pytest.mark.deep)])
def test_formulas_are_made_again(names: tuple[str, ...], tmp_path: Path) -> None:
    """The bodies have the published hashes, the files those that the new manifest says."""
    made = make([RECIPES[name] for name in names], tmp_path, expected=Manifest.read(PUBLISHED))
    for name in names:
        entry = made.formulas[name]
        assert set(hashes(entry)) == {path.name for path in tmp_path.glob(f"{name}.*")}
        proofs_hold(tmp_path, name)


def proofs_hold(folder: Path, name: str) -> None:
    """Every proof refutes its formula; what is refuted by rows and columns has a sum."""
    cnf, lrat = folder / f"{name}.cnf", folder / f"{name}.lrat"
    opb, pbp = folder / f"{name}.opb", folder / f"{name}.pbp"
    recipe = RECIPES[name]
    if lrat.exists():
        assert check_lrat(parse(cnf.read_bytes())[1], lrat.read_text()) > 0
    if pbp.exists():
        assert check_veripb(opb.read_text(), pbp.read_text()) > 0
    assert pbp.exists() == (recipe.proof or (recipe.family in LINES and not recipe.satisfiable))


def test_what_is_not_proved_is_a_formula_without_halves() -> None:
    """Its refutation has sums alone; rings have lemmas about their pieces."""
    published = Manifest.read(PUBLISHED).formulas
    without = [
        name
        for name, entry in published.items()
        if entry["answer"] == "UNSATISFIABLE" and f"{name}.lrat" not in hashes(entry)
    ]
    assert without == ["count-4-layered-colours_off"]


LAYERED = tuple(f"balanced-{size}-layered" for size in LAYERS)


LATER = ("ring-54-precedence", "cubic-160-precedence-order_fill")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.deep if name in LATER else ())
        for name in dict.fromkeys([*FEW, *LAYERED])
    ],
)
def test_a_solver_agrees(name: str) -> None:
    recipe = RECIPES[name]
    if recipe.family == "cubic":  # those that are published are too hard for a test
        recipe = replace(recipe, size=60)
    made = specimen(recipe)
    cnf = made.formula()
    outcome = solve(Formula.of(cnf.variables, cnf.blocks()), solver="cadical153")
    assert isinstance(outcome, Sat if made.recipe.satisfiable else Unsat)
    if isinstance(outcome, Sat):
        order = decode(made.encoder, made.problem, made.options, outcome.literals.tolist(), cnf)
        assert order.vertices.size == made.presses.sum()


def test_another_seed_is_another_set(tmp_path: Path) -> None:
    recipe = RECIPES["count-8-half_factor"]
    first, second = specimen(recipe), specimen(replace(recipe, seed=1))
    assert first.board.sha256 != second.board.sha256
    with pytest.raises(CheckFailed, match="body_sha256"):
        make([replace(recipe, seed=1)], tmp_path, expected=Manifest.read(PUBLISHED))


def test_it_goes_on_where_it_was_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is complete is kept; what has changed, or is missing, is made again."""
    names = ["count-4-half_factor", "cut-6-half_factor", "balanced-6-precedence"]
    recipes = [RECIPES[name] for name in names]
    made: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        make(recipes, tmp_path, lambda name: stopped_at(name, names[2]))
    assert list(Manifest.read(tmp_path / MANIFEST).formulas) == names[:2]
    (tmp_path / f"{names[0]}.lrat").write_text("spoiled")
    make(recipes, tmp_path, made.append)
    assert made == [names[0], names[2]]
    monkeypatch.setattr(formula_files, "__version__", "0")
    assert not Manifest.read(tmp_path / MANIFEST).kept(recipes[0], tmp_path)


def stopped_at(name: str, last: str) -> None:
    if name == last:
        raise KeyboardInterrupt


def test_time_limits_leave_whole_formulas(tmp_path: Path) -> None:
    with pytest.raises(TimeUp):
        make(SET, tmp_path, limits=Limits(0))
    assert list(tmp_path.iterdir()) == []


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "set"
    arguments = ["formulas", "cut-6-half_factor", "-o", str(folder)]
    assert run([*arguments, "--compare", str(PUBLISHED), "--json"]) == 0
    assert list(json.loads(capsys.readouterr().out)["formulas"][0]["files"]) == [
        f"cut-6-half_factor.{ending}" for ending in ("cnf", "txt", "opb", "pbp", "lrat")
    ]
    assert read(folder / "cut-6-half_factor.txt").graph.size == 36
    assert run(["formulas", "--list"]) == 0
    assert capsys.readouterr().out.count("\n") == 70
    wrong = tmp_path / "wrong.json"
    wrong.write_text(PUBLISHED.read_text().replace('"body_sha256": "', '"body_sha256": "0'))
    assert run([*arguments, "--compare", str(wrong)]) == 1
    assert "body_sha256" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [[], ["nothing", "-o", "x"], ["-o", "/dev/null/x"], ["-o", "x", "--compare", "/dev/null"]],
)
def test_bad_usage(
    arguments: list[str],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["formulas", *arguments]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"formulas": [1]}', '{"formulas": []}', "[" * 9999]
)
def test_no_manifest(text: str, tmp_path: Path) -> None:
    file = tmp_path / MANIFEST
    file.write_text(text)
    with pytest.raises(BoardError, match="not a manifest"):
        Manifest.read(file)


# --------------------------------------------------------------------------------------- rings


def ring_problem(ring: Ring, seed: int) -> OrderingProblem:
    board = ring.board(seed)
    return OrderingProblem.of_board(board, np.ones(board.graph.size, dtype=np.bool_))


@pytest.mark.parametrize("seed", range(6))
def test_small_rings_by_brute_force(seed: int) -> None:
    """The lemma holds, and alternating rings mostly have an order."""
    assert not brute.orderable(14, edges_of(Ring(6).board(seed).graph))
    alternating = Ring(6, alternating=True).board(seed).graph
    assert brute.orderable(14, edges_of(alternating))


@pytest.mark.parametrize("piece", [6, 10, 30, 62])
def test_no_count_and_no_end_refutes_a_ring(piece: int) -> None:
    for seed in range(5):
        found = biconnected_blocks(ring_problem(Ring(piece), seed))
        assert isinstance(found, Split)
        assert max(block.size for block in found.blocks) == 2 * piece + 2


@pytest.mark.parametrize("piece", [-2, 0, 2, 4, 7, 8, 10**9 + 2])
def test_pieces_that_are_none(piece: int) -> None:
    with pytest.raises(CannotGenerate):
        Ring(piece)


def test_a_recipe_without_a_proof_is_named_for_what_it_is() -> None:
    assert FormulaRecipe("ring", 18, "precedence", ("acyclic=labels",)).name in RECIPES
