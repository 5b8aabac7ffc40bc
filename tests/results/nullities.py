"""How many square Lights Out boards have each nullity: the picture.

    python -m tests.results.nullities

The table `docs/results/nullities.csv` itself is made by the command that `nullity.md` gives.
"""

from __future__ import annotations

from tests.results import RESULTS, picture, read

FILE = RESULTS / "nullities.csv"


def draw() -> None:
    """Draw the number of sizes against the nullity, by the two classes of theory §8.4."""
    from ponder.studies.plots import OKABE_ITO

    lines = [line for line in read(FILE) if line["nullity"] != "0"]
    with picture(FILE.with_suffix(".svg"), (8.0, 4.0)) as figure:
        panel = figure.subplots()
        for rest, marker, name in ((0, "o", "n ≢ 5 (mod 6)"), (2, "^", "n ≡ 5 (mod 6)")):
            own = [line for line in lines if int(line["nullity"]) % 4 == rest]
            panel.scatter(
                [int(line["nullity"]) for line in own],
                [int(line["sizes"]) for line in own],
                s=12, color=OKABE_ITO[rest], marker=marker, label=name,
            )  # fmt: skip
        panel.set(xscale="log", yscale="log", xlabel="nullity", ylabel="sizes n ≤ 100,000")
        panel.grid(alpha=0.3)
        panel.legend(frameon=False)


if __name__ == "__main__":
    draw()
