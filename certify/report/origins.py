"""Where each alpha_j of a certificate comes from: the eligible machine that allows the least."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from certify.evidence import weights_of
from certify.reopen import reopen_family
from lp.weak_duality import covers
from online import exact
from online.instance import Instance


@dataclass(frozen=True)
class Origins:
    """One entry a job: its dual `alpha`, the most that is allowed, and the first eligible machine that allows no more.

    `rule` C3: alpha_j is a number of intervals; on `machine[j]` just `most[j]` count the job. `rule` C4: alpha_j is a
    price of a tick of work; `machine[j]` is the cheapest.
    """

    rule: str
    alpha: Sequence[int]
    most: Sequence[int]
    machine: Sequence[int]


def origins(problem: str, instance: Instance, evidence: dict[str, Any]) -> Origins | None:
    """The duals of a C3 or C4 evidence; None for evidence that has none.

    >>> from online.rows import Row
    >>> two = Instance.from_rows(2, [Row("a", 0, 1), Row("b", 2, 1, [0])])
    >>> origins("max-flow", two, {"rule": "C3", "per_tick": 1, "machine": [0], "start": [0], "end": [2]})
    Origins(rule='C3', alpha=[0, 1], most=[0, 1], machine=[1, 0])
    """
    if evidence["rule"] == "C3":
        counted = covers(instance, reopen_family(evidence), weights=weights_of(problem, instance))
        most, machine = least_of(instance, counted)
        return Origins("C3", evidence.get("alpha") or most, most, machine)
    if evidence["rule"] == "C4":
        prices, machines = [0] * instance.machines, evidence["machine"]
        for i, price in zip(machines, evidence.get("beta") or [1] * len(machines), strict=True):
            prices[i] = price
        most, machine = least_of(instance, ((k, prices) for k in instance.eligible_set.tolist()))
        return Origins("C4", most, most, machine)
    return None


def least_of(instance: Instance, counted: Iterable[tuple[int, list[int]]]) -> tuple[list[int], list[int]]:
    """For each job the least number over its eligible machines, and the first machine that has it."""
    sets = list(instance.sets)
    most, machine = [], []
    for k, cover in counted:
        least = min(sets[k], key=cover.__getitem__)
        most.append(cover[least])
        machine.append(least)
    return most, machine


def strongest(goals: Iterable[dict[str, Any]], evidence: Sequence[dict[str, Any]]) -> tuple[Fraction, int] | None:
    """The largest lower bound among goals that is shown by duals, and the number of its evidence; None without one."""
    bounds = [goal for goal in goals if goal["claim"] == "lower-bound" and "evidence" in goal]
    found = [(exact.rational(goal["value"]), int(goal["evidence"])) for goal in bounds]
    duals = [one for one in found if evidence[one[1]]["rule"] in ("C3", "C4")]
    return max(duals, key=lambda one: one[0], default=None)
