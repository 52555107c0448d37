"""Rules C1, C2, C6 and C9 on servers with speeds: accepted exactly what is true, by forms written independently."""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from fractions import Fraction
from itertools import accumulate
from typing import Any

import pytest
import schedule_faults
import speed_certificates as documents
import speed_evaluation as naive
from hypothesis import given, settings
from hypothesis import strategies as st
from speed_certificates import Document, claim

from certify import check
from certify.energy_build import columns
from certify.speed.backlog import Table, backlog_table, propose_table
from certify.speed.potential import Potential
from lp.energy.bracket import energy_bracket
from lp.energy.prices import Prices, price_bound
from online.errors import InvalidInput
from online.instance import Instance
from online.rows import Row
from online.speed.games import GAMES
from online.speed.power import Power, power_law
from online.speed.power_text import read_power, table_of
from online.speed.simulation import simulate
from online.speed.sums import sum_lower, sum_upper

TINY = Fraction(1, 10**12)
POWERS = [*map(read_power, ("s^2", "s^3", "s^(3/2)", "2s^(5/2)", "s^2+s", "(1/2)s^3+s^(3/2)"))]
TABLE = table_of([(Fraction(1), Fraction(1)), (Fraction(2), Fraction(4)), (Fraction(3), Fraction(9))])
LAWS = [power_law(2), power_law(3), power_law("3/2"), power_law("5/2")]
POLICIES = ("srpt", "fifo", "hdf", "round-robin", "staying-srpt", "fixed-speed")
Random = random.Random

exactly = settings(derandomize=True, deadline=None, max_examples=40)


def jobs(source: Random, most: int = 6, machines: int = 3) -> Instance:
    rows = [Row(j, source.randrange(5), source.randint(1, 4)) for j in range(source.randint(1, most))]
    return Instance.from_rows(source.randint(1, machines), rows)


def verdict(document: Document) -> check.Verdict:
    return check.check_document(json.loads(json.dumps(document)))


def judged(document: Document, kind: str, value: Fraction) -> str:
    """The verdict on a certificate whose one goal claims this value of its one evidence."""
    return verdict({**document, "goal": [claim(kind, value, 0)]}).verdict


def disturbed(schedule: Document, source: Random) -> Document:
    """A schedule with one of its numbers changed, some of its pieces exchanged, or as it is."""
    out = json.loads(json.dumps(schedule))
    k = source.randrange(len(out["job"]))
    change = source.randrange(6)
    if change == 0:
        out["start"][k] = max(0, out["start"][k] + source.randint(-2, 2))
    elif change == 1:
        out["end"][k] += source.randint(-2, 3)
    elif change == 2:
        out["job"][k] = source.choice(out["job"])
    elif change == 3:
        out["dial"][k] = source.randrange(len(out["dials"]))
    elif change == 4:
        out["dials"][source.randrange(len(out["dials"]))] = str(Fraction(source.randint(1, 6), 2))
    return out


def test_schedule_is_accepted_exactly_if_it_is_one_and_its_cost_is_exact() -> None:
    """C1 and C2 agree with a sum over intervals, on schedules of six policies with one number changed."""
    source, count = Random(5), Counter[str]()
    for _ in range(250):
        instance, power = jobs(source), source.choice([*POWERS, TABLE])
        run = simulate(instance, power, source.choice(POLICIES), bits=source.choice([2, 3, 20])).trajectory
        schedule = disturbed(columns(run), source)
        document = documents.certificate(instance, power, [], run={"algorithm": "x", "schedule": schedule})
        value = naive.cost(document, schedule)
        count["feasible" if value is not None else "infeasible"] += 1
        goals = [{"claim": "feasible"}, claim("objective", run.cost if value is None else value)]
        assert verdict({**document, "goal": goals}).verdict == ("rejected" if value is None else "accepted")
        if value is not None:
            for other in (value - TINY, value + TINY):
                assert verdict({**document, "goal": [claim("objective", other)]}).verdict == "rejected"
            upper = {**document, "evidence": [{"rule": "C6", "schedule": schedule}]}
            assert judged(upper, "upper-bound", value) == "accepted"
            assert judged(upper, "upper-bound", value - TINY) == "rejected"
    assert min(count.values()) >= 60, count


