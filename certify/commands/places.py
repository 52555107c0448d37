"""The files that a command reads and writes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from online.errors import InvalidInput, Problem


def one_standard_input(files: Mapping[str, str | None]) -> None:
    """Raises: `InvalidInput` if two arguments are to be read from standard input."""
    first, *others = [name for name, file in files.items() if file == "-"] or [""]
    if others:
        got, fix = f"-, as for {first}", "give one of them as a file"
        raise InvalidInput(Problem(others[0], "standard input twice", got, "one file", fix))


def different(files: Mapping[str, str | None]) -> None:
    """Raises: `InvalidInput` if two options name the same file."""
    seen: dict[Path, str] = {}
    for option, file in files.items():
        if file is None:
            continue
        place = Path(file).resolve()
        if place in seen:
            got = f"{file!r}, as for {seen[place]}"
            raise InvalidInput(Problem(option, "the same file twice", got, "another file", "choose another place"))
        seen[place] = option
