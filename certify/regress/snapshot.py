"""The snapshot of a folder: one JSON file in it, of one value a line, in a fixed order, to be kept with the instances.

```
{"format": "dualfit-regress", "version": 1,
 "records": {NAME: {"command": "run", "options": {...}, "only": ["*.csv"], "made_with": {...},
                    "cases": {FILE: {"objective": "7/2", "ledger": {"6.1": "holds", ...}, ...}}}}}
```
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Any

from certify import check
from certify.regress.measure import Facts
from certify.regress.settings import COMMANDS, Settings
from online.errors import InvalidInput, Problem

FILE = "dualfit-regress.json"
FORMAT = "dualfit-regress"
VERSION = 1
KEYS = ("command", "options", "only", "made_with", "cases")


@dataclass(frozen=True)
class Record:
    """The facts of some files under one setting.

    `only` are the patterns of the files that it is about, `made_with` the versions of what it was last recorded with.
    """

    settings: Settings
    only: tuple[str, ...]
    made_with: dict[str, str | None]
    cases: dict[str, Facts]

    def covers(self, file: str) -> bool:
        """Whether the record is about a file, in it or not."""
        return matches(file, self.only)

    def to_document(self) -> dict[str, Any]:
        """One JSON object; files in order of their names."""
        return {
            "command": self.settings.command,
            "options": dict(self.settings.options),
            "only": list(self.only),
            "made_with": self.made_with,
            "cases": {file: self.cases[file] for file in sorted(self.cases)},
        }


@dataclass(frozen=True)
class Snapshot:
    """Records by name."""

    records: dict[str, Record] = field(default_factory=dict)

    @classmethod
    def read(cls, folder: Path) -> Snapshot:
        """The snapshot in a folder.

        Raises: `InvalidInput` if there is none, or it is not one that `dualfit regress record` can have written.
        """
        path = folder / FILE
        try:
            document = check.read_json(path.read_bytes())
        except OSError as failed:
            why = failed.strerror or str(failed)
            raise _refused(str(path), "no snapshot", why, "make one with dualfit regress record") from failed
        except check.Malformed as bad:
            raise _bad(bad.failure.place, bad.failure.message) from None
        return cls(_records(document))

    def text(self) -> str:
        """The file: the same for the same facts."""
        records = {name: self.records[name].to_document() for name in sorted(self.records)}
        document = {"format": FORMAT, "version": VERSION, "records": records}
        return json.dumps(document, indent=1, ensure_ascii=False) + "\n"

    def write(self, folder: Path) -> None:
        """Put the file in its place whole: whoever interrupts this leaves the old one as it was.

        Raises: `InvalidInput` saying why it cannot be written.
        """
        path = (folder / FILE).resolve()
        draft = path.with_name(f".{FILE}.{os.getpid()}.draft")
        try:
            try:
                with draft.open("w", encoding="utf-8", newline="\n") as file:
                    file.write(self.text())
                    file.flush()
                    os.fsync(file.fileno())
                draft.replace(path)
            finally:
                draft.unlink(missing_ok=True)
        except (OSError, UnicodeError) as failed:
            why = getattr(failed, "strerror", None) or str(failed)
            raise _refused(str(path), "cannot be written", why, "free the place") from failed


def matches(file: str, patterns: tuple[str, ...]) -> bool:
    """Whether one of the patterns is about the file; `*` stands for folders too.

    >>> matches("a/b.csv", ("*.csv",)), matches("b.json", ("*.csv", "a/*"))
    (True, False)
    """
    return any(fnmatchcase(file, pattern) for pattern in patterns)


def _records(document: object) -> dict[str, Record]:
    top = _object(document, "$", ("format", "version", "records"))
    if (top["format"], top["version"]) != (FORMAT, VERSION):
        got = f"format {top['format']!r:.40}, version {top['version']!r:.20}"
        raise _bad("$", f"{got}, which this dualfit does not know")
    found = _object(top["records"], "$.records")
    return {_text(name, "$.records"): _record(one, f"$.records[{name!r:.80}]") for name, one in found.items()}


def _record(document: object, place: str) -> Record:
    one = _object(document, place, KEYS)
    if one["command"] not in COMMANDS:
        raise _bad(f"{place}.command", f"{one['command']!r:.40}")
    options = _object(one["options"], f"{place}.options")
    for name, value in options.items():
        if value is not True:
            _text(value, f"{place}.options.{name:.40}")
    if "problem" not in options:
        raise _bad(f"{place}.options", "no problem")
    settings = Settings(one["command"], options)
    settings.parsed("FILE", f"{FILE}: {place}.options")
    if not isinstance(one["only"], list):
        raise _bad(f"{place}.only", f"{one['only']!r:.40}, expected a list")
    only = tuple(_text(pattern, f"{place}.only") for pattern in one["only"])
    made_with = _flat(one["made_with"], f"{place}.made_with")
    cases = _object(one["cases"], f"{place}.cases")
    return Record(settings, only, made_with, {_inside(file, place): _facts(cases[file], place) for file in cases})


def _inside(file: str, place: str) -> str:
    """A snapshot speaks of files in its own folder alone."""
    parts = PurePosixPath(file).parts
    if not parts or file.startswith("/") or ".." in parts or "\0" in file:
        raise _bad(f"{place}.cases", f"{file!r:.80}, which is no file in this folder")
    return _text(file, f"{place}.cases")


def _facts(document: object, place: str) -> Facts:
    facts = _object(document, f"{place}.cases")
    flat = {name: value for name, value in facts.items() if not isinstance(value, dict | list)}
    _flat(flat, f"{place}.cases")
    for name, value in facts.items():
        if isinstance(value, list):
            _flat(dict(enumerate(value)), f"{place}.cases")
        elif isinstance(value, dict):
            _flat(_object(value, f"{place}.cases"), f"{place}.cases.{name:.40}")
    return facts


def _flat(document: object, place: str) -> Any:
    """An object of texts, whole numbers, truth values and nulls."""
    one = _object(document, place)
    for name, value in one.items():
        if not (value is None or type(value) in (bool, int)):
            _text(value, f"{place}.{name!s:.40}")
    return one


def _object(document: object, place: str, keys: tuple[str, ...] = ()) -> dict[str, Any]:
    if isinstance(document, check.Repeated):
        raise _bad(place, f"the key {document.key!r:.40} twice")
    if not isinstance(document, dict):
        raise _bad(place, f"{document!r:.40}, expected an object")
    if keys and set(document) != set(keys):
        raise _bad(place, f"the keys {', '.join(map(str, document))!s:.200}, expected {', '.join(keys)}")
    return document


def _text(value: object, place: str) -> str:
    if type(value) is not str:
        raise _bad(place, f"{value!r:.40}, expected text")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise _bad(place, "half a character") from None
    return value


def _bad(place: str, got: str) -> InvalidInput:
    fix = "take the last good file from version control, or delete it and record anew"
    return InvalidInput(Problem(f"{FILE}: {place}", "no snapshot", got, "a file of dualfit regress record", fix))


def _refused(place: str, reason: str, got: str, fix: str) -> InvalidInput:
    return InvalidInput(Problem(place, reason, got, "a readable and writable file", fix))
