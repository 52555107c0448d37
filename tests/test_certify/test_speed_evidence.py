"""Evidence for drift and backlog: accepted as it is, rejected when anything that matters is changed."""

from __future__ import annotations

import ast
import json
import sys
from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import schedule_faults
from drift_evidence import backlog_keys, drift_keys, fault
from speed_schedules import burst, fifo, lrpt, paper_dials, play, random_dials, srpt

from certify.speed import verify
from certify.speed.backlog import backlog_table
from certify.speed.drift import Drift, drift
from certify.speed.potential import Mover, Potential
from online.errors import InvalidInput
from online.generate import Dice
from online.speed.power import PowerLaw, Tabulated, power_law

SQUARE = power_law(2)


def _pair(seed: int, machines: int = 2) -> Drift:
    dice = Dice(seed)
    instance = burst(dice, machines, 6)
    run = play(instance, SQUARE, srpt, paper_dials(SQUARE, machines))
    order = lrpt if seed % 2 else fifo
    return drift(run, play(instance, SQUARE, order, random_dials(dice), least=seed % 2))


def _backlog(seed: int = 0) -> dict[str, Any]:
    instance = burst(Dice(seed), 2, 6)
    run = play(instance, SQUARE, srpt, paper_dials(SQUARE, 2))
    return backlog_keys(run, backlog_table(Fraction(2), 2, max(n for _, _, n in run.unfinished)))


@pytest.mark.parametrize("seed", range(6))
def test_two_programs_find_the_same_least_ratio(seed: int) -> None:
    """Strips counted one by one, and the walk over the jobs: the least ratio of one is accepted, less is rejected."""
    one = _pair(seed, 1 + seed % 3)
    assert one.ratio is not None
    document = json.loads(json.dumps(drift_keys(one, one.ratio)))
    assert fault(document) == ""
    document["ratio"] = str(one.ratio * Fraction(10**9 - 1, 10**9))
    assert "(7) fails" in fault(document)


def test_rates_agree_on_random_states() -> None:
    """The rate by strips is the rate by jobs, also for several terms and speeds 0."""
    dice = Dice(8)
    table = Potential(tuple(Fraction(k * k, 3) for k in range(1, 6)), Fraction(5, 7))
    levels = [table.level(v) for v in range(6)]
    for _ in range(200):
        sizes = sorted(range(1, 9), key=lambda _: dice.below(1000))
        movers = [Mover(Fraction(size), Fraction(dice.below(4))) for size in sizes]
        own, other = movers[:4], movers[4 : 4 + dice.below(5)]
        assert schedule_faults._rate([*map(tuple, own)], [*map(tuple, other)], levels, table.linear) == table.rate(
            own, other
        )


def test_changed_drift_evidence_is_rejected() -> None:
    """Another work, a server too many, a job before its release, a short or negative table: each has its own words."""
    document = drift_keys(_pair(1), Fraction(5))
    assert fault(document) == ""
    changes = {
        "is not its size": lambda d: d["jobs"][0].__setitem__(1, d["jobs"][0][1] + 1),
        "too many servers": lambda d: d.__setitem__("machines", 1),
        "may not run": lambda d: d["jobs"][-1].__setitem__(0, 10**6),
        "too short": lambda d: d.__setitem__("steps", d["steps"][:1]),
        "negative": lambda d: d["steps"].__setitem__(0, "-1"),
        "out of order": lambda d: d["reference"].reverse(),
    }
    for words, change in changes.items():
        changed = deepcopy(document)
        change(changed)
        assert words in fault(changed), words


def test_a_backlog_certificate() -> None:
    """A run of SRPT and a shipped table: accepted; the ratio is below TD's 5."""
    document = json.loads(json.dumps(_backlog()))
    assert fault(document) == ""
    assert Fraction(document["ratio"]) < 2


def test_changed_backlog_evidence_is_rejected() -> None:
    """0.99 of the ratio, another order, other speeds, fewer jobs than there are: rejected."""
    document = _backlog()
    changed = {**document, "ratio": str(Fraction(document["ratio"]) * 99 / 100)}
    assert "jobs against" in fault(changed)
    assert "too many jobs" in fault({**document, "dials": document["dials"][:-1]})
    assert "speed" in fault({**document, "dials": [["0", "0"], *[["9", "9"]] * 6]})
    assert "fall" in fault({**document, "steps": document["steps"][::-1]})
    assert "power law" in fault({**document, "power": {"terms": [["1", "2"], ["1", "1"]]}}) or fault(
        {**document, "power": {"terms": [["2", "2"]]}}
    )
    instance = burst(Dice(0), 2, 6)
    other = play(instance, SQUARE, lrpt, paper_dials(SQUARE, 2), least=1)
    wrong = {**document, "algorithm": drift_keys(drift(other, other), Fraction(9))["algorithm"]}
    assert "waits" in fault(wrong)


def test_two_servers_at_two_speeds_are_not_the_rule() -> None:
    """The table is for one speed at a time: SRPT whose servers differ, both within the dials, is rejected."""
    instance = burst(Dice(0), 2, 6)

    def unequal(alive: int, running: int) -> list[Fraction]:
        low = paper_dials(SQUARE, 2)(alive, running)[0]
        return [low, low * (1 + Fraction(1, 1 << 17))][:running]

    run = play(instance, SQUARE, srpt, unequal)
    table = backlog_table(Fraction(2), 2, max(n for _, _, n in run.unfinished))
    assert "another speed" in fault(backlog_keys(run, table))


def test_evidence_for_sums_of_powers_and_not_for_tables() -> None:
    """s^2 + s is written and checked; P given by points is refused."""
    power = PowerLaw(((Fraction(1), Fraction(2)), (Fraction(1), Fraction(1))))
    instance = burst(Dice(3), 2, 5)
    run = play(instance, power, srpt, paper_dials(power, 2))
    one = drift(run, play(instance, power, fifo, paper_dials(power, 2), decided=True))
    assert one.ratio is not None
    assert fault(drift_keys(one, one.ratio)) == ""
    corners = Tabulated(((Fraction(1), Fraction(1)), (Fraction(2), Fraction(3))))
    plain = play(instance, corners, srpt, paper_dials(corners, 2))
    with pytest.raises(InvalidInput, match="sum of powers"):
        backlog_keys(plain, backlog_table(Fraction(2), 2, 3))


def test_the_checks_need_the_standard_library_only() -> None:
    """Neither certify/speed/verify.py nor the second program imports anything of ours."""
    for module in (verify, schedule_faults):
        tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
        names = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        assert {str(name).split(".")[0] for name in names} <= set(sys.stdlib_module_names)
        assert not any(isinstance(node, ast.Import) for node in ast.walk(tree))
