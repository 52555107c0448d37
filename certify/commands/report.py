"""`dualfit report`: a certificate as one page to be read in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.text import Text

from certify.commands.check import accepted, folder_of, naming
from certify.commands.common import CERTIFICATE, INSTANCE, JSON, OWN_ALGORITHM, present, save, working
from certify.report.page import page, sections
from certify.report.scene import Scene
from certify.report.section import check_libraries


@click.command("report")
@CERTIFICATE
@INSTANCE
@OWN_ALGORITHM
@click.option(
    "--out",
    type=click.Path(dir_okay=False, writable=True),
    help="The file of the page; by default the certificate's name, in .html, of standard input report.html.",
)
@click.option("--title", help="The heading of the page; by default what the certificate is about.")
@JSON
def report_command(
    certificate: str, file: str | None, algorithm: str | None, out: str | None, title: str | None, as_json: bool
) -> None:
    """Write a page about CERTIFICATE (`-` for standard input) that a browser shows without a network.

    The checker must accept the certificate first. The page has its words; the run on a timeline; the intervals or
    machine sets that bound the optimum, level by level; and every number exactly.
    """
    check_libraries()
    with working("checking the certificate"):
        document, verdict = accepted(certificate, file)
    scene = Scene(document, verdict, shown_name(certificate), folder_of(certificate), algorithm)
    path = out or default_path(certificate)
    with naming(certificate):
        written = write_page(scene, path, title, certificate)
    present(written, lambda: [Text(f"{written['page']}: {written['bytes']} bytes")], as_json)


def shown_name(certificate: str) -> str:
    """How the page calls the certificate."""
    return "standard input" if certificate == "-" else Path(certificate).name


def default_path(certificate: str) -> str:
    """The page's file beside the certificate.

    >>> default_path("a/x.1.cert.json"), default_path("y"), default_path("-")
    ('a/x.1.html', 'y.html', 'report.html')
    """
    if certificate == "-":
        return "report.html"
    path = Path(certificate)
    return str(path.with_name(path.name.removesuffix(".json").removesuffix(".cert") + ".html"))


def write_page(scene: Scene, path: str, title: str | None, source: str) -> dict[str, Any]:
    """Write the page of a scene; says where, how large it is, and which sections it has.

    Raises: `InvalidInput` as `save`; `FalseClaim` if the run is not one of the algorithm that it names.
    """
    with working("drawing"):
        found = sections(scene)
        text = page(title or heading(scene), found)
    save(path, text, source)
    return {"page": path, "bytes": len(text.encode()), "sections": [section.id for section in found]}


def heading(scene: Scene) -> str:
    """What the certificate is about, in a few words."""
    record, source = scene.document.get("run"), scene.document.get("source")
    about = source["file"] if source else scene.name
    return f"{record['algorithm']} on {about}: {scene.problem}" if record else f"{about}: {scene.problem}"