@exactly
@given(st.integers(0, 10**9))
def test_cost_is_that_of_the_trajectory(seed: int) -> None:
    """The objective that the checker shows is the cost that was computed when the policy was played."""
    source = Random(seed)
    instance, power = jobs(source, 12), source.choice([*POWERS, TABLE])
    run = simulate(instance, power, source.choice(POLICIES), grid=source.choice([None, 2, 8])).trajectory
    goals = [{"claim": "feasible"}, claim("objective", run.cost)]
    accepted = verdict(documents.certificate(instance, power, goals, run=documents.run_of(run)))
    assert accepted.verdict == "accepted", str(accepted)
    more = sum(a > b for a, b in zip(run.work, instance.size.tolist(), strict=True))
    assert (f"{more} of them with more work" in accepted.shown[1]) == (more > 0)


def random_prices(instance: Instance, power: Power, source: Random) -> Prices:
    """A grid that knows nothing of the releases, prices, dials and ranges at random, but for the last ones."""
    first = int(min(instance.release.tolist()))
    grid = sorted(
        {Fraction(first) - source.randint(0, 1), *(Fraction(source.randint(3 * first, 40), 3) for _ in range(6))}
    )
    price = tuple(Fraction(source.randint(0, 8), 4) for _ in grid[1:])
    low = Fraction(1) if power is TABLE else power.dial_for_waiting(1, source.choice([2, 9]))
    dials = (low, *(low * Fraction(source.randint(1, 9), 4) for _ in range(4)))
    if power is TABLE:
        dials = tuple(min(dial, Fraction(5)) for dial in dials)
    ranges = []
    for release in instance.release.tolist():
        home = max(k for k, time in enumerate(grid) if time <= release)
        cells = sorted({home, *(source.randint(home, len(grid) - 1) for _ in range(source.randrange(4)))})
        ranges.append((*((cell, source.randrange(5)) for cell in cells[:-1]), (cells[-1], 0)))
    return Prices(tuple(grid), price, dials, tuple(ranges))


def test_prices_show_exactly_the_sum_that_they_are_said_to() -> None:
    """C9 agrees with the sum over jobs of the least F at every grid point, and with the bound of lp/energy."""
    source = Random(3)
    for _ in range(150):
        instance, power = jobs(source), source.choice([*POWERS, TABLE])
        prices = random_prices(instance, power, source)
        evidence = {"rule": "C9", **prices.to_document()}
        document = documents.certificate(instance, power, [], evidence=[evidence])
        bound = price_bound(instance, power, prices)
        assert bound == naive.price_bound(document, evidence)
        assert judged(document, "lower-bound", bound) == "accepted"
        assert judged(document, "lower-bound", bound + TINY) == "rejected"
        for policy in ("srpt", "fifo", "round-robin"):
            assert bound <= simulate(instance, power, policy).trajectory.cost


def test_ranges_are_refused_as_where_they_were_made() -> None:
    """Prices with a number changed are malformed exactly if lp/energy refuses them, else they show the same."""
    source, count = Random(8), Counter[bool]()
    for _ in range(200):
        instance, power = jobs(source, 3), source.choice(POWERS)
        made = random_prices(instance, power, source)
        ranges = [list(map(list, own)) for own in made.ranges]
        pair = source.choice(source.choice(ranges))
        pair[source.randrange(2)] += source.randint(-1, 2)
        grid = [*made.grid]
        grid[source.randrange(len(grid))] += Fraction(source.choice([-2, 0, 0, 0, 1, 9]))
        prices = Prices(tuple(grid), made.price, made.dials, tuple(tuple((c, d) for c, d in own) for own in ranges))
        document = documents.certificate(instance, power, [], evidence=[{"rule": "C9", **prices.to_document()}])
        try:
            bound = price_bound(instance, power, prices) if all(d >= 0 for own in ranges for _, d in own) else None
        except (InvalidInput, IndexError):
            bound = None
        count[bound is None] += 1
        assert judged(document, "lower-bound", Fraction(10**9)) == ("malformed" if bound is None else "rejected")
        if bound is not None:
            assert judged(document, "lower-bound", bound) == "accepted"
    assert min(count.values()) >= 40, count


