"""The figures of the paper, from the results: `docs/paper/numbers.tex`.

    python -m tests.results.paper

Each is a LaTeX macro, a number in a sentence or the lines of a table. The paper has no other
figure of a measurement; a test compares.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ponder.model.files import whole_file
from tests.results import RESULTS, ROOT, Line, read
from tests.verified.table import marks

COMMAND = "python -m tests.results.paper"
PAPER = ROOT / "docs" / "paper" / "paper.tex"
NUMBERS = ROOT / "docs" / "paper" / "numbers.tex"
NAMES = {
    "cross": "row/column", "plus": "plus", "king": "king",
    "torus-plus": "plus, torus", "torus-king": "king, torus",
}  # fmt: skip
SMALL = ("4", "5")
"""Sides of the squares of the exact table."""


def grouped(number: str | int) -> str:
    """A whole number with thin spaces between its thousands."""
    return f"{int(number):,}".replace(",", "\\,")


def rows(lines: Iterable[Sequence[str]]) -> str:
    """The lines of a table."""
    return "\n".join(" & ".join(line) + r" \\" for line in lines)


def orders() -> dict[str, str]:
    """How many boards have an order: all small squares, and a sample of one larger side."""
    exact = [
        line
        for line in read(RESULTS / "orders" / "orders.csv")
        if line["rows"] == line["columns"] and line["rows"] in SMALL
    ]
    sampled = {
        line["pattern"]: line
        for line in read(RESULTS / "orders" / "sampled.csv")
        if line["side"] == "10"
    }
    share = {(line["pattern"], line["rows"]): percent(line) for line in exact}
    return {
        "OrdersTable": rows(
            (
                NAMES[line["pattern"]],
                f"${line['rows']}\\times{line['columns']}$",
                grouped(2 ** int(line["nullity"])),
                grouped(line["solvable"]),
                percent(line),
            )
            for line in exact
        ),
        "OrdersCrossFour": share["cross", "4"],
        "SampledBoards": sampled["plus"]["boards"],
        "SampledPlusTen": sampled["plus"]["with_order"],
        "SampledKingTen": sampled["king"]["with_order"],
        "SampledCrossTen": sampled["cross"]["with_order"],
    }


def percent(line: Line) -> str:
    """The share of the boards of a line, to three digits."""
    return f"{100 * float(line['share']):.3g}\\,\\%"


def acyclicity() -> dict[str, str]:
    """The seconds of each method on the core question: those without the start of a program."""
    text = (RESULTS / "acyclicity.md").read_text(encoding="utf-8")
    table = text.split("<!-- table -->")[1].split("<!-- end -->")[0]
    lines = [line.strip("| ").split(" | ") for line in table.strip().splitlines()[2:]]
    return {"AcyclicityTable": rows([typeset(cell) for cell in line] for line in lines)}


def typeset(cell: str) -> str:
    """A cell of a table in Markdown, without the number in brackets."""
    bare = re.sub(r" \([\d.]+\)", "", cell)
    bare = re.sub(r"(?<=\d),(?=\d{3})", r"\\,", bare)
    bare = re.sub(r"\bT\b", "$T$", bare)
    return bare.replace("∅", r"$\emptyset$").replace("—", "---")


def proofs() -> dict[str, str]:
    """The largest line count that each solver refutes, and ponder's proof."""
    lines = read(RESULTS / "proof-sizes" / "sizes.csv")
    head = (RESULTS / "proof-sizes" / "sizes.csv").read_text(encoding="utf-8").splitlines()[0]
    largest: dict[str, Line] = {}
    for line in lines:
        if line["verdict"] == "proved":
            best = largest.setdefault(line["solver"], line)
            largest[line["solver"]] = max(best, line, key=lambda x: int(x["size"]))
    own = largest["ponder"]
    failed = 1 + max(int(line["size"]) for name, line in largest.items() if name != "ponder")
    asked = [x for x in lines if x["solver"] != "ponder" and int(x["size"]) == failed]
    if not asked or any(line["verdict"] == "proved" for line in asked):
        raise ValueError(f"size {failed} was not asked, or was refuted")
    seconds = re.search(r"--seconds (\d+)", head)
    assert seconds is not None
    return {
        "ProofTable": rows(
            (
                name,
                x["size"],
                grouped(x["lemmas"]),
                grouped(x["bytes"]),
                f"{float(x['seconds']):.1f}",
            )
            for name, x in largest.items()
        ),
        "ProofSeconds": seconds[1],
        "ProofSolverFails": str(failed),
        "ProofLargest": own["size"],
        "ProofLemmasLargest": grouped(own["lemmas"]),
        "ProofSecondsLargest": f"{float(own['seconds']):.1f}",
    }


def obstructions() -> dict[str, str]:
    """Parities that no count explains, by the number of vertices."""
    columns = (
        "vertices", "graphs", "with_obstructions", "parities", "explained", "obstructed",
    )  # fmt: skip
    lines = read(RESULTS / "obstructions" / "obstructions.csv")
    return {"ObstructionsTable": rows([grouped(x[key]) for key in columns] for x in lines)}


def coq() -> dict[str, str]:
    """What Coq has checked: statements of the theory, and certificates of random boards."""
    lines = read(ROOT / "docs" / "coq-certificates.csv")

    def total(column: str) -> str:
        return grouped(sum(int(line[column]) for line in lines))

    return {
        "Theorems": str(len(marks())),
        "CoqPatterns": str(len({line["pattern"] for line in lines})),
        "CoqCertified": total("certified"),
        "CoqAccepted": total("accepted"),
        "CoqSpoilt": total("spoilt"),
        "CoqRefused": total("refused"),
    }


def numbers() -> str:
    """Return the file."""
    made = orders() | acyclicity() | proofs() | obstructions() | coq()
    lines = [f"\\newcommand{{\\{name}}}{{{text}}}" for name, text in made.items()]
    return "\n".join([f"% {COMMAND}", *lines, ""])


def main() -> None:
    """Write the file."""
    with whole_file(NUMBERS) as out:
        out.write(numbers())


if __name__ == "__main__":
    main()
