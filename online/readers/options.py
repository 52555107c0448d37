"""How a file is to be read, in a form that a certificate can record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

from online.errors import InvalidInput, Problem
from online.validate import positive

FORMATS = ("json", "csv", "swf", "batsim", "clf")

CHOICES: dict[str, tuple[str, ...]] = {
    "format": ("auto", *FORMATS),
    "invalid": ("default", "refuse", "drop"),
    "zero_size": ("default", "refuse", "drop", "keep"),
    "eligible_by": ("none", "partition", "queue", "group", "user"),
    "swf_size": ("run", "requested", "work"),
    "missing": ("drop", "requested"),
    "unplaceable": ("default", "refuse", "drop", "reject"),
    "clf_size": ("one", "bytes"),
}

ONLY = {
    "eligible_by": "swf",
    "machines_per": "swf",
    "swf_size": "swf",
    "missing": "swf",
    "clf_size": "clf",
    "bytes_per_second": "clf",
}
"""Options that mean something for one format only."""


@dataclass(frozen=True)
class ReadOptions:
    """What a reader decides where the file leaves it open; every default is safe to leave.

    - `format`: `auto` looks at the content first, then at the name.
    - `invalid`: what becomes of a bad job; `default` refuses JSON and CSV, and drops with a report in logs.
    - `zero_size`: the same for size 0; `default` keeps SWF's run time 0, which stands for less than half a second;
      elsewhere it follows an explicit `invalid`, else refuses JSON, CSV and Batsim, and drops in CLF.
    - `unplaceable`: the same for jobs that no machine may run; `reject` counts them as rejected at the door,
      `default` follows `invalid`.
    - `machines`: the number of machines, where the file does not say.
    - `eligible_by`, `machines_per`: SWF; the field that gives the eligible machines, and the number of
      machines of each partition or queue.
    - `swf_size`: SWF; run time, requested time, or run time times processors. `missing`: what stands in for
      an unknown run time.
    - `clf_size`, `bytes_per_second`: CLF; one second a request, or its bytes at an exact rate.

    Raises: `InvalidInput` for a value that is no choice.
    Source: Standard Workload Format 2.2 for the meaning of -1, run time 0 and status 2 to 4.

    >>> ReadOptions(invalid="drop").to_document()
    {'invalid': 'drop'}
    >>> ReadOptions.from_document({"invalid": "drop"}) == ReadOptions(invalid="drop")
    True
    """

    format: str = "auto"
    invalid: str = "default"
    zero_size: str = "default"
    machines: int | None = None
    eligible_by: str = "none"
    machines_per: int | None = None
    swf_size: str = "run"
    missing: str = "drop"
    unplaceable: str = "default"
    clf_size: str = "one"
    bytes_per_second: str = "1"

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            if getattr(self, name) not in choices:
                raise _bad(name, getattr(self, name), "one of " + ", ".join(choices))
        for name in ("machines", "machines_per"):
            value = getattr(self, name)
            if value is not None and (type(value) is not int or value < 1):
                raise _bad(name, value, "an integer of at least 1")
        if not isinstance(self.bytes_per_second, str):
            raise _bad("bytes_per_second", self.bytes_per_second, "an exact number as text")
        self.rate()
        if self.machines_per is not None and self.eligible_by == "none":
            raise _bad("machines_per", self.machines_per, "eligible_by beside it")

    def rate(self) -> Fraction:
        """`bytes_per_second`, exact."""
        return positive(self.bytes_per_second, "bytes_per_second", "option")

    def check_for(self, chosen: str) -> None:
        """Refuse options that mean nothing for the chosen format, since they would be ignored in silence."""
        for name in self.to_document():
            if ONLY.get(name, chosen) != chosen:
                raise _bad(name, getattr(self, name), f"no such option for {chosen} (only {ONLY[name]} has it)")

    def to_document(self) -> dict[str, Any]:
        """The options that differ from their defaults, as plain JSON values."""
        pairs = ((field, getattr(self, field.name)) for field in fields(self))
        return {field.name: value for field, value in pairs if value != field.default}

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> ReadOptions:
        """The options of a document that `to_document` wrote. Raises: `InvalidInput` for unknown names."""
        known = [field.name for field in fields(cls)]
        for name in document:
            if name not in known:
                raise _bad(str(name), document[name], "one of the options " + ", ".join(known))
        return cls(**document)


def _bad(name: str, got: object, expected: str) -> InvalidInput:
    return InvalidInput(Problem(f"option {name}", "bad option", repr(got)[:60], expected, "correct or omit the option"))
