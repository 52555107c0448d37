"""Claims about flow time plus energy: duals against what each job costs alone at somebody's server prices."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certify import check
from certify.diagnose.energy import diagnose_prices
from lp.energy.bracket import energy_bracket
from lp.energy.prices import price_bound
from lp.energy.single import alone
from online.errors import InvalidInput
from online.instance import Instance
from online.rows import Row
from online.speed.power import Tabulated, power_law

Run = Callable[..., tuple[int, str, str]]

REPRODUCIBLE = settings(derandomize=True, deadline=None, max_examples=30, database=None)
POWERS = (power_law(2), power_law(3), power_law(Fraction(3, 2)))
TABLE = Tabulated(((Fraction(1), Fraction(1)), (Fraction(2), Fraction(4))))
HALVES = st.integers(0, 6).map(lambda k: Fraction(k, 2))


@st.composite
def priced(draw, most: int = 4) -> tuple[Instance, list[Fraction], list[Fraction]]:
    """Up to `most` jobs, and any prices on any grid that begins early enough, in input units."""
    rows = draw(st.lists(st.tuples(HALVES, st.integers(1, 4)), min_size=1, max_size=most))
    instance = Instance.from_rows(draw(st.integers(1, 2)), [Row(k, r, Fraction(p, 2)) for k, (r, p) in enumerate(rows)])
    first = instance.release.min().item() * instance.tick
    steps = draw(st.lists(st.integers(1, 5).map(lambda k: Fraction(k, 3)), max_size=4))
    grid = [first - draw(HALVES)]
    for step in steps:
        grid.append(grid[-1] + step)
    price = [Fraction(draw(st.integers(0, 12)), 5) for _ in steps]
    return instance, grid, price


@REPRODUCIBLE
@given(priced(), st.sampled_from(POWERS))
def test_what_a_job_costs_alone_is_bracketed_closely(case: Any, power: Any) -> None:
    """The evidence of E4 and a schedule found by floats, both exact, meet within a ten thousandth."""
    instance, grid, price = case
    found = alone(instance, power, [time / instance.tick for time in grid], price)
    for least, most in zip(found.least, found.most, strict=True):
        assert 0 < least <= most <= least * Fraction(10001, 10000)


@REPRODUCIBLE
@given(priced(), st.sampled_from(POWERS))
def test_a_job_cannot_be_served_for_less_at_one_speed_all_along_from_its_release(case: Any, power: Any) -> None:
    """Running at once at any speed costs flow, energy and rent, which is never below what is proven of the job."""
    instance, grid, price = case
    ticks = [time / instance.tick for time in grid]
    found = alone(instance, power, ticks, price)
    for job, least in zip(instance.jobs(), found.least, strict=True):
        for dial in (Fraction(1, 2), Fraction(1), Fraction(3, 2)):
            point = power.at(dial)
            time = job.size / point.speed
            end = job.release + time
            cells = zip(pairwise(ticks), price, strict=True)
            rent = sum(
                (max(Fraction(0), min(b, end) - max(a, job.release)) * value for (a, b), value in cells), Fraction(0)
            )
            assert least <= time * (1 + point.power) + rent


@REPRODUCIBLE
@given(priced(), st.data())
def test_violated_proven_and_open_are_what_the_bracket_says(case: Any, data: st.DataObject) -> None:
    """Each phi over its job's schedule is listed with the exact difference; feasible means all are proven."""
    instance, grid, price = case
    phi = [Fraction(data.draw(st.integers(0, 60)), 10) for _ in instance.ids]
    found = diagnose_prices(instance, power_law(2), grid=grid, price=price, phi=phi)
    tick = instance.tick
    wrong = {
        j: one - most * tick
        for j, (one, most) in enumerate(zip(phi, found.alone.most, strict=True))
        if one > most * tick
    }
    assert {one.job: one.deficit * tick for one in found.violations} == wrong
    assert found.feasible == all(one <= least * tick for one, least in zip(phi, found.alone.least, strict=True))


