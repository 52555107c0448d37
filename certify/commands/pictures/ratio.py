"""`dualfit plot ratio`: objective over bound, against epsilon."""

from __future__ import annotations

from typing import Any

import click

from certify.commands.energy.options import ENERGY
from certify.commands.pictures.options import about, page_of, page_options, report
from certify.compare_view import draw
from certify.evidence import Document
from certify.figures.ratio import HAS_SHARE, compared
from certify.figures.results import COMPARISON, expect, in_order, is_certificate, read_result
from online.errors import InvalidInput, Problem

MADE_BY = "dualfit compare FILE --json"


@click.command("ratio")
@click.argument("sources", metavar="SOURCE...", nargs=-1, required=True, type=click.Path(path_type=str))
@page_options
def ratio_command(sources: tuple[str, ...], **chosen: Any) -> None:
    """Draw the ratio of every algorithm against epsilon.

    SOURCE is what `dualfit compare --json` printed (`-` for standard input), or one or more certificates of runs on one
    instance, which are checked first and set against the best bound of them all. Flow time plus energy has no epsilon,
    and so no such picture.
    """
    page, as_json = page_of(chosen)
    values = [read_result(source) for source in sources]
    if all(map(is_certificate, values)):
        document = compared({source: about(value, source) for value, source in zip(values, sources, strict=True)})
    elif len(values) == 1:
        document = _comparison(values[0], sources[0])
    else:
        expected, fix = "one comparison, or certificates only", "draw them one by one"
        raise InvalidInput(Problem("SOURCE", "several results", f"{len(values)} files", expected, fix))
    rows = [row for row in document["rows"] if row["refused"] is None and row["ratio"] is not None]
    if not rows:
        expected, fix = (
            "a run with a ratio",
            "compare on an instance whose optimum is above 0, with runs that it allows",
        )
        raise InvalidInput(Problem(", ".join(sources), "nothing to draw", "no ratio", expected, fix))
    draw(document, page)
    found = {"points": len(rows), "algorithms": list(dict.fromkeys(row["algorithm"] for row in rows))}
    report("ratio", page, {**found, "lower": document["lower"]}, as_json)


def _comparison(value: Any, source: str) -> Document:
    if isinstance(value, dict) and value.get("problem") == ENERGY:
        fix = "draw the bounds of each run, dualfit plot ladder"
        raise InvalidInput(
            Problem(source, "no epsilon", "a comparison of energy, which rejects nobody", HAS_SHARE, fix)
        )
    expect(value, source, COMPARISON, MADE_BY)
    in_order(value, source, MADE_BY)
    document: Document = value
    return document | {"rows": [{"ratio": None, **row} for row in document["rows"]]}
