"""The notebook of the documents in JupyterLite: kernel and all that it imports in a browser."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.notebook.extras import need
from tests.page.browser import ROOT, browsing
from tests.page.site import hosting, parts_folder

RUN = """() => {
    const told = [...document.querySelectorAll(".jp-CodeCell .jp-InputPrompt")];
    return told.length > 0 && told.every((prompt) => /\\[\\d+\\]/.test(prompt.textContent));
}"""


@pytest.mark.lab
@pytest.mark.browser
def test_the_notebook_runs_without_a_server(tmp_path: Path) -> None:
    """Every cell, without a complaint; its widget answers; nothing comes from another host."""
    need("jupyterlite_pyodide_kernel", "lite")
    site, work = tmp_path / "site", tmp_path / "work"
    work.mkdir()
    lite = runpy.run_path(str(ROOT / "docs/_ext/lite_page.py"))
    lite["build"](site / "lite", parts_folder(), work)
    asked = list[str]()
    with hosting(site) as place, browsing() as browser:
        page = browser.new_page(viewport={"width": 1200, "height": 1400})
        page.set_default_timeout(600_000)
        page.context.on("request", lambda request: asked.append(request.url))
        page.goto(f"{place}lite/notebooks/index.html?path=lights_out.ipynb")
        # what is to be run before the kernel is there is lost, now and then
        page.locator(".jp-KernelStatus-success").wait_for(state="attached")
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        page.wait_for_function(RUN)
        expect(page.get_by_text("Traceback")).to_have_count(0)
        cell = page.locator(".jp-CodeCell").nth(2)
        cell.get_by_role("radio", name="Solve", exact=True).check()
        expect(cell.get_by_role("status", name="Answer")).to_contain_text("10 presses")
    own = place.removesuffix("site/")
    assert [url for url in asked if not url.startswith((own, "data:", "blob:"))] == []
