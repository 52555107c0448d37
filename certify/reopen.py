"""From an accepted certificate back to the run it is about."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from online import exact
from online.errors import InvalidInput, Problem
from online.instance import Instance
from online.run import Phase, Run


def reopen_run(document: Mapping[str, Any], instance: Instance | None = None) -> Run:
    """The run recorded in a certificate that the checker accepted.

    `instance` replaces the embedded one when the certificate names a file instead.

    Raises: `InvalidInput` if the certificate records no run.
    """
    record = document.get("run")
    if record is None:
        raise InvalidInput(
            Problem(
                "$.run",
                "no run",
                "a certificate of a bound alone",
                "a certificate with a run",
                "use one that `dualfit run` wrote",
            )
        )
    return Run(
        instance=instance or Instance.from_document(document["instance"], "$.instance"),
        problem=document["problem"],
        algorithm=record["algorithm"],
        epsilon=exact.rational(record["parameters"]["epsilon"]),
        dispatch=np.array(record["dispatch"], dtype=np.int64),
        phases=tuple(
            Phase(exact.rational(one["guess"]), one["first"], one["last"], one["ended"]) for one in record["phases"]
        ),
    )


def claimed_bound(document: Mapping[str, Any]) -> Fraction:
    """The largest lower bound claimed by a certificate, in ticks; 0 without one."""
    bounds = [exact.rational(goal["value"]) for goal in document["goal"] if goal["claim"] == "lower-bound"]
    return max(bounds, default=Fraction(0))
