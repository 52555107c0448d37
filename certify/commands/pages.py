"""The option of commands that write a page about the certificate that they have just made."""

from __future__ import annotations

import json
from pathlib import Path

import click

from certify import check
from certify.build import to_text
from certify.evidence import Document
from certify.report.section import check_libraries
from online.errors import InvalidInput, Problem

PAGE = click.option(
    "--report",
    "page",
    type=click.Path(dir_okay=False, writable=True),
    help="Also write a page about the run to this file, to be read in a browser (dualfit report).",
)


def check_page(path: str | None, certificate: str | None) -> None:
    """Before any work. Raises: `InvalidInput` for a page over the certificate, and without bokeh and jinja2."""
    if path is None:
        return
    check_libraries("--report")
    if certificate is not None and Path(path).resolve() == Path(certificate).resolve():
        fix = "choose two names"
        raise InvalidInput(Problem("--report", "would overwrite the certificate", path, "another file than --out", fix))


def save_page(path: str | None, document: Document, verdict: check.Verdict, algorithm: str | None, source: str) -> None:
    """Write the page about a certificate, if one is asked for and the checker accepts it.

    Raises: as `write_page`.
    """
    if path is None or verdict.verdict != "accepted":
        return
    from certify.commands.report import write_page
    from certify.report.scene import Scene

    scene = Scene(json.loads(to_text(document)), verdict, Path(path).stem, algorithm_name=algorithm)
    write_page(scene, path, None, source)