@pytest.mark.parametrize("power", [*POWERS, TABLE], ids=str)
def test_tangent_is_nowhere_above_the_power(power: Power) -> None:
    """mu s - y <= P(s), with equality at the dial's own speed, or somewhere for the slope of a table."""
    own = check.read_power(check.Node(power.to_document()))
    dials = [Fraction(k, 8) for k in range(33)]
    for mu, y in map(own.tangent, dials):
        room = [p - mu * s + y for s, p in map(own.at, [*dials, *map(Fraction, range(5, 30))])]
        assert min(room) == 0
    assert all(own.at(dial) == power.at(dial)[:2] for dial in dials)


def drift_document(source: Random, exact: bool) -> Document:
    instance, power = jobs(source), source.choice([*POWERS, TABLE])
    grids = [None, None] if exact else [source.choice([None, 1, 3]) for _ in range(2)]
    run, reference = (
        simulate(instance, power, source.choice(POLICIES), bits=source.choice([2, 4, 20]), grid=grid).trajectory
        for grid in grids
    )
    steps = [Fraction(source.randint(0, 8), 2) for _ in range(instance.n)]
    potential = Potential(tuple(sorted(steps) if source.random() < 0.8 else steps), Fraction(source.randint(0, 6), 2))
    evidence = documents.drift(reference, potential, **{"class": source.choice(["any", "any", "srpt"])})
    return documents.certificate(instance, power, [], run=documents.run_of(run), evidence=[evidence])


def test_drift_is_accepted_exactly_for_the_least_ratio() -> None:
    """C9-drift agrees with the drift as it is computed for reports, also where jobs get more work than their size."""
    source, count = Random(11), Counter[bool]()
    for k in range(150):
        document = drift_document(source, exact=k % 2 == 0)
        evidence = document["evidence"][0]
        ratio = naive.drift_ratio(document, evidence)
        count[ratio is None] += 1
        if ratio is None:
            assert judged(document, "drift", Fraction(10**9)) == "rejected"
            continue
        assert judged(document, "drift", ratio) == "accepted"
        assert judged(document, "drift", ratio - TINY) == "rejected"
        costs = [naive.cost(document, one) for one in (document["run"]["schedule"], evidence["schedule"])]
        assert costs[0] <= ratio * costs[1]
    assert min(count.values()) >= 15, count


def test_drift_agrees_with_a_rate_counted_strip_by_strip() -> None:
    """Just above the least ratio the naive check of exact schedules finds no fault either, just below it does."""
    source, seen = Random(13), 0
    while seen < 30:
        document = drift_document(source, exact=True)
        evidence, run = document["evidence"][0], document["run"]["schedule"]
        ratio = naive.drift_ratio(document, {**evidence, "class": "any"})
        if "terms" not in document["power"] or not ratio:
            continue
        seen += 1
        terms = [(Fraction(c), Fraction(e)) for c, e in document["power"]["terms"]]
        instance = document["instance"]
        own = list(zip(instance["release"], instance["size"], strict=True))
        both = [[tuple(s) for s in naive.trajectory(document, one).segments] for one in (run, evidence["schedule"])]
        steps = [Fraction(step) for step in evidence["steps"]]
        tail = (steps, Fraction(evidence["linear"]))
        assert schedule_faults.drift_fault(terms, instance["machines"], own, *both, *tail, ratio) == ""
        assert "fails" in schedule_faults.drift_fault(terms, instance["machines"], own, *both, *tail, ratio - TINY)
        document = {**document, "evidence": [{**evidence, "class": "any"}]}
        assert judged(document, "drift", ratio) == "accepted"


