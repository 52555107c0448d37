"""The terminal, on which whatever a file says is shown as text and cannot move the cursor."""

from __future__ import annotations

from typing import Any

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from online.printable import printable


class Screen(Console):
    """A console on which names, notes and titles have their control characters escaped, in tables and out of them."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(highlight=False, markup=False, emoji=False, **settings)

    def print(self, *objects: Any, **settings: Any) -> None:
        """Print, as `Console.print` does."""
        super().print(*map(harmless, objects), **settings)


def harmless(shown: RenderableType) -> RenderableType:
    r"""The same with every text printable; a table is changed in place.

    >>> harmless(Text("job \x1b[2K", "red"))
    <text 'job \\x1b[2K' [] 'red'>
    """
    if isinstance(shown, str):
        return printable(shown)
    if isinstance(shown, Text):
        return shown if shown.plain.isprintable() else Text(printable(shown.plain), shown.style)
    if isinstance(shown, Table):
        shown.title = None if shown.title is None else harmless(shown.title)  # type: ignore[assignment]
        for column in shown.columns:
            column.header = harmless(column.header)
            column._cells = [harmless(cell) for cell in column._cells]
    return shown
