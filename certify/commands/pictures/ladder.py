"""`dualfit plot ladder`: all bounds on one axis."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from certify.commands.check import naming
from certify.commands.common import INSTANCE
from certify.commands.pictures.options import about, page_of, page_options, report
from certify.figures.ladder import Ladder, draw_ladder, ladder_of
from certify.figures.results import LADDER, expect, in_order, is_certificate, read_result
from certify.problems.registry import TRACKS
from certify.report.ladder import rungs
from certify.show import short
from online.errors import InvalidInput, Problem

MADE_BY = "dualfit bound FILE --json"


@click.command("ladder")
@click.argument("source", type=click.Path(path_type=str))
@INSTANCE
@page_options
def ladder_command(source: str, file: str | None, **chosen: Any) -> None:
    """Draw all bounds on the optimum that SOURCE has, with the objective of the run, on one axis.

    SOURCE is a certificate, which is checked first, or what `dualfit bound --json` printed (`-` for standard input).
    """
    page, as_json = page_of(chosen)
    value = read_result(source)
    if is_certificate(value):
        scene = about(value, source, file)
        shown, name = Ladder(rungs(scene), "T*" if scene.problem in TRACKS else "OPT"), scene.name
    else:
        if file is not None:
            fix = "omit --instance"
            raise InvalidInput(Problem("--instance", "of no use", file, "a certificate to bind to it", fix))
        expect(value, source, LADDER, MADE_BY)
        in_order(value, source, MADE_BY)
        shown, name = ladder_of(value), value["reading"]["file"] + _unproven(value)
    with naming(source):
        drawn = draw_ladder(shown, page, name)
    report("ladder", page, drawn, as_json)


def _unproven(result: Mapping[str, Any]) -> str:
    """What somebody says of the optimum that no certificate shows: words only, no rung."""
    said = result.get("unproven")
    return f"; {short(said['lower'], 'down')} <= T* says {said['by']}, no certificate shows it" if said else ""
