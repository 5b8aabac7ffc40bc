"""`docs/lights_out.ipynb` runs from its first cell to its last, and says what it shows.

It is kept without outputs: its pictures are made anew wherever it runs, and a change of one
sentence is a change of one line. So what it tells of them is tested here.
"""

from __future__ import annotations

import json

import ponder
from tests.commands import ROOT
from tests.notebook.extras import need
from tests.processes import HANG

STORY = ROOT / "docs" / "lights_out.ipynb"


def test_it_is_kept_without_outputs() -> None:
    cells = json.loads(STORY.read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
    assert all(len(cell["source"]) <= 12 for cell in code)


def test_its_first_board_can_be_played() -> None:
    """The board on which a hint is promised has an order."""
    cells = json.loads(STORY.read_text(encoding="utf-8"))["cells"]
    first = next(cell for cell in cells if cell["cell_type"] == "code")
    names: dict[str, ponder.Board] = {}
    exec("".join(first["source"]), names)
    assert ponder.order(names["board"]).verdict == "solved"


def test_it_runs_and_shows_what_it_says() -> None:
    need("nbclient")
    import nbclient
    import nbformat

    notebook = nbformat.reads(STORY.read_text(encoding="utf-8"), 4)  # type: ignore[no-untyped-call]
    nbclient.NotebookClient(notebook, timeout=int(HANG), kernel_name="python3").execute()
    cells = {
        cell.source: [
            out.get("text") or "".join(map(str, out.get("data", {}).values()))
            for out in cell.outputs
        ]
        for cell in notebook.cells
        if cell.cell_type == "code"
    }
    shown = "\n".join(text for texts in cells.values() for text in texts)
    for words in (
        "<svg",  # a board, by itself
        "(202, 23, 2)",
        "40 = 16 + 2·12",
        "4 presses, each bulb at most once, lead to the goal (4×4 cross, rule unlit, ",
        "these 2 pressed bulbs have 1 neighbouring pair",
        "67 presses",
    ):
        assert words in shown, words
    widgets = [
        out
        for cell in notebook.cells
        if cell.cell_type == "code"
        for out in cell.outputs
        if "application/vnd.jupyter.widget-view+json" in out.get("data", {})
    ]
    assert len(widgets) == 2
    (solvable,) = (texts for source, texts in cells.items() if source.startswith("rng ="))
    assert abs(int(solvable[0]) - 250) < 50
    assert list(cells.values())[-1] == ["(17, 17, True)"]