def perturbed(table: Table, source: Random) -> Table:
    """A table with its ratio, linear part or one of its steps changed a little, still one that does not fall."""
    factor = 1 + Fraction(source.randint(-6, 6), source.choice([100, 400]))
    steps, k = list(table.steps), source.randrange(len(table.steps))
    which = source.randrange(3)
    steps[k] *= factor if which == 0 else 1
    steps = list(accumulate(steps, max))
    linear, ratio = table.linear * (factor if which == 1 else 1), table.ratio * (factor if which == 2 else 1)
    return Table(table.alpha, table.machines, tuple(steps), linear, ratio)


def test_backlog_table_is_accepted_exactly_if_it_holds_for_the_run() -> None:
    """C9-backlog agrees with the inequality in floats at all speeds of SRPT, for tables that are changed a little."""
    source, count = Random(17), Counter[bool]()
    for _ in range(120):
        instance, power = jobs(source, 7), source.choice(LAWS)
        run = simulate(instance, power, "srpt", bits=16).trajectory
        backlog = max(n for *_, n in run.unfinished)
        table = backlog_table(power.alpha, instance.machines, backlog)
        evidence = documents.backlog(perturbed(table, source) if source.random() < 0.8 else table)
        document = documents.certificate(instance, power, [], run=documents.run_of(run), evidence=[evidence])
        ratio = Fraction(evidence["ratio"])
        holds = naive.backlog_holds(document, evidence)
        count[holds] += 1
        assert judged(document, "competitive", ratio) == ("accepted" if holds else "rejected")
        assert judged(document, "competitive", ratio - TINY) == "rejected"
    assert min(count.values()) >= 25, count


def test_shipped_tables_are_accepted_for_runs_of_the_rule() -> None:
    """Every table that is proved for dials of 16 bits holds for a run with as many jobs as it is for."""
    for power, m, n in ((LAWS[0], 1, 5), (LAWS[1], 2, 8), (LAWS[2], 4, 8), (LAWS[3], 3, 12), (LAWS[0], 8, 20)):
        instance = Instance.from_rows(m, [Row(j, j % 3, 2 + j % 4) for j in range(n)])
        run = simulate(instance, power, "srpt").trajectory
        table = backlog_table(power.alpha, m, n)
        document = documents.certificate(
            instance, power, [], run=documents.run_of(run), evidence=[documents.backlog(table)]
        )
        assert judged(document, "competitive", table.ratio) == "accepted"


def test_backlog_needs_the_shortest_to_run() -> None:
    """Other orders, and runs with more work than the sizes, are rejected, whatever the table; SRPT is not."""
    instance = Instance.from_rows(1, [Row("a", 0, 3), Row("b", 1, 1)])
    power, easy = power_law(2), Table(Fraction(2), 1, (Fraction(8), Fraction(8)), Fraction(2), Fraction(40))
    for policy, grid, accepted in (("srpt", None, True), ("fifo", None, False), ("srpt", 0, False)):
        run = simulate(instance, power, policy, grid=grid, bits=3).trajectory
        document = documents.certificate(
            instance, power, [], run=documents.run_of(run), evidence=[documents.backlog(easy)]
        )
        assert judged(document, "competitive", Fraction(40)) == ("accepted" if accepted else "rejected")


def test_table_must_hold_against_as_many_jobs_where_servers_idle() -> None:
    """With one job on two servers the inequality can fail against one job alone: 1 + 1/c <= c decides here."""
    instance = Instance.from_rows(2, [Row("a", 0, 1)])
    run = {
        "algorithm": "x",
        "schedule": {"per_tick": 1, "job": [0], "start": [0], "end": [1], "dial": [0], "dials": [1]},
    }
    for ratio, failed in (("13/8", []), ("3/2", ["the table does not hold for 1 unfinished jobs against 1"])):
        evidence = {"rule": "C9-backlog", "steps": [1], "linear": 1, "ratio": ratio}
        document = documents.certificate(instance, power_law(2), [], run=run, evidence=[evidence])
        judged = verdict({**document, "goal": [claim("competitive", Fraction(ratio), 0)]})
        assert [one.message for one in judged.failed][:1] == failed


