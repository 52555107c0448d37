"""Scripts of the page on models of bokeh."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bokeh.model import Model
    from bokeh.models import CustomJS

READY = "ready"
"""The tag of scripts that also run when the page has been drawn."""


def script(call: str, *, at_start: bool = False, **models: Any) -> CustomJS:
    """Call a function of the page's own scripts with one object of these models, before the next frame.

    Claim: however many events call it until then, it runs once. `call` is unique on the page with its first model.
    """
    from bokeh.models import CustomJS

    code = f"const m = {{{', '.join(models)}}};\ndualfit.soon('{call} ' + {next(iter(models))}.id, m, {call});"
    return CustomJS(args=models, code=code, name=call, tags=[READY] if at_start else [])


def ready(models: Iterable[Model]) -> list[CustomJS]:
    """The scripts among all that hang on these models that run at the start, in one order."""
    from bokeh.models import CustomJS

    found = {one.id: one for model in models for one in model.references() if isinstance(one, CustomJS)}
    return sorted((one for one in found.values() if READY in one.tags), key=_order)


def _order(one: CustomJS) -> tuple[str, str]:
    """By call, then by the name of its first model, as two pictures may share a call."""
    return one.name, next(iter(one.args.values())).name or ""
