"""The files of the benchmark set: formulas, boards, proofs, and the manifest that names them.

    NAME.cnf      the formula, DIMACS
    NAME.json     the board, or NAME.txt
    NAME.opb      the same question for pseudo-Boolean solvers: the half factor, one equality a line
                  (row/column boards), or clause by clause (all others)
    NAME.pbp      unsatisfiable: cutting planes about NAME.opb, for VeriPB
    NAME.lrat     unsatisfiable: LRAT about NAME.cnf, written from the refutation, or by a solver

Each file is written whole or not at all, and `manifest.json` grows by a line when all files of a
formula are there. A second run continues where the manifest ends; a file that has changed since is
made again. `body_sha256` is of a formula without its comments: no version of ponder changes it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import file_digest
from pathlib import Path
from typing import IO, Final

from ponder.check.evidence.sat_proof import SatProof
from ponder.check.kinds import Answer
from ponder.find.search.context import Progress, silent
from ponder.formulas import dimacs, opb
from ponder.model.files import packed_file, read_bytes, whole_file
from ponder.proofs.refused import Refused
from ponder.studies.formula_set import LINES, FormulaRecipe, Specimen, specimen
from ponder.system.errors import BoardError, CheckFailed, SolverError
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Json
from ponder.system.version import __version__

SCHEMA: Final = "ponder.formulas/1"
MANIFEST: Final = "manifest.json"
SOLVER: Final = "cadical195"  # writes the proofs of rings
FRAME: Final = "2.0"  # of proofs for VeriPB: the hashes of the published set are of these


@dataclass
class Manifest:
    """What is known of the formulas of a set, by their names."""

    formulas: dict[str, Json]
    version: str = __version__

    @classmethod
    def read(cls, file: Path) -> Manifest:
        """Read a manifest. Raises BoardError for another file."""
        text = read_bytes(file)[0].decode("utf-8", "replace")
        try:
            content = json.loads(text)
            listed = {str(entry["name"]): dict(entry) for entry in content["formulas"]}
            if content["schema"] != SCHEMA:
                raise ValueError
            return cls(listed, str(content["version"]))
        except (ValueError, TypeError, KeyError, RecursionError):
            raise BoardError(f"is not a manifest of schema {SCHEMA}", str(file)) from None

    @property
    def text(self) -> str:
        """The manifest, a line for every formula."""
        head = f'{{\n  "schema": "{SCHEMA}",\n  "version": "{self.version}",\n'
        made = '  "command": "ponder formulas -o FOLDER",\n  "formulas": [\n'
        lines = ",\n".join(f"    {json.dumps(entry)}" for entry in self.formulas.values())
        return f"{head}{made}{lines}\n  ]\n}}\n"

    def kept(self, recipe: FormulaRecipe, folder: Path) -> bool:
        """Whether all files of a recipe are there, as this manifest says."""
        entry = self.formulas.get(recipe.name)
        if entry is None or self.version != __version__ or entry.get("from_seed") != recipe.seed:
            return False
        try:
            return all(_digest(folder / name) == value for name, value in hashes(entry).items())
        except (OSError, KeyError, TypeError, AttributeError):
            return False

    def compare(self, made: Json) -> None:
        """Raises CheckFailed if a formula, its comments aside, is not the one listed."""
        listed = self.formulas.get(name := str(made["name"]))
        if listed is None:
            raise CheckFailed(f"{name}: the manifest does not list it")
        for key in ("body_sha256", "answer", "variables", "clauses"):
            if made[key] != listed.get(key):
                raise CheckFailed(f"{name}: {key} is {made[key]}, not {listed.get(key)}")
        if self.version == __version__:
            wanted = hashes(listed)
            for file, digest in hashes(made).items():
                if made["proof_by"] != SOLVER and wanted.get(file) != digest:
                    raise CheckFailed(f"{file}: another SHA-256 than the manifest says")


def make(
    recipes: Sequence[FormulaRecipe],
    folder: Path,
    progress: Progress = silent,
    limits: Limits = NEVER,
    expected: Manifest | None = None,
) -> Manifest:
    """Make formulas into a folder, those that are not there yet, and return its manifest.

    With `expected`, raises CheckFailed if one differs. After TimeUp, what was made is complete.
    """
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / MANIFEST
    manifest = Manifest.read(file) if file.exists() else Manifest({})
    if manifest.version != __version__:
        manifest = Manifest({})
    for recipe in recipes:
        if not manifest.kept(recipe, folder):
            progress(recipe.name)
            manifest.formulas[recipe.name] = Writing(specimen(recipe, limits), folder, limits).all()
            with whole_file(file) as out:
                out.write(manifest.text)
        if expected is not None:
            expected.compare(manifest.formulas[recipe.name])
    return manifest


@dataclass
class Writing:
    """The files of one formula, while they are written."""

    made: Specimen
    folder: Path
    limits: Limits = NEVER
    files: dict[str, str] = field(default_factory=dict)

    def all(self) -> Json:
        """Write all files; return the entry of the manifest."""
        made, recipe = self.made, self.made.recipe
        formula = made.formula(self.limits)
        self._write(".cnf", lambda out: dimacs.write(formula, out, made.comments))
        self._board()
        proof_by, lemmas = self._proofs()
        size = formula.size
        return {
            "name": recipe.name,
            "family": recipe.family,
            "size": recipe.size,
            "seed": made.seed,
            "from_seed": recipe.seed,
            "encoding": recipe.encoding,
            "options": str(made.options),
            "board_sha256": made.board.sha256,
            "presses": int(made.presses.sum()),
            "variables": size.variables,
            "clauses": size.clauses,
            "answer": made.answer,
            "known": made.known,
            "body_sha256": dimacs.body_sha256(formula),
            "proof_by": proof_by,
            "lemmas": lemmas,
            "command": f"ponder formulas {recipe.name} --seed {recipe.seed} -o FOLDER",
            "files": self.files,
        }

    def _write(self, ending: str, writer: Callable[[IO[bytes]], object]) -> None:
        path = self.folder / f"{self.made.recipe.name}{ending}"
        with packed_file(path) as out:
            writer(out)
        self.files[path.name] = _digest(path)

    def _board(self) -> None:
        from ponder.model.formats import board_text
        from ponder.model.graph import GridGraph

        ending = ".txt" if isinstance(self.made.board.graph, GridGraph) else ".json"
        text = board_text(self.made.board).encode()
        self._write(ending, lambda out: out.write(text))

    def _proofs(self) -> tuple[str | None, int | None]:
        """Write the pseudo-Boolean formula and the proofs; return who proves, and the lemmas."""
        recipe = self.made.recipe
        if recipe.family in LINES:
            self._half_factor()
        elif not recipe.proof:
            formula, comments = self.made.formula(self.limits), self.made.comments
            self._write(".opb", lambda out: opb.write(formula, out, comments))
        if recipe.satisfiable:
            return None, None
        if recipe.proof:
            return SOLVER, self._by_solver()
        if self.made.result is None:
            return SOLVER, self._from_pieces()
        return "ponder", self._from_refutation()

    def _half_factor(self) -> None:
        """Write the half factor as equalities and, where it has none, the sum that says so."""
        from ponder.encodings.half_factor import HalfFactor
        from ponder.proofs.cutting_planes import NATIVE, veripb_proof

        made = self.made
        if not made.recipe.satisfiable:
            found = veripb_proof(self._refused)
            self._write(".opb", found.write_formula)
            self._write(".pbp", lambda out: found.write_proof(out, FRAME))
            return
        encoder = HalfFactor()
        options = encoder.options(NATIVE)
        comments = encoder.describe(made.problem, options, made.board)
        formula = encoder.encode(made.problem, options, self.limits)
        self._write(".opb", lambda out: opb.write(formula, out, comments))

    @property
    def _refused(self) -> Refused:
        found = None if self.made.result is None else Refused.of_result(self.made.result)
        if found is None:
            raise ValueError("no refutation is known")
        return found

    def _from_refutation(self) -> int | None:
        """Write LRAT from the refutation; return the lemmas, None where it has no short proof."""
        from ponder.proofs.clausal import ClausalProof

        recipe, lemmas = self.made.recipe, list[int]()
        if "colours=off" in recipe.settings:  # it does not halve the lines (`proofs.clausal`)
            return None
        options = str(self.made.options).split()
        proof = ClausalProof.of(self._refused, recipe.encoding, options, self.limits)
        self._write(".lrat", lambda out: lemmas.append(proof.write_proof(out, "lrat", self.limits)))
        return lemmas[0]

    def _from_pieces(self) -> int:
        """Write LRAT from lemmas about the pieces of a ring; return how many lemmas it has."""
        from ponder.find.solvers.by_encoding import SolverSettings, refute_by_pieces

        by_degree = SolverSettings(settings=("order=degree",))
        return self._lrat(refute_by_pieces(self.made.problem, by_degree, self.limits)).lemmas

    def _by_solver(self) -> int:
        """Write a solver's LRAT, checked, and as cutting planes where lines have no sum."""
        from ponder.find.search.context import SearchContext
        from ponder.find.solvers.by_encoding import SolverSettings, order_encoded
        from ponder.proofs.veripb import Deletion, proof_lines, resolution_steps

        made = self.made
        settings = SolverSettings(made.recipe.encoding, tuple(str(made.options).split()), SOLVER)
        found = self._lrat(
            order_encoded(made.problem, "sat", settings, SearchContext(limits=self.limits))
        )
        if made.recipe.family in LINES:
            return found.lemmas
        cnf = made.formula(self.limits)
        clauses = list(cnf.clauses())
        steps = resolution_steps(clauses, found.text, self.limits)
        kept = [step for step in steps if not isinstance(step, Deletion)]  # as published
        lines = proof_lines(len(clauses), kept, version=FRAME)
        self._write(".opb", lambda out: opb.write(cnf, out, made.comments))
        self._write(".pbp", lambda out: out.writelines(lines))
        return found.lemmas

    def _lrat(self, found: Answer) -> SatProof:
        """Write the LRAT of a refutation. Raises TimeUp, and SolverError if there is none."""
        self.limits.check()
        if not isinstance(found, SatProof):
            raise SolverError(f"no proof of {self.made.recipe.name}: {found}")
        self._write(".lrat", lambda out: out.write(found.text.encode()))
        return found


def hashes(entry: Json) -> dict[str, str]:
    """Return the SHA-256 of an entry's files."""
    files = entry["files"]
    if not isinstance(files, dict):
        raise TypeError("no files")
    return files


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
