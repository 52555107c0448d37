"""The folder of instances that a snapshot is about."""

from __future__ import annotations

import os
from pathlib import Path, PurePath
from unicodedata import category

from certify.regress.snapshot import FILE
from online.errors import InvalidInput, Problem


def opened(folder: str | Path) -> Path:
    """The folder. Raises: `InvalidInput` if there is none of this name."""
    if not Path(folder).is_dir():
        raise InvalidInput(Problem(str(folder), "no folder", "none of this name", "a folder", "check the name"))
    return Path(folder)


def check_writable(folder: Path) -> None:
    """Better now than after the work. Raises: `InvalidInput` if the snapshot cannot be written there."""
    place = (folder / FILE).resolve()
    if not os.access(place if place.exists() else place.parent, os.W_OK) or place.is_dir():
        got, fix = "no right to write there", "allow it, or record a copy of the folder"
        raise InvalidInput(Problem(str(place), "cannot be written", got, "a file that can be written", fix))


def files_of(folder: Path) -> list[str]:
    """All files of a folder and its sub-folders, as `a/b.csv`, in order; not the snapshot, nor names with a dot first.

    Raises: `InvalidInput` for a name that is no Unicode.
    """
    found = []
    for base, folders, names in os.walk(folder):
        folders[:] = [one for one in folders if not one.startswith(".")]
        paths = [PurePath(base, name).relative_to(folder).as_posix() for name in names if not name.startswith(".")]
        found += [path for path in paths if path != FILE]
    for path in found:
        if any(category(letter) in ("Cc", "Cs") for letter in path):
            raise InvalidInput(Problem("DIR", "unusable name", ascii(path), "a file name in Unicode", "rename it"))
    return sorted(found)
