"""Seconds for the diagnosis of a claim, up to 10^5 jobs on 20 machines. Run with `make bench`."""

from __future__ import annotations

import time
from fractions import Fraction
from itertools import pairwise

import pytest
from rich.console import Console
from rich.table import Table

from certify import check
from certify.diagnose.diagnosis import diagnose
from lp.weak_duality import largest_duals
from online.flow_time.max_flow import LeastLoaded
from online.generate import make
from online.play import play


@pytest.mark.slow
def test_the_diagnosis_is_near_linear() -> None:
    """Witness intervals of a run, every fiftieth dual one too large: ten times the jobs, at most twenty times as long.

    The repairs are accepted by the checker.
    """
    table = Table(title="Diagnosis, bursts on 20 machines")
    for name in ("jobs", "pairs", "intervals", "violated", "diagnosis", "smallest", "certificate"):
        table.add_column(name, justify="right")
    seconds = {}
    for n in (10**3, 10**4, 10**5):
        instance = make("bursts", seed=1, jobs=n, machines=20)[0]
        run = play(instance, LeastLoaded, Fraction(1, 4))
        family = LeastLoaded.explain(run, run.phases[-1]).family
        alpha = largest_duals(instance, family)
        alpha[::50] = [one + 1 for one in alpha[::50]]
        clock = [time.perf_counter()]
        found = diagnose(instance, alpha=alpha, intervals=family, lp=False)
        clock.append(time.perf_counter())
        assert found.smallest is not None
        clock.append(time.perf_counter())
        assert check.check_document(found.certificate()).verdict == "accepted"
        clock.append(time.perf_counter())
        seconds[n] = clock[1] - clock[0]
        shown = (n, instance.pairs, len(family), found.violations.count)
        steps = (f"{b - a:.2f}" for a, b in pairwise(clock))
        table.add_row(*map(str, shown), *steps)
    Console(width=120).print(table)
    assert seconds[10**5] < 20 * max(1, seconds[10**4])
