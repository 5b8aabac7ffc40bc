"""The formulas and proofs of a bound, as files for an outside checker: `--proof-dir`.

`pairs-1.cnf` and `pairs-1.lrat` say that so many pairs of presses are not enough for one press set,
`pairs-2.cnf` … the same of another one. Both are made from the result alone, as `verify` reads it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ponder.puzzle.result import Result


def check_folder(folder: str) -> None:
    """Make the folder if it is not there; PonderError when it cannot be written to."""
    from ponder.cli.places import check_file
    from ponder.errors import PonderError

    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise PonderError(f"cannot make the folder {folder}: {error.strerror}") from None
    check_file(os.path.join(folder, "pairs-1.cnf"))


def write_proofs(result: Result, folder: str) -> list[str]:
    """Write the formulas and proofs of a bound; return the names of the files."""
    import json

    from ponder.check.decomposition import stated
    from ponder.check.limits import Budget
    from ponder.fewest.clusters import neighbour_lists
    from ponder.puzzle.decomposition import Decomposition
    from ponder.puzzle.files import packed_file

    if not isinstance(result.evidence, Decomposition):
        return []
    bound, board = json.loads(json.dumps(result.bound)), result.board
    files = []
    for k, one in enumerate(stated(board, neighbour_lists(board), bound, Budget(1000)), 1):
        head = [
            f"c ponder: at most {one.pairs} pairs of presses, press set of {one.press_set.sum()}",
            f"c board sha256 {board.sha256}",
            f"p cnf {one.formula.variables} {len(one.formula.clauses)}",
        ]
        lines = (" ".join(map(str, clause)) + " 0" for clause in one.formula.clauses)
        for ending, text in (("cnf", "\n".join([*head, *lines]) + "\n"), ("lrat", one.lrat)):
            files.append(os.path.join(folder, f"pairs-{k}.{ending}"))
            with packed_file(files[-1]) as file:
                file.write(text.encode("ascii"))
    return files