def test_ratio_by_backlog_is_never_below_the_true_one() -> None:
    """cost <= c T* for the smallest tables that are accepted: the cost of a bracketed optimum is at least cost / c."""
    source = Random(23)
    for _ in range(8):
        instance, power = jobs(source, 5, 2), source.choice(LAWS[:3])
        run = simulate(instance, power, "srpt").trajectory
        table = propose_table(power.alpha, instance.machines, max(n for *_, n in run.unfinished))
        bracket = energy_bracket(instance, power, time_limit=1)
        assert run.cost <= table.ratio * bracket.upper.cost
        goals = [claim("lower-bound", bracket.lower, 0), claim("upper-bound", bracket.upper.cost, 1)]
        prices = max(bracket.rungs, key=lambda rung: rung.value).prices
        evidence = [
            {"rule": "C9", **prices.to_document()},
            {"rule": "C6", "schedule": columns(bracket.upper)},
        ]
        assert verdict(documents.certificate(instance, power, goals, evidence=evidence)).verdict == "accepted"


GAME_CASES = [
    ("greedy", m, alpha, rounds) for m in (1, 2, 3) for alpha in ("3/2", "2", "3") for rounds in (1, 2, 40)
] + [
    (name, m, alpha, rounds)
    for name in ("round-robin", "staying-srpt")
    for m in (2, 3)
    for alpha in ("3/2", "2", "5/2")
    for rounds in (1, 30)
]


@pytest.mark.parametrize(("name", "m", "alpha", "rounds"), GAME_CASES)
def test_game_is_accepted_with_the_values_of_its_own_sums(name: str, m: int, alpha: str, rounds: int) -> None:
    """The checker's bounds lie within a hair of the sums to fifty digits, on their right sides, and the games' too."""
    game = GAMES[name](m, Fraction(alpha), rounds)
    for policy in game.policies:
        document = documents.routing(game, policy, game.optimum_upper, game.policy_lower)
        low, high = naive.game_values(document["instance"], document["evidence"][0], Fraction(alpha))
        jobs = check.read_rounds(check.Node(document["instance"]))
        route = check.Route(*([sent.server for sent in own] for own in (game.before, game.each)))
        r = 1 - 1 / Fraction(alpha)
        cost, opt = check.cost_where_sent(jobs, route, r), check.cost_dealt_evenly(jobs, r)
        assert 0 <= Fraction(low) - cost + Fraction(1, 10**30) <= Fraction(low) / 10**4
        assert 0 <= opt - Fraction(high) + Fraction(1, 10**30) <= opt / 10**4
        assert naive.routed(document["instance"], document["evidence"][0])
        for wanted, (least, most) in (
            ("accepted", (cost, opt)),
            ("rejected", (cost + TINY, opt)),
            ("rejected", (cost, opt - TINY)),
        ):
            assert verdict(documents.routing(game, policy, most, least)).verdict == wanted


def random_routing(source: Random) -> Document:
    """Rounds with a route that some policy might take."""
    m, falling = source.randint(1, 3), source.random() < 0.4
    rounds = source.randint(1, 6)
    policy = source.choice(sorted(check.ROUTERS))
    each = [source.randint(1, 3) + rounds * falling for _ in range(source.choice([1, m, 2 * m]))]
    before = [source.randint(1, 12) for _ in range(source.choice([0, m - 1, m]))]
    instance = {"machines": m, "before": before, "each": each, "rounds": rounds, "falling": falling}
    instance |= {"format": "dualfit-rounds", "version": 1, "tick": "1"}
    server = [k % m for k in range(len(before))]
    turn = [(len(before) + k) % m for k in range(len(each))]
    evidence = {"rule": "C9-game", "policy": policy, "before": server}
    return {**instance, "evidence": {**evidence, "each": source.choice([turn, [source.randrange(m) for _ in each]])}}


def test_route_is_accepted_only_if_the_policy_takes_it() -> None:
    """A route is accepted only if the policy takes it, job by job; one in turn or to the least loaded exactly then."""
    source, count = Random(29), Counter[Any]()
    for _ in range(3000):
        case = random_routing(source)
        evidence = case.pop("evidence")
        jobs = check.read_rounds(check.Node(case))
        wrong = check.ROUTERS[evidence["policy"]](jobs, check.Route(evidence["before"], evidence["each"]))
        taken = naive.routed(case, evidence)
        assert wrong or taken
        count[evidence["policy"], not wrong] += 1
        if evidence["policy"] == "round-robin" or (evidence["policy"] != "staying-srpt" and not case["falling"]):
            assert (wrong == "") == taken
    assert all(count[policy, True] >= 10 for policy in check.ROUTERS), count


