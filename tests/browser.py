"""A real browser, without a screen and without a network, for the tests of pages."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """The browser of this machine; the tests are skipped where there is none, but never where CI is set.

    Each module has its own: while one is open no other can be, nor any other event loop of the thread.
    """
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _without("no playwright")
    path = next((found for name in NAMES if (found := shutil.which(name))), None)
    if path is None:
        _without(f"no browser: none of {', '.join(NAMES)}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


def _without(reason: str) -> None:
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@dataclass
class Opened:
    """A page of dualfit in the browser: what it asked for beside itself, and what went wrong in it."""

    page: Any
    asked: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def run(self, script: str, argument: Any = None) -> Any:
        """The value of a script in the page."""
        return self.page.evaluate(script, argument)

    def set(self, name: str, **values: Any) -> None:
        """Set properties of a model, as a control of the page does, and wait until it is drawn."""
        script = "([name, values]) => Bokeh.documents[0].get_model_by_name(name).setv(values)"
        self.run(script, [name, values])
        self.settle()

    def data(self, name: str) -> dict[str, list[Any]]:
        """The columns that a source of this name has now."""
        script = """name => Object.fromEntries(Object.entries(Bokeh.documents[0].get_model_by_name(name).data)
          .map(([key, column]) => [key, Array.from(column)]))"""
        found: dict[str, list[Any]] = self.run(script, name)
        return found

    def settle(self) -> None:
        """Wait for two frames: scripts run before the next one."""
        self.run("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        self.page.wait_for_timeout(150)

    def pixels(self, selector: str) -> bytes:
        """A picture of a part of the page."""
        found: bytes = self.page.locator(selector).screenshot()
        return found

    def point(self, source: str, row: int, x: str, y: str) -> str:
        """Move the pointer to the glyph of a row of a source, and read what is said there."""
        place = self.run(WHERE, [source, row, x, y])
        self.page.mouse.move(place["x"] - 40, place["y"])
        self.page.mouse.move(place["x"], place["y"], steps=4)
        self.page.wait_for_timeout(250)
        words: str = self.run(TOOLTIPS)
        return words


WHERE = """([source, row, x, y]) => {
  const all = [];
  const walk = view => { all.push(view); for (const child of view.children?.() ?? []) walk(child); };
  for (const view of Bokeh.index) walk(view);
  const glyph = all.find(v => v.model?.type === "GlyphRenderer" && v.model.data_source.name === source);
  const plot = glyph.parent, data = glyph.model.data_source.data;
  plot.el.scrollIntoView({block: "center"});
  const box = plot.canvas_view.el.getBoundingClientRect();
  const mean = (numbers) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
  const at = (columns) => mean(columns.split(" ").map((name) => data[name][row]));
  return {x: box.left + plot.frame.x_scale.compute(at(x)), y: box.top + plot.frame.y_scale.compute(at(y))};
}"""

TOOLTIPS = """() => {
  const words = [];
  const said = node => node.nodeType === 3 ? node.data : node.localName === "style" ? ""
    : [...(node.shadowRoot?.childNodes ?? []), ...node.childNodes].map(said).join("");
  const walk = node => {
    if (node.classList?.contains("bk-Tooltip")) words.push(said(node));
    for (const child of [...(node.shadowRoot?.children ?? []), ...node.children]) walk(child);
  };
  walk(document.body);
  return words.join("\\n");
}"""
"""What every open tooltip says, a line each."""


def opened(chromium: Any, path: Path) -> Opened:
    """Open a file of dualfit and wait until it is drawn; whatever it asks for is refused and remembered."""
    page = chromium.new_page(viewport={"width": 1200, "height": 900})
    found = Opened(page)
    own = path.resolve().as_uri()

    def route(one: Any) -> None:
        if one.request.url.split("#")[0] == own:
            one.continue_()
        else:
            found.asked.append(one.request.url)
            one.abort()

    page.route("**/*", route)
    page.on("pageerror", lambda error: found.wrong.append(str(error)))
    page.on("console", lambda line: found.wrong.append(line.text) if line.type in ("error", "warning") else None)
    page.goto(own)
    page.wait_for_selector("body[data-drawn]", timeout=60_000)
    found.settle()
    return found
