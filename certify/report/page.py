"""The page: sections about a scene, in one file that needs nothing else and can ask nobody for anything."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from importlib import resources
from typing import TYPE_CHECKING, Any

from certify.report.drift import drift
from certify.report.duality import duality
from certify.report.energy import cost, servers
from certify.report.families import families
from certify.report.game import game
from certify.report.ladder import ladder
from certify.report.ledger import ledger
from certify.report.machine_sets import machine_sets
from certify.report.prices import prices
from certify.report.proof import proof
from certify.report.routing import routing
from certify.report.scene import Scene
from certify.report.scripts import ready
from certify.report.section import Section, check_libraries, render
from certify.report.summary import summary
from certify.report.timeline import schedule, timeline

if TYPE_CHECKING:
    from bokeh.model import Model

SECTIONS: tuple[Callable[[Scene], Section | None], ...] = (
    summary,
    game,
    routing,
    cost,
    servers,
    timeline,
    families,
    machine_sets,
    proof,
    prices,
    drift,
    duality,
    ladder,
    schedule,
    ledger,
)
"""What makes each section, in the order of the page; None where there is nothing to say."""

POLICY = "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:"
"""What the page may load: nothing but itself. Bokeh turns the scripts of its models into functions when it starts."""


def sections(scene: Scene) -> list[Section]:
    """The sections that have something to say about a scene."""
    return [section for make in SECTIONS if (section := make(scene)) is not None]


def page(title: str, found: Iterable[Section]) -> str:
    """The whole file, the same bytes for the same sections.

    Raises: `InvalidInput` where bokeh or jinja2 is not installed.
    """
    check_libraries()
    from bokeh.resources import Resources
    from markupsafe import Markup

    found = list(found)
    models = {name: model for section in found for name, model in section.models.items()}
    bokeh = Resources(mode="inline", components=["bokeh", "bokeh-widgets"], log_level="warn")
    return str(
        render(
            "page",
            title=title,
            sections=found,
            policy=POLICY,
            scripts=scripts(),
            library=Markup(bokeh.render_js() if models else ""),
            data=Markup(_safe(_drawn(models)) if models else ""),
        )
    )


def scripts() -> list[str]:
    """The files of scripts beside the templates, that of the page before all that use it."""
    names = [
        one.name for one in (resources.files("certify.report") / "templates").iterdir() if one.name.endswith(".js")
    ]
    return sorted(names, key=lambda name: (name != "page.js", name))


def _drawn(models: dict[str, Model]) -> dict[str, Any]:
    """The models as one bokeh document, and where each of them goes."""
    from bokeh.document import Document

    document = Document(title="")
    for model in models.values():
        document.add_root(model)
    document.js_on_event("document_ready", *ready(models.values()))
    content = json.loads(_text(document.to_json(deferred=False)))
    numbers: dict[str, str] = {}
    _renumber(content, numbers)
    places = {numbers[model.id]: f"plot-{name}" for name, model in models.items()}
    return {"documents": {"page": content}, "items": [{"docid": "page", "roots": places, "root_ids": list(places)}]}


def _text(content: Any) -> str:
    from bokeh.core.json_encoder import serialize_json

    return str(serialize_json(content))


def _renumber(value: Any, numbers: dict[str, str]) -> None:
    """Number the models of a document by their first mention, whatever else this process has drawn."""
    if isinstance(value, list):
        for one in value:
            _renumber(one, numbers)
    elif isinstance(value, dict):
        if isinstance(value.get("id"), str):
            value["id"] = numbers.setdefault(value["id"], f"p{len(numbers)}")
        for one in value.values():
            _renumber(one, numbers)


def _safe(value: Any) -> str:
    """JSON that ends no script, whatever texts are in it.

    >>> _safe({"id": "</script><!--"})
    '{"id":"\\\\u003c/script\\\\u003e\\\\u003c!--"}'
    """
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