def test_staying_has_one_choice_in_the_last_round_too() -> None:
    """A job on another server may be as small as those that fall at first, but no larger than the last of them."""
    route = check.Route([0, 1], [1])
    for other, accepted in ((2, True), (3, False), (4, False)):
        wrong = check.routed_staying(check.Rounds(2, Fraction(1), [other, 9], [4], 3, True), route)
        assert (wrong == "") == accepted


@pytest.mark.parametrize("r", [Fraction(1, 3), Fraction(1, 2), Fraction(2, 3)])
def test_sums_of_powers_lie_between_their_bounds(r: Fraction) -> None:
    """sum_below <= sum of k^r <= sum_above, as sums of rounded terms show, and near the bounds of the games."""
    for first, last in ((1, 1), (1, 50), (1, 127), (1, 128), (1, 400), (7, 500), (1000, 1600)):
        low = sum((check.power_below(Fraction(k), r) for k in range(first, last + 1)), Fraction(0))
        high = sum((check.power_above(Fraction(k), r) for k in range(first, last + 1)), Fraction(0))
        assert check.sum_below(first, last, r) <= low + TINY
        assert check.sum_above(first, last, r) >= high - TINY
        assert abs(check.sum_below(first, last, r) - sum_lower(first, last, r)) < Fraction(1, 10**9)
        assert abs(check.sum_above(first, last, r) - sum_upper(first, last, r)) < Fraction(1, 10**9)
    assert check.sum_below(1, 10**40, r) < check.sum_above(1, 10**40, r) < check.sum_below(1, 10**40, r) * (1 + TINY)


@exactly
@given(st.integers(0, 10**40) | st.integers(0, 10**300), st.integers(1, 9) | st.integers(10, 1200))
def test_integer_root_is_exact(value: int, k: int) -> None:
    """root^k <= value < (root + 1)^k."""
    root = check.integer_root(value, k)
    assert root**k <= value < (root + 1) ** k


def test_ten_thousand_pieces_take_seconds() -> None:
    """A run of 1500 jobs on 8 servers with prices on as many cells is checked in far less than a minute."""
    source, instance_rows, now = Random(1), [], 0
    for j in range(1500):
        now += source.randrange(3)
        instance_rows.append(Row(j, now, source.randint(1, 14)))
    instance, power = Instance.from_rows(8, instance_rows), power_law(2)
    run = simulate(instance, power).trajectory
    grid = tuple(map(Fraction, range(1500)))
    dials = (Fraction(1), *(1 + Fraction(k, 16) for k in range(1, 40)))
    home = [int(r) for r in instance.release.tolist()]
    ranges = tuple(((r, 1 + r % 39), (r + 9, 0)) if r + 9 < 1500 else ((min(r, 1499), 0),) for r in home)
    prices = Prices(grid, (Fraction(1, 4),) * 1499, dials, ranges)
    goals = [claim("objective", run.cost), claim("lower-bound", price_bound(instance, power, prices), 0)]
    evidence = [{"rule": "C9", **prices.to_document()}]
    document = documents.certificate(instance, power, goals, run=documents.run_of(run), evidence=evidence)
    began = time.process_time()
    assert check.check_document(document).verdict == "accepted"
    assert time.process_time() - began < 15


def one_job(**more: Any) -> Document:
    """A job of size 1, and prices of nothing."""
    evidence = {"rule": "C9", "grid": [0], "price": [], "dials": [1], "ranges": [[[0, 0]]]} | more
    instance = Instance.from_rows(1, [Row("a", 0, 1)])
    return documents.certificate(instance, power_law(2), [claim("lower-bound", 2, 0)], evidence=[evidence])


