"""Policies with speeds: worked examples, a second program, what they keep, whom they refuse."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise

import naive_speed
import numpy as np
import pytest
import speed_schedules

from online.errors import InvalidInput
from online.generate import Dice, make
from online.instance import Instance, Job
from online.rows import Row
from online.speed.floating import float_srpt
from online.speed.policy import POLICIES, Server, SpeedPolicy, find_policy, names
from online.speed.power import power_law
from online.speed.power_text import read_power, table_of
from online.speed.rounding import speed_kept
from online.speed.simulation import EXACT_JOBS, SpeedRun, grid_for, simulate
from online.speed.sums import sum_lower, sum_upper

SQUARE = power_law(2)
RATIONAL = table_of([(Fraction(k), Fraction(k)) for k in (1, 2)] + [(Fraction(5, 2), Fraction(3))])
"""P^{-1}(1) = 1, P^{-1}(2) = 2, P^{-1}(3) = 5/2."""


def _instances(count: int, jobs: int = 14, machines: int = 3) -> list[Instance]:
    return [make("energy", seed=seed, jobs=jobs, machines=1 + seed % machines)[0] for seed in range(count)]


def test_srpt_by_hand_on_one_server() -> None:
    """Two jobs at speed 2 on [0, 1/2]; b alone at 1; c preempts b at 1, both at 2; b ends at 3: flow 4, energy 4."""
    jobs = [Row("a", 0, 1), Row("b", 0, 2), Row("c", 1, 1)]
    run = simulate(Instance.from_rows(1, jobs), RATIONAL).trajectory
    assert run.completion == [Fraction(1, 2), 3, Fraction(3, 2)]
    assert (run.flow, run.energy) == (4, 4)


def test_srpt_by_hand_on_two_servers() -> None:
    """Four unit jobs: two at speed 2 on [0, 1/2], two at speed 1 on [1/2, 3/2]: flow 4, energy 2 * 2/2 + 2."""
    four = Instance.from_rows(2, [Row(k, 0, 1) for k in range(4)])
    run = simulate(four, RATIONAL).trajectory
    assert run.completion == [Fraction(1, 2), Fraction(1, 2), Fraction(3, 2), Fraction(3, 2)]
    assert (run.flow, run.energy) == (4, 4)


def test_srpt_agrees_exactly_with_a_plain_program() -> None:
    """Cost and segments are those of a program that sorts all jobs anew at every event; so for first in, first out."""
    for k, instance in enumerate(_instances(12)):
        power = read_power(("s^2", "s^(3/2)", "s^3", "s^2+s")[k % 4])
        dials = speed_schedules.paper_dials(power, instance.machines)
        for name, order in (("srpt", speed_schedules.srpt), ("fifo", speed_schedules.fifo)):
            plain = speed_schedules.play(instance, power, order, dials)
            run = simulate(instance, power, name).trajectory
            assert run.cost == plain.cost
            assert run.completion == plain.completion


ROUTES: dict[str, Callable[[list[float], Sequence[naive_speed.Jobs], Sequence[float]], int]] = {
    "round-robin": lambda job, queues, sent: int(job[1]) % len(queues),
    "least-loaded": lambda job, queues, sent: min(
        range(len(queues)), key=lambda k: (round(sum(one[0] for one in queues[k]), 4), k)
    ),
    "historically-least-loaded": lambda job, queues, sent: min(range(len(queues)), key=lambda k: (sent[k], k)),
}


@pytest.mark.parametrize("name", ROUTES)
def test_dispatched_policies_agree_with_a_program_in_floats(name: str) -> None:
    """With true speeds in binary floats and routing written out again the cost is the same to five digits.

    Sizes are spread, so that rounding breaks no tie another way.
    """
    for instance in _spread(8):
        m = instance.machines
        expected = naive_speed.naive_cost(
            instance, m, lambda job: job[0], lambda n, k: n**0.5, lambda s: s * s, ROUTES[name]
        )
        assert float(simulate(instance, SQUARE, name).trajectory.cost) == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize(
    ("name", "order", "speed"),
    [
        ("srpt", lambda job: job[0], lambda n, m: max(n / m, 1) ** 0.5),
        ("fifo", lambda job: job[3], lambda n, m: max(n / m, 1) ** 0.5),
        ("hdf", lambda job: job[2], lambda n, m: max(n / m, 1) ** 0.5),
        ("fixed-speed", lambda job: job[0], lambda n, m: 1.0),
    ],
)
def test_queued_policies_agree_with_a_program_in_floats(
    name: str, order: Callable[[list[float]], object], speed: Callable[[int, int], float]
) -> None:
    """With true speeds in binary floats the cost is the same to five digits: rounding loses no more."""
    for instance in _spread(8):
        expected = naive_speed.naive_cost(instance, 1, order, speed, lambda s: s * s)
        assert float(simulate(instance, SQUARE, name).trajectory.cost) == pytest.approx(expected, rel=1e-5)


def test_the_fast_program_in_floats_agrees_with_exact_runs() -> None:
    """SRPT on instances of 20 and of 300 jobs, on one to four servers: the same cost to five digits."""
    dice = Dice(6)
    rows = [Row(k, dice.below(3000), 1 + dice.below(997)) for k in range(300)]
    for instance in [*_spread(8), Instance.from_rows(3, rows)]:
        run, fast = simulate(instance, SQUARE, "srpt").trajectory, float_srpt(instance, SQUARE)
        assert fast.cost == pytest.approx(float(run.cost), rel=1e-5)
        assert fast.flow == pytest.approx(float(run.flow), rel=1e-5)


def _spread(count: int) -> list[Instance]:
    dice = Dice(5)
    rows = [[Row(k, dice.below(300), 1 + dice.below(997)) for k in range(20)] for _ in range(count)]
    return [Instance.from_rows(1 + k % 4, each) for k, each in enumerate(rows)]


@pytest.mark.parametrize("name", POLICIES)
def test_work_is_conserved_and_time_on_a_grid_changes_little(name: str) -> None:
    """Without a grid each job does its size exactly; with one it does at least that, at nearly the same cost."""
    for instance in _instances(6):
        sharp, grid = simulate(instance, SQUARE, name), simulate(instance, SQUARE, name, grid=24)
        assert sharp.overshoot == 0 <= grid.overshoot < Fraction(instance.n * instance.n, 1 << 20)
        assert sharp.trajectory.work == instance.size.tolist()
        flow = sum((end - start) * n for start, end, n in sharp.trajectory.unfinished)
        assert sharp.trajectory.flow == flow
        if name not in ("least-loaded", "staying-srpt"):
            assert abs(grid.trajectory.cost / sharp.trajectory.cost - 1) < Fraction(1, 10**5)


@pytest.mark.parametrize("name", [name for name in POLICIES if name != "fixed-speed"])
def test_energy_is_flow_but_for_rounding(name: str) -> None:
    """The powers add up to the number of unfinished jobs: energy is at most flow, and 2^-18 of it less at most."""
    for instance in _instances(6):
        run = simulate(instance, SQUARE, name)
        assert 0 <= run.below_rule <= run.trajectory.flow / (1 << 18)


def test_a_batch_on_one_server_costs_the_closed_form() -> None:
    """Flow is the sum of k^{1 - 1/alpha} w_k over the sizes, largest first, but for the rounding of speeds.

    At kappa = 1/(alpha - 1) the cost is mu0 times that, the optimum.
    """
    for alpha in ("3/2", "2", "3"):
        power, r = power_law(alpha), 1 - 1 / Fraction(alpha)
        for seed in range(4):
            sizes = sorted(make("energy", seed=seed, jobs=12, machines=1)[0].size.tolist(), reverse=True)
            batch = Instance.from_rows(1, [Row(k, 0, w) for k, w in enumerate(sizes)])
            low = sum(w * sum_lower(k, k, r) for k, w in enumerate(sizes, 1))
            high = sum(w * sum_upper(k, k, r) for k, w in enumerate(sizes, 1))
            assert low <= simulate(batch, power).trajectory.flow <= high / speed_kept(power)
            best = simulate(batch, power, options={"kappa": 1 / (Fraction(alpha) - 1)}).trajectory.cost
            assert power.mu0_lower * low <= best <= power.mu0_lower * high * (1 + Fraction(1, 10**9))


def test_srpt_at_a_fixed_speed_has_the_least_flow_on_one_server() -> None:
    """At speed 1 and whole releases and sizes an optimal schedule decides at whole times: searched to the end."""
    for seed in range(12):
        dice = Dice(seed)
        rows = [Row(k, dice.below(6), 1 + dice.below(4)) for k in range(5)]
        instance = Instance.from_rows(1, rows)
        flow = simulate(instance, SQUARE, "fixed-speed").trajectory.flow
        assert flow == _least_flow(tuple(instance.release.tolist()), tuple(instance.size.tolist()))


def _least_flow(release: tuple[int, ...], size: tuple[int, ...]) -> int:
    @cache
    def best(now: int, left: tuple[int, ...]) -> int:
        present = [j for j, w in enumerate(left) if w and release[j] <= now]
        if not any(left):
            return 0
        after = [best(now + 1, (*left[:j], left[j] - 1, *left[j + 1 :])) for j in present]
        return len(present) + (min(after) if after else best(now + 1, left))

    return best(0, size)


def test_srpt_does_not_reorder_between_arrivals() -> None:
    """All running jobs have one speed, so a job is preempted at releases only: at most once each."""
    for instance in _instances(10, jobs=25):
        run = simulate(instance, SQUARE).trajectory
        preempted = [
            after.start
            for before, after in pairwise(run.segments)
            for job, _ in before.running
            if job not in dict(after.running) and run.completion[job] > before.end
        ]
        releases = instance.release.tolist()
        assert len(preempted) <= instance.n
        assert set(preempted) <= set(releases)


def test_staying_srpt_preempts_and_stays() -> None:
    """6 and 4 take the two servers; 5 preempts the 6, 2 preempts the 5; 7 preempts nobody and joins the 4.

    On their servers the shortest goes first: jobs 4, 3, 1 and jobs 2, 5 are done in this order.
    """
    rows = [Row(k, 0, size) for k, size in enumerate((6, 4, 5, 2, 7), 1)]
    run = simulate(Instance.from_rows(2, rows), SQUARE, "staying-srpt").trajectory
    assert [job for job, _ in run.segments[0].running] == [1, 3]
    assert run.completion[3] < run.completion[2] < run.completion[0]
    together = [{job for job, _ in segment.running} for segment in run.segments]
    assert not any(jobs in ({0, 2}, {0, 3}, {2, 3}, {1, 4}) for jobs in together)


def test_a_run_is_repeated_from_its_document() -> None:
    """The same policy, options, bits and grid give the same segments; another seed routes otherwise."""
    instance = make("energy", seed=4, jobs=EXACT_JOBS + 10, machines=3)[0]
    run = simulate(instance, SQUARE, "random", options={"seed": Fraction(3)})
    assert run.to_document() == {
        "policy": "random",
        "options": {"kappa": "1", "seed": "3"},
        "power": {"terms": [["1", "2"]]},
        "bits": 20,
        "grid": 24,
    }
    again = simulate(instance, SQUARE, "random", options={"seed": Fraction(3)}, grid=24)
    assert run.trajectory.segments == again.trajectory.segments
    assert simulate(instance, SQUARE, "random").trajectory.segments != again.trajectory.segments


def test_the_grid_is_fine_against_the_least_size() -> None:
    """None for few jobs; else its step is the least size over 2^23 to 2^24, but not over one tick."""
    few, many = ([Row(k, k, w) for k in range(n)] for n, w in ((EXACT_JOBS, 1), (EXACT_JOBS + 1, 1000)))
    assert grid_for(Instance.from_rows(1, few)) is None
    assert grid_for(Instance.from_rows(1, many)) == 15
    assert grid_for(Instance.from_rows(1, [Row(k, k, 1 << 40) for k in range(99)])) == 0


def test_many_servers_and_no_jobs() -> None:
    """More servers than jobs: each job alone at P^{-1}(1); no jobs: nothing."""
    instance = make("energy", seed=1, jobs=6, machines=9)[0]
    run = simulate(instance, SQUARE).trajectory
    assert run.cost == 2 * sum(instance.size.tolist())
    assert all(simulate(Instance.from_rows(2, []), SQUARE, name).trajectory.cost == 0 for name in names())


class Lifo(SpeedPolicy):
    """The newest job first, at kappa = 2."""

    def order(self, job: Job, left: Fraction) -> int:
        return -job.position

    def dial(self, jobs: int, servers: int) -> Fraction:
        return self.matched(Fraction(2 * max(jobs, servers), servers))


class Broken(SpeedPolicy):
    """Raises when it is asked for a speed."""

    def dial(self, jobs: int, servers: int) -> Fraction:
        raise ZeroDivisionError("no speed")


class Lost(SpeedPolicy):
    """Sends jobs to a server that is not there."""

    migrates = False

    def route(self, job: Job, servers: Sequence[Server]) -> int:
        return len(servers)


def _failing(method: str) -> type[SpeedPolicy]:
    def fail(*given: object) -> None:
        raise ValueError("no")

    return type("Failing", (SpeedPolicy,), {"migrates": method != "route", method: fail})


def _typed(server: object) -> type[SpeedPolicy]:
    return type("Typed", (SpeedPolicy,), {"migrates": False, "route": lambda self, job, servers: server})


class Stuck(SpeedPolicy):
    """Stands still."""

    def dial(self, jobs: int, servers: int) -> Fraction:
        return Fraction(0)


def test_a_class_of_ones_own_plays() -> None:
    """By its class: the newest of two unit jobs is done first, at power 4 with two jobs on one server."""
    run: SpeedRun = simulate(Instance.from_rows(1, [Row("a", 0, 1), Row("b", 0, 1)]), SQUARE, Lifo)
    assert run.policy.endswith(":Lifo")
    assert run.trajectory.completion[1] == Fraction(1, 2)
    with pytest.raises(InvalidInput, match="options none"):
        simulate(run.trajectory.instance, SQUARE, Lifo, options={"kappa": Fraction(3)})


@pytest.mark.parametrize(
    ("policy", "reason"),
    [
        (Broken, "failed in dial.1, 1.: got ZeroDivisionError"),
        (Lost, "job 'a': unknown server: got route.. returned 1, expected a server's number, from 0 to 0"),
        (Stuck, "bad dial"),
        (Instance, "unknown policy: got 'online.instance:Instance', expected a subclass of"),
        (_failing("__init__"), "failed in __init__: got ValueError: no"),
        (_failing("order"), "failed in order.. of job 'a': got ValueError: no"),
        (_failing("dial"), "failed in dial.1, 1.: got ValueError: no"),
        (_failing("route"), "failed in route.. at job 'a': got ValueError: no"),
        (_typed(np.int64(0)), r"routed by something that is no int: got route.. returned .*0.*, a numpy.int64"),
    ],
)
def test_a_class_that_fails_is_named(policy: type[SpeedPolicy], reason: str) -> None:
    """Whatever it does, it ends as a refusal."""
    with pytest.raises(InvalidInput, match=reason):
        simulate(Instance.from_rows(1, [Row("a", 0, 1)]), SQUARE, policy)


def test_unknown_policies_and_options_are_refused() -> None:
    """By name, with what there is."""
    with pytest.raises(InvalidInput, match=r"unknown policy.*srpt"):
        find_policy("sprt")
    with pytest.raises(InvalidInput, match="cannot be imported"):
        find_policy("no.such:Thing")
    with pytest.raises(InvalidInput, match="a subclass of"):
        find_policy("online.instance:Instance")
    one = Instance.from_rows(1, [Row("a", 0, 1)])
    with pytest.raises(InvalidInput, match="options kappa"):
        simulate(one, SQUARE, options={"kapa": Fraction(1)})
    for name, option in (("srpt", "kappa"), ("fixed-speed", "speed")):
        with pytest.raises(InvalidInput, match="must be positive"):
            simulate(one, SQUARE, name, options={option: Fraction(0)})
    with pytest.raises(InvalidInput, match="bad seed"):
        simulate(one, SQUARE, "random", options={"seed": Fraction(1, 2)})
    for rounding in ({"bits": 0}, {"grid": -2}):
        with pytest.raises(InvalidInput, match="bad rounding"):
            simulate(one, SQUARE, **rounding)
    with pytest.raises(InvalidInput, match="restricted machines"):
        simulate(Instance.from_rows(2, [Row("a", 0, 1, [1])]), SQUARE)
