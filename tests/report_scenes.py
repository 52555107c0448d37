"""Scenes of a report for tests: of the certificates in the corpus, and of small instances."""

import json
import re
from pathlib import Path

from certify import check
from certify.report.scene import Scene

CORPUS = Path(__file__).parent / "corpus" / "accept"

NAMES = sorted(path.stem for path in CORPUS.glob("*.json"))


def scene_of(document: dict, name: str = "test.cert.json") -> Scene:
    """The scene of a certificate that the checker accepts."""
    verdict = check.check_document(document, None, str(CORPUS))
    assert verdict.verdict == "accepted", verdict
    return Scene(document, verdict, name, str(CORPUS))


def corpus_scene(name: str) -> Scene:
    """The scene of a certificate of the corpus."""
    return scene_of(json.loads((CORPUS / f"{name}.json").read_text()), f"{name}.json")


def text_of(html: str) -> str:
    """What a reader sees of a piece of a page, on one line."""
    from markupsafe import Markup

    parted = re.sub(r"</(td|th|p|li|span|caption|summary)>", r" </\1>", str(html))
    return " ".join(Markup(parted).striptags().split())