def test_long_values_are_refused_before_they_take_room() -> None:
    """Denominators without a short common one, and dials with long powers, are malformed at once, at their place."""
    assert verdict(one_job()).verdict == "accepted"
    odd = [f"1/{2**k + 1}" for k in range(1, 900)]
    grid = one_job(grid=[0, *reversed(odd)], price=[0] * len(odd))
    steep = one_job(dials=[f"1/{3**600}"] * 2) | {"power": {"terms": [["1", "1999/1000"]]}}
    many = one_job(dials=[1] + [f"{10**900 + k}/7" for k in range(40_000)])
    for document, place in ((grid, "grid"), (steep, "dials[0]"), (many, "dials")):
        began = time.process_time()
        assert verdict(document).failed[0].place == f"$.evidence[0].{place}"
        assert time.process_time() - began < 10


def test_small_files_that_would_take_minutes_are_refused_at_once() -> None:
    """Exponents without a short common denominator, many terms, dials times cells, and sums of many roots."""
    odd = [["1", f"{2 * 10**900 + 2 * k - 1}/{10**900 + k}"] for k in range(3000)]
    many = [["1", str(e)] for e in range(1999, 0, -1)]
    few = [["1", str(e)] for e in range(100, 0, -1)]
    dials = [f"{2**180 + k}/{2**181 - 3}" for k in range(300)]
    n = 6000
    crowd = Instance.from_rows(1, [Row(j, 0, 1) for j in range(n)])
    cells = {"grid": list(range(n)), "price": [1] * (n - 1), "dials": [f"{k + 1}/{n}" for k in range(n)]}
    prices = {"rule": "C9", **cells, "ranges": [[[0, k]] for k in range(n)]}
    sizes = list(range(1, 10_000))
    rounds: Document = {"format": "dualfit-rounds", "version": 1, "machines": 1, "tick": "1", "before": []}
    rounds |= {"each": sizes, "rounds": 10**30, "falling": False}
    routed = {"rule": "C9-game", "policy": "round-robin", "before": [], "each": [0] * len(sizes)}
    game = {"claim": "game", "opt": 1, "cost": 1, "evidence": 0}
    for document, place in (
        (one_job() | {"power": {"terms": odd}}, "power.terms"),
        (one_job() | {"power": {"terms": many}}, "power.terms"),
        (one_job(dials=dials) | {"power": {"terms": few}}, "evidence[0].dials"),
        (
            documents.certificate(crowd, power_law(2), [claim("lower-bound", 1, 0)], evidence=[prices]),
            "evidence[0].ranges",
        ),
        (one_job() | {"problem": "routing", "instance": rounds, "evidence": [routed], "goal": [game]}, "instance"),
    ):
        began = time.process_time()
        assert verdict(document).failed[0].place == f"$.{place}"
        assert time.process_time() - began < 5


def test_jobs_that_wait_without_work_left_count_as_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """A job is looked at until its last piece ends, also where it has no work left in between."""
    instance, times = Instance.from_rows(1, [Row(j, 0, 1) for j in range(9)]), list(range(18))
    schedule = {"per_tick": 1, "job": [*range(9)] * 2, "start": times, "end": [t + 1 for t in times]}
    schedule |= {"dial": [0] * 18, "dials": [1]}
    evidence = {"rule": "C9-drift", "schedule": schedule, "steps": [1] * 9, "linear": 0}
    run = {"algorithm": "x", "schedule": schedule}
    document = documents.certificate(instance, power_law(2), [], run=run, evidence=[evidence])
    looks = sum(1 + 2 * min(9, 18 - t) for t in times)
    for most, wanted in ((looks, "accepted"), (looks - 1, "rejected")):
        monkeypatch.setattr(check, "MOST_LOOKS", most)
        assert judged(document, "drift", Fraction(1)) == wanted


