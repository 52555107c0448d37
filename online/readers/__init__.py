"""Readers of workload files; each ends in a `Reading` that accounts for every job of the file."""

from __future__ import annotations

import re
from pathlib import Path

from online.errors import InvalidInput, Problem
from online.readers.batsim import read_workload
from online.readers.common_log import read_log
from online.readers.door import Door
from online.readers.json_text import parse
from online.readers.options import FORMATS, ReadOptions
from online.readers.own_json import read_jobs, schema_text
from online.readers.reading import DoorRejections, Dropped, Reading
from online.readers.source import Source
from online.readers.swf import read_swf
from online.readers.table_csv import read_table
from online.readers.writer import write_json

__all__ = [
    "DoorRejections",
    "Dropped",
    "ReadOptions",
    "Reading",
    "Source",
    "read",
    "read_source",
    "schema_text",
    "write_json",
]

SUFFIXES = {"json": "json", "csv": "csv", "swf": "swf", "clf": "clf", "log": "clf"}

_STAMP = re.compile(r"\[\d{1,2}/[A-Z][a-z]{2}/\d{4}:")
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")


def read(source: str | Path, options: ReadOptions = ReadOptions()) -> Reading:  # noqa: B008
    """Read an instance from a file, or from standard input for `-`.

    Claim: the same bytes and options give the same reading; every job is used or reported as dropped.

    Raises: `InvalidInput` for whatever is not used and, by the options, not dropped either.
    """
    return read_source(Source.open(source), options)


def read_source(opened: Source, options: ReadOptions) -> Reading:
    """Read an instance from an opened source. Raises: `InvalidInput`, as `read` does."""
    chosen = options.format if options.format != "auto" else _detect(opened)
    if chosen in ("json", "batsim"):
        document = parse(opened.text(), opened.name)
        if options.format == "auto" and ("nb_res" in document or "profiles" in document):
            chosen = "batsim"
        return (read_workload if chosen == "batsim" else read_jobs)(document, Door(opened.name, chosen, options))
    door = Door(opened.name, chosen, options)
    if chosen == "csv":
        return read_table(opened.text(), door)
    return (read_swf if chosen == "swf" else read_log)(opened.lines(), door)


def _detect(source: Source) -> str:
    """The format by the first telling line, else by the name; `json` stands for both kinds of JSON."""
    head = source.data[: 1 << 16].decode("utf-8-sig", errors="replace").lstrip()
    if head.startswith("{"):
        return "json"
    lines = [line.strip() for line in re.split(r"[\r\n]+", head) if line.strip()]
    first = next((line for line in lines if not line.startswith("#")), "")
    fields = first.split()
    if first.startswith(";") or (len(fields) >= 17 and all(map(_NUMBER.fullmatch, fields[:17]))):
        return "swf"
    if _STAMP.search(first):
        return "clf"
    if {"r", "p"} <= {cell.strip(' "') for cell in first.split(",")}:
        return "csv"
    by_name = SUFFIXES.get(source.suffix())
    if by_name is None:
        got = f"a file that begins {first[:40]!r}"
        expected = "one of " + ", ".join(FORMATS)
        raise InvalidInput(Problem(source.name, "unknown format", got, expected, "name the format with --format"))
    return by_name
