"""The files that a command is to write."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from online.errors import InvalidInput, Problem


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