@REPRODUCIBLE
@given(priced(most=3), st.data())
def test_nothing_that_is_proven_exceeds_the_cost_of_a_schedule(case: Any, data: st.DataObject) -> None:
    """The repaired and the scaled bound are at most the best schedule; the scaling is feasible, the checker agrees."""
    instance, grid, price = case
    phi = [Fraction(data.draw(st.integers(1, 60)), 10) for _ in instance.ids]
    found = diagnose_prices(instance, power_law(2), grid=grid, price=price, phi=phi)
    cost = energy_bracket(instance, power_law(2)).upper.cost
    assert found.scaling is not None
    assert found.scaled is not None
    assert max(found.repaired, found.scaled) <= cost
    assert price_bound(instance, power_law(2), found.alone.prices) == found.repaired <= found.most
    again = diagnose_prices(instance, power_law(2), grid=grid, price=price, phi=[found.scaling * one for one in phi])
    assert again.feasible
    assert check.check_document(found.certificate()).verdict == "accepted"


def test_a_power_function_of_straight_pieces_has_a_diagnosis_too() -> None:
    """Speed 1 costs 2 a unit of work, rent 1 makes 3: a job of size 3 can be served for 9, who claims 10 is wrong."""
    one = Instance.from_rows(1, [Row("a", 0, 3)])
    found = diagnose_prices(one, TABLE, grid=[0, 3], price=[1], phi={"a": 10})
    assert found.alone.least[0] <= found.alone.most[0] <= 9
    assert [row.job for row in found.violations] == [0]
    assert check.check_document(found.certificate()).verdict == "accepted"


@pytest.mark.parametrize(
    "change",
    [
        {"grid": [0, 0]},
        {"grid": [1, 2]},
        {"grid": []},
        {"price": []},
        {"price": [-1]},
        {"price": ["x"]},
        {"phi": {"z": 1}},
        {"phi": [1, 2]},
        {"phi": 5},
        {"grid": 5},
        {"price": 5},
        {"price": {1}},
        {"bound": "much"},
    ],
)
def test_bad_claims_are_refused(change: dict[str, Any]) -> None:
    """Grids that do not ascend, begin late or fit no prices; negative prices; unknown jobs; what is no number."""
    claim: dict[str, Any] = {"grid": [0, 1], "price": [1], "phi": {"a": 1}, **change}
    with pytest.raises(InvalidInput):
        diagnose_prices(Instance.from_rows(1, [Row("a", "1/2", 1)]), power_law(2), **claim)


@pytest.fixture
def dualfit(dualfit: Run, tmp_path: Path) -> Run:
    """Run a command line in a folder with two jobs: exit code, standard output, standard error."""
    jobs = [{"id": "a", "r": 0, "p": "0.5"}, {"id": "b", "r": "0.5", "p": 1}]
    (tmp_path / "jobs.json").write_text(json.dumps({"machines": 1, "jobs": jobs}))
    return dualfit


@pytest.mark.parametrize(
    ("phi", "bound", "code"), [({"a": 1, "b": 2}, 3, 0), ({"a": 1, "b": "2.5"}, 3, 1), ({"a": 1, "b": 2}, "3.1", 1)]
)
def test_the_command_says_what_is_wrong(dualfit: Run, tmp_path: Path, phi: Any, bound: Any, code: int) -> None:
    """At price 0 and s^2 a job costs twice its size: 1 and 2 are proven, 5/2 is wrong by 1/2, 3.1 is not proven."""
    claim = {"problem": "energy", "grid": [0], "price": [], "phi": phi, "bound": bound}
    (tmp_path / "claim.json").write_text(json.dumps(claim))
    arguments = ("diagnose", "jobs.json", "--problem", "energy", "--alpha", "2", "--duals", "claim.json")
    got, out, err = dualfit(*arguments, "--out", "cert.json", "--json")
    result = json.loads(out)
    assert got == code
    assert [row["deficit"] for row in result["duals"]] == (["1/2"] if phi["b"] != 2 else [])
    assert (result["repaired"], result["verdict"], bool(err)) == ("3", "accepted", bool(code))
    if code:
        violated, unproven = "false claim: 1 of 2 duals violated", "open: OPT >= 31/10 is neither proven nor refuted"
        assert err.startswith(unproven if phi["b"] == 2 else violated)
    assert dualfit("check", "cert.json")[0] == 0
    assert "Diagnosis of a claim" in dualfit(*arguments)[1]


def test_energy_has_to_be_named_on_the_command_line(dualfit: Run, tmp_path: Path) -> None:
    """A claim of energy without --problem energy is bad input, as P is missing."""
    (tmp_path / "claim.json").write_text('{"problem": "energy", "grid": [0], "price": []}')
    code, _, err = dualfit("diagnose", "jobs.json", "--duals", "claim.json")
    assert code == 2
    assert "--problem energy" in err
