"""A claim about server prices as a JSON file."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from certify.diagnose.claim_file import NOTHING, agreed, typed
from certify.diagnose.energy import PriceDiagnosis, diagnose_prices
from certify.diagnose.entries import Entries
from online.errors import InvalidInput, Problem
from online.instance import Instance
from online.readers.json_text import parse, show
from online.readers.source import Source
from online.speed.power import Power

KEYS = {"problem": str, "grid": list, "price": list, "phi": dict, "bound": None}


def read_prices(
    instance: Instance, power: Power, path: str, bound: Fraction | None = None, dropped: Mapping[str, str] = NOTHING
) -> PriceDiagnosis:
    """Read `{"problem": "energy", "grid": [], "price": [], "phi": {JOB: NUMBER}, "bound": NUMBER}` and diagnose it.

    Raises: `InvalidInput` with every fault of the file; for another bound in it.
    """
    opened = Source.open(path)
    document = parse(opened.text(), opened.name)
    entries = Entries(instance, opened.name, dropped=dropped)
    for key in document:
        if key not in KEYS:
            entries.wrong(f"$.{key}", "unknown key", show(key), f"only {', '.join(KEYS)}", "correct or remove it")
    typed(entries, document, {key: kind for key, kind in KEYS.items() if kind is not None})
    for key in ("grid", "price"):
        if key not in document:
            entries.wrong("$", "missing key", f"no {key}", "grid and price", "add it")
    entries.finish()
    if document.get("problem", "energy") != "energy":
        got = show(document["problem"])
        raise InvalidInput(
            Problem(f"{opened.name}: $.problem", "another problem", got, '"energy"', "omit --problem energy")
        )
    return diagnose_prices(
        instance,
        power,
        grid=document["grid"],
        price=document["price"],
        phi=document.get("phi"),
        bound=agreed("bound", bound, document.get("bound")),
        entries=entries,
    )
