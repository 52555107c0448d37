"""Tables that prove a ratio for all runs of SRPT at (5) with few jobs at a time."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from importlib.resources import files
from itertools import pairwise

import pytest
from speed_schedules import burst, paper_dials, play, srpt

from certify.speed.backlog import BACKLOGS, Table, backlog_table, propose_table, shipped, shipped_text
from certify.speed.conjugate import conjugate_above
from certify.speed.potential import Potential
from certify.speed.states import worst_states
from certify.speed.verify import conjugate_law
from lp.energy.bracket import energy_bracket
from online.generate import Dice
from online.speed.power import power_law

ALL = sorted(shipped().items())
SMALL = [table for (_, _, backlog), table in ALL if backlog <= 12]


@pytest.mark.parametrize("table", SMALL[::3], ids=lambda t: f"s^{t.alpha}-{t.machines}-{t.backlog}")
def test_shipped_tables_are_valid(table: Table) -> None:
    """A table of the file proves its ratio."""
    assert table.valid()


@pytest.mark.slow
@pytest.mark.parametrize("table", [table for _, table in ALL], ids=lambda t: f"s^{t.alpha}-{t.machines}-{t.backlog}")
def test_all_shipped_tables_are_valid(table: Table) -> None:
    """Every table of the file proves its ratio."""
    assert table.valid()


@pytest.mark.parametrize("table", SMALL[::7], ids=lambda t: f"s^{t.alpha}-{t.machines}-{t.backlog}")
def test_a_hundredth_less_is_rejected(table: Table) -> None:
    """The ratio is nearly the least for its table: 0.99 of it is not proved."""
    assert not replace(table, ratio=table.ratio * 99 / 100).valid()


def test_a_changed_table_is_rejected() -> None:
    """Steps that are a tenth lower no longer pay for the waiting jobs."""
    table = shipped()[Fraction(2), 2, 8]
    assert not replace(table, steps=tuple(step * 9 / 10 for step in table.steps)).valid()
    assert not replace(table, linear=table.linear * 9 / 10).valid()
    assert not replace(table, machines=1).valid()


def test_ratios_grow_with_the_backlog_and_fall_with_the_servers() -> None:
    """More jobs at a time cost more; more servers for as many jobs less; one job each at the best speed costs 1."""
    for (alpha, machines, _), table in ALL:
        row = [shipped()[alpha, machines, backlog].ratio for backlog in BACKLOGS]
        assert all(a <= b + Fraction(1, 1000) for a, b in pairwise(row))
        assert table.ratio >= shipped()[alpha, 8, table.backlog].ratio - Fraction(1, 1000)
    assert 1 <= shipped()[Fraction(2), 4, 3].ratio < Fraction(10001, 10000)


def test_the_ratio_is_one_of_the_backlog_per_server() -> None:
    """20 jobs on 2 servers and 40 on 4 have the same ratio: the tables found scale, up to the rounding."""
    for alpha in ("3/2", "2", "5/2", "3"):
        two, four = (shipped()[Fraction(alpha), m, 10 * m].ratio for m in (2, 4))
        assert abs(two - four) < Fraction(1, 1000)


@pytest.mark.parametrize("alpha", ["3/2", "2", "3"])
@pytest.mark.parametrize("machines", [1, 2, 4])
def test_tables_hold_in_every_state(alpha: str, machines: int) -> None:
    """The bound on ranks is no less than the worst order: (7) holds in all states against all schedules."""
    table = shipped()[Fraction(alpha), machines, 5]
    potential = Potential(table.steps, table.linear)
    found = worst_states(power_law(alpha), machines, potential, table.ratio, "any", 5)
    assert all(one.excess <= 0 for one in found)


@pytest.mark.parametrize("alpha", ["3/2", "2", "5/2", "3"])
def test_two_ways_to_round_the_conjugate_agree(alpha: str) -> None:
    """The integer root and the chord are both at least P*, and within 2^-20 of one another."""
    for k in range(1, 40):
        weight = Fraction(k, 7)
        a, b = conjugate_law(Fraction(alpha), weight), conjugate_above(power_law(alpha), weight)
        assert abs(a - b) < Fraction(1, 1 << 20)
        point = power_law(alpha).at(power_law(alpha).dial_for_speed(Fraction(k, 9)))
        assert conjugate_law(Fraction(alpha), point.marginal) >= point.conjugate


def test_runs_stay_below_the_ratio_of_their_table() -> None:
    """On random instances cost <= c OPT, already with the certified lower bound in the place of OPT."""
    power = power_law(2)
    for seed in range(6):
        instance = burst(Dice(seed), 2, 5)
        run = play(instance, power, srpt, paper_dials(power, 2))
        backlog = max(n for _, _, n in run.unfinished)
        table = backlog_table(Fraction(2), 2, backlog)
        assert run.cost <= table.ratio * energy_bracket(instance, power, time_limit=1).upper.cost


def test_a_table_of_ones_own() -> None:
    """Where no table is shipped one is made: alpha 7/3 on 2 servers."""
    table = backlog_table(Fraction(7, 3), 2, 4)
    assert table.valid()
    assert table.backlog == 4
    assert 1 < table.ratio < 2


def test_the_file_is_made_anew_byte_for_byte() -> None:
    """Some lines of backlog.json are what the program makes now; the slow test makes them all."""
    lines = files("certify.speed").joinpath("backlog.json").read_text(encoding="utf-8").splitlines()
    text = shipped_text()
    assert [next(text) for _ in range(4)] == lines[:4]
    assert shipped()[Fraction(2), 2, 8] == propose_table(Fraction(2), 2, 8)


@pytest.mark.slow
def test_the_whole_file_is_made_anew_byte_for_byte() -> None:
    """backlog.json is the output of `python -m certify.speed.backlog`."""
    lines = files("certify.speed").joinpath("backlog.json").read_text(encoding="utf-8").splitlines()
    assert list(shipped_text()) == lines