def test_effort_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A drift and a backlog that would take more comparisons than allowed are rejected, and say so."""
    instance = Instance.from_rows(1, [Row(j, 0, 1 + j) for j in range(9)])
    run = simulate(instance, power_law(2), bits=16).trajectory
    steps = tuple(map(Fraction, range(1, 10)))
    drift = documents.drift(run, Potential(steps, Fraction(2)))
    backlog = documents.backlog(backlog_table(Fraction(2), 1, 9))
    for evidence, kind in ((drift, "drift"), (backlog, "competitive")):
        document = documents.certificate(instance, power_law(2), [], run=documents.run_of(run), evidence=[evidence])
        assert judged(document, kind, Fraction(9)) == "accepted"
        with monkeypatch.context() as patch:
            patch.setattr(check, "MOST_LOOKS", 60)
            failed = verdict({**document, "goal": [claim(kind, 9, 0)]}).failed
            assert "more than 60 times" in failed[0].message


def test_power_is_part_of_what_is_shown() -> None:
    """The first line says what P is, a long one by a hash that no other P has."""
    instance, lines = Instance.from_rows(1, [Row("a", 0, 1)]), []
    tables = [table_of([(Fraction(k), Fraction(k * k + k * more)) for k in range(1, 60)]) for more in (0, 1)]
    for power in (power_law(2), power_law("3/2", "1/2"), TABLE, *tables):
        shown = verdict(documents.certificate(instance, power, [claim("lower-bound", 0)])).shown
        lines.append(shown[0].split("P(s) = ")[1])
    assert [line.split(" with SHA-256")[0] for line in lines[:3]] == [
        "s^2",
        "(1/2)s^(3/2)",
        "linear between 0:0, 1:1, 2:4, 3:9",
    ]
    assert len(set(lines)) == 5


def table_holds(table: Table, dials: list[Fraction]) -> bool:
    """Whether the checker finds that a table for one server holds for as many jobs as it has steps, at these dials."""
    potential = check.Potential(list(accumulate(table.steps, initial=Fraction(0))), table.linear)
    law = check.read_power(check.Node(power_law(table.alpha).to_document()))
    try:
        check.Table(law, 1, potential, table.ratio).judge(table.backlog, dials, check.Effort(0))
    except check.Unproved:
        return False
    return True


def test_table_must_hold_at_the_least_and_at_the_largest_speed() -> None:
    """On one server a table holds for a range of speeds exactly if it does at both ends, and either may fail alone."""
    source, count = Random(31), Counter[tuple[bool, bool]]()
    for _ in range(150):
        alpha, n = source.choice([Fraction(2), Fraction(3)]), source.randint(1, 4)
        table = propose_table(alpha, 1, n) if not count else perturbed(backlog_table(alpha, 1, n), source)
        speed = power_law(alpha).dial_for_power(len(table.steps), 16)
        ends = sorted(speed * Fraction(source.randint(90, 110), 100) for _ in range(2))
        alone = tuple(table_holds(table, [end]) for end in ends)
        between = [ends[1], sum(ends) / 2, ends[0]]
        assert table_holds(table, between) == all(alone)
        count[alone] += 1
    assert min(count[alone] for alone in ((True, False), (False, True), (True, True))) >= 3, count


@exactly
@given(st.fractions(0, 1000, max_denominator=10**6), st.integers(1, 6))
def test_root_is_rounded_up(value: Fraction, k: int) -> None:
    """The k-th power of the root is at least the value, that of 2^-64 less is not; for k = 1 the root is the value."""
    root, step = check.root_above(value, k), Fraction(1, 1 << check.ROOT_BITS)
    assert root**k >= value
    assert root == value if k == 1 else root == 0 or (root - step) ** k < value


def test_backlog_scales_with_the_coefficient() -> None:
    """For 4 s^2 the tables of s^2 hold with steps and linear part doubled, and not as they are."""
    source = Random(37)
    for _ in range(6):
        instance, power = jobs(source), power_law(2, 4)
        run = simulate(instance, power, bits=16).trajectory
        table = propose_table(Fraction(2), instance.machines, max(n for *_, n in run.unfinished))
        double = Table(
            table.alpha, table.machines, tuple(2 * step for step in table.steps), 2 * table.linear, table.ratio
        )
        for one, wanted in ((double, "accepted"), (table, "rejected")):
            document = documents.certificate(
                instance, power, [], run=documents.run_of(run), evidence=[documents.backlog(one)]
            )
            assert judged(document, "competitive", table.ratio) == wanted
