"""A section of the page: a heading, text, and the pictures in it; and the libraries that pages need."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from online.errors import InvalidInput, Problem

if TYPE_CHECKING:
    from bokeh.model import Model
    from jinja2 import Environment
    from markupsafe import Markup


@dataclass(frozen=True)
class Section:
    """One section of the page, as `page.SECTIONS` makes it from a `Scene`, or None where there is nothing to say.

    `id` is the anchor, in small letters and dashes; `title` the heading, which `html` does not repeat. `html` comes out
    of `render`, so all text in it is escaped. `models` are bokeh models by name; each stands where `html` has
    `plot(name)`, and its name begins with the section's id, as names are one page's.
    """

    id: str
    title: str
    html: Markup
    models: Mapping[str, Model] = field(default_factory=dict)


def check_libraries(option: str = "report") -> None:
    """Raises: `InvalidInput` where bokeh or jinja2 is not installed."""
    try:
        import bokeh  # noqa: F401
        import jinja2  # noqa: F401
    except ImportError as missing:
        got, fix = f"no {missing.name}", "pip install 'dualfit[report]'"
        raise InvalidInput(Problem(option, "missing library", got, "bokeh and jinja2", fix)) from None


def render(template: str, /, **values: Any) -> Markup:
    """The text of `templates/TEMPLATE.html.j2` with these values, escaped; `plot(name)` is the place of a model."""
    from markupsafe import Markup

    return Markup(_environment().get_template(f"{template}.html.j2").render(**values))


@cache
def _environment() -> Environment:
    import jinja2

    loader = jinja2.FunctionLoader(_source)
    environment = jinja2.Environment(
        loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.globals["plot"] = plot
    return environment


def _source(name: str) -> str:
    return (resources.files("certify.report") / "templates" / name).read_text(encoding="utf-8")


def plot(name: str) -> Markup:
    """The place on the page where the model of this name is drawn."""
    from markupsafe import Markup

    return Markup('<div class="plot" id="plot-{}"></div>').format(name)
