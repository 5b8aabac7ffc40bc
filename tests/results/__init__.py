"""What makes the files of `docs/results`: each module is a command, and the tests run it again.

    python -m tests.results.atlas -o docs/results/atlas

A table is a CSV whose first line is the command. What stands in it is not computed again, so that a
long one can be stopped and begun again at any moment; it is always whole. The picture beside it is
drawn from the table.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ponder.model.files import whole_file

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "docs" / "results"
PATTERNS = ("cross", "plus", "king", "torus-plus", "torus-king")

Line = dict[str, str]


@dataclass
class Table:
    """Lines with named columns, the first `keys` of which name a line; kept in a file, or not."""

    command: str
    columns: Sequence[str]
    keys: int
    file: Path | None = None
    lines: list[Line] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.file is not None and self.file.exists():
            self.lines = read(self.file)

    @property
    def known(self) -> dict[tuple[str, ...], Line]:
        """The lines by their names."""
        return {tuple(line[key] for key in self.columns[: self.keys]): line for line in self.lines}

    def fill(
        self, names: Sequence[tuple[object, ...]], make: Callable[..., Sequence[object]]
    ) -> None:
        """Make the lines of these names that are not known, in this order, keeping each."""
        known = self.known
        for name in names:
            words = tuple(map(str, name))
            if words not in known:
                values = (*words, *map(str, make(*name)))
                known[words] = dict(zip(self.columns, values, strict=True))
                self.lines.append(known[words])
                self.write()
        order = {tuple(map(str, name)): k for k, name in enumerate(names)}
        self.lines = [known[words] for words in sorted(known, key=lambda x: order.get(x, -1))]
        self.write()

    def write(self) -> None:
        """Write the file, if there is one."""
        if self.file is None:
            return
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(self.file) as out:
            out.write(self.text)

    @property
    def text(self) -> str:
        """The file."""
        out = io.StringIO()
        out.write(f"# {self.command}\n")
        writer = csv.DictWriter(out, self.columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.lines)
        return out.getvalue()


def read(file: Path) -> list[Line]:
    """Return the lines of a table."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def shapes(bulbs: int) -> list[tuple[int, int]]:
    """Return the shapes with so many bulbs at most, no more rows than columns, the small first.

    >>> shapes(5)
    [(1, 1), (1, 2), (1, 3), (1, 4), (2, 2), (1, 5)]
    """
    found = [(r, c) for r in range(1, bulbs + 1) for c in range(r, bulbs // r + 1)]
    return sorted(found, key=lambda shape: (shape[0] * shape[1], shape))


@contextmanager
def picture(file: Path, size: tuple[float, float]) -> Iterator[Any]:
    """Yield a figure and save it: the same lines give the same bytes."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context({"svg.hashsalt": "ponder", "svg.fonttype": "path", "font.size": 9}):
        figure = Figure(figsize=size, layout="constrained")
        yield figure
        with whole_file(file) as out:
            figure.savefig(out, format="svg", metadata={"Date": None})
