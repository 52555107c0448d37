"""Lower bounds as games: every algorithm that a claim covers is as bad as its proof promises."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from game_opponents import Fickle, dicey, hoarding
from hypothesis import given, settings
from hypothesis import strategies as st

from online.adversary.contest import NOT_COVERED, REACHED, Contest, contest
from online.adversary.game import Record, highest
from online.adversary.held import held
from online.adversary.lemma_8_1 import Lemma81
from online.adversary.lemma_8_3 import Lemma83, jobs
from online.adversary.registry import GAMES, game
from online.adversary.section_4 import Section4
from online.adversary.theorem_8_2 import Theorem82
from online.algorithm import Algorithm, find
from online.errors import InvalidInput, LimitReached
from online.play import play
from online.run import Run
from online.session import Answer

EPSILONS = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 4), Fraction(1, 8), Fraction(1, 16))


def played(name: str, against: str, epsilon: Fraction, guess: Fraction | None = None, **size: int) -> Contest:
    """A game against a registered algorithm."""
    return contest(game(name, epsilon, size), find(against), guess=guess, name=against)


def sound(result: Contest) -> None:
    """What holds of every finished game, whoever plays: checked without the code that judges it."""
    run, instance = result.run, result.run.instance
    assert result.offline.dispatch.tolist() == [
        machine
        for machine, job in zip(result.offline.dispatch.tolist(), instance.jobs(), strict=True)
        if machine in job.eligible
    ]
    assert result.opt_upper <= result.game.opt
    assert result.cost == Fraction(run.objective) * result.unit
    again = play(instance, type_of(result), run.epsilon, guess=guess_of(run), name=run.algorithm)
    assert again.dispatch.tolist() == run.dispatch.tolist()
    for stage, loads, rejected in zip(result.stages, result.held, result.rejected, strict=True):
        assert sum(loads) >= sum(stage.loads) - rejected * largest(result)
        assert max(loads) <= run.objective


def largest(result: Contest) -> int:
    """The largest size."""
    return max(result.run.instance.size.tolist())


def guess_of(run: Run) -> Fraction | None:
    """A known guess, in the objective's units."""
    return Fraction(run.parameters["guess"]) if "guess" in run.parameters else None


TYPES: dict[str, type[Algorithm]] = {}


def type_of(result: Contest) -> type[Algorithm]:
    """The algorithm of a run."""
    name = result.run.algorithm
    return TYPES[name] if name in TYPES else find(name)


def against(name: str, algorithm: type[Algorithm], epsilon: Fraction, **size: int) -> Contest:
    """A game against a class of our own."""
    TYPES[algorithm.__name__] = algorithm
    return contest(game(name, epsilon, size), algorithm, name=algorithm.__name__)


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("name", ["load", "load-unit", "load-bounded", "greedy-load", "threshold-load"])
def test_lemma_8_1_holds_against_our_algorithms(name: str, epsilon: Fraction) -> None:
    """With guess and double and with T = 2 known, the load is log2(1/epsilon) at least; nobody has to reject."""
    for guess in (None, Fraction(2)) if find(name).takes_guess else (None,):
        result = played("lemma-8.1", name, epsilon, guess)
        sound(result)
        assert result.verdict == REACHED
        assert 2**result.cost >= 1 / epsilon
        assert result.opt_upper == 2


@pytest.mark.parametrize("machines", [2, 8, 32, 128])
@pytest.mark.parametrize("name", ["greedy-load", "threshold-load"])
def test_theorem_8_2_holds_against_immediate_rejection(name: str, machines: int) -> None:
    """The load grows by 1/2 at least whenever there are four times as many machines."""
    result = played("theorem-8.2", name, Fraction(1, 16), machines=machines)
    sound(result)
    assert result.verdict == REACHED
    assert result.cost >= Fraction(len(result.stages), 2)
    assert 2 * 4 ** (len(result.stages) - 1) == machines


@pytest.mark.parametrize("epsilon", [Fraction(1, 2), Fraction(1, 4), Fraction(1, 8)])
@pytest.mark.parametrize(
    "name", ["max-flow", "weighted", "two-weights", "stretch", "greedy", "fifo", "srpt", "hdf", "edf", "hdf-reject"]
)
def test_lemma_8_3_holds_against_our_algorithms(name: str, epsilon: Fraction) -> None:
    """With guess and double and with T = 2 known, the flow time is what the rejections leave of delta - 1."""
    for guess in (None, Fraction(2)) if find(name).takes_guess else (None,):
        result = played("lemma-8.3", name, epsilon, guess)
        sound(result)
        assert result.verdict == REACHED
        if result.run.rejected_count == 0:
            assert result.cost >= result.run.instance.machines - 1 >= 1 / epsilon


def test_lemma_8_3_has_as_many_jobs_as_it_says() -> None:
    """Stage l releases 2 l^2 + 3 l + 2 jobs: 2 delta^3 / 3 in all, to the highest order."""
    for delta in (2, 3, 5, 8):
        result = played("lemma-8.3", "greedy", Fraction(1, 4), delta=delta)
        ends = [sum(2 * k * k + 3 * k + 2 for k in range(stage + 1)) for stage in range(delta - 1)]
        assert [stage.last + 1 for stage in result.stages] == ends == [jobs(stage) for stage in range(delta - 1)]
        assert result.game.most_jobs == result.run.instance.n
        assert result.cost == delta - 1


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    zeal=st.sampled_from([20, 70, 100]),
    late=st.booleans(),
    patience=st.integers(0, 140),
    epsilon=st.sampled_from(EPSILONS),
    machines=st.integers(2, 70),
)
def test_lemma_8_1_holds_against_anybody(
    seed: int, zeal: int, late: bool, patience: int, epsilon: Fraction, machines: int
) -> None:
    """Dispatch by dice, and rejections at once or from the fullest machine: the promise and the guarantee hold."""
    result = against("lemma-8.1", dicey("load", seed, zeal, late=late, patience=patience), epsilon, machines=machines)
    sound(result)
    assert result.verdict == REACHED
    for level, (stage, loads) in enumerate(zip(result.stages, result.held, strict=True), 1):
        assert min(loads) >= level == stage.loads[0]
        assert len(stage.machines) <= machines >> level


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    zeal=st.sampled_from([20, 100]),
    patience=st.sampled_from([0, 24, 96, 160]),
    epsilon=st.sampled_from([Fraction(1, 8), Fraction(1, 16), Fraction(1, 5), Fraction(1, 2)]),
    machines=st.sampled_from([2, 5, 8, 32]),
)
def test_theorem_8_2_holds_against_anybody(
    seed: int, zeal: int, patience: int, epsilon: Fraction, machines: int
) -> None:
    """Whoever rejects at once: for epsilon up to 1/8 all phases succeed, and M_l holds l/2 at least."""
    result = against("theorem-8.2", dicey("load", seed, zeal, patience=patience), epsilon, machines=machines)
    sound(result)
    assert result.verdict == REACHED
    assert isinstance(result.game, Theorem82)
    if epsilon <= Fraction(1, 8):
        assert result.game.guarantee() == Fraction(result.game.phases, 2)
    for phase, loads in enumerate(result.held, 1):
        assert min(loads) >= Fraction(phase, 2) / result.game.tick


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    zeal=st.sampled_from([20, 100]),
    patience=st.integers(0, 380),
    epsilon=st.sampled_from([*EPSILONS, Fraction(1, 30)]),
    delta=st.integers(2, 9),
)
def test_lemma_8_3_holds_against_anybody(seed: int, zeal: int, patience: int, epsilon: Fraction, delta: int) -> None:
    """Dispatch and rejection on arrival by dice: rejected jobs count as dispatched, each takes one job away."""
    result = against("lemma-8.3", dicey("max-flow", seed, zeal, patience=patience), epsilon, delta=delta)
    sound(result)
    assert result.verdict == REACHED


@settings(max_examples=12, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6), until=st.integers(0, 30), epsilon=st.sampled_from(EPSILONS))
def test_lemma_8_3_holds_against_late_rejections(seed: int, until: int, epsilon: Fraction) -> None:
    """An engine that spends its budget late, from the longest queues, while the game goes on and after it."""
    result = against("lemma-8.3", hoarding(seed, until), epsilon, delta=6)
    sound(result)
    assert result.verdict == REACHED


def test_lemma_8_3_holds_when_everything_is_saved_for_the_end() -> None:
    """Late rejections after the last arrival count: the game ends where they cannot spoil the guarantee."""
    for until, epsilon in product((10, 20, 10**6), (Fraction(1, 2), Fraction(1, 4), Fraction(1, 8))):
        result = against("lemma-8.3", hoarding(1, until), epsilon, delta=6)
        assert result.verdict == REACHED
        assert result.cost >= result.game.guarantee()


def left_over(jobs: list[tuple[int, int]]) -> int:
    """The most that a machine holds at time 2, of those that hold one job at time 0 and get jobs (time, machine)."""
    loads = dict.fromkeys(range(3), 1)
    for now in range(3):
        for machine in loads:
            busy = max(loads[machine] - (now > 0), 0)
            loads[machine] = busy + jobs.count((now, machine))
    return max(loads.values())


def test_claim_8_4_as_printed_fails_and_corrected_holds() -> None:
    """Loads 0 and 1, and j_1 is dispatched to the machine that has j: then that one runs j' and j'' as well.

    Offline it ends with two jobs wherever j_1 goes. If j may also run on a spare machine, nobody has more than one.
    """
    has_j, other, spare = 0, 1, 2
    forced = [(1, has_j), (2, has_j)]
    printed = [left_over([(0, has_j), (0, first), *forced]) for first in (has_j, other)]
    corrected = [left_over([(0, j), (0, first), *forced]) for j in (has_j, spare) for first in (has_j, other)]
    assert min(printed) == 2
    assert min(corrected) == 1


def test_the_gadget_keeps_its_promise_whichever_way_every_job_goes() -> None:
    """All answers to all questions with four machines: the invariant of the algorithm, and at most two jobs offline."""
    for choices in product((0, 1), repeat=10):
        record, moves = Record(4), None
        moves = Lemma83(Fraction(1, 4), 4).moves(record)
        batch, answers, asked = next(moves), iter(choices), []
        while batch:
            picks = [row.eligible[next(answers) if len(row.eligible) == 2 else 0] for row in batch]  # type: ignore
            asked += list(zip(batch, picks, strict=True))
            try:
                batch = moves.send(Answer(tuple(picks)))
            except StopIteration:
                break
        mine, offline = [0] * 4, [0] * 4
        worst = now = 0
        ends = {stage.last: stage for stage in record.stages}
        for position, (row, pick) in enumerate(asked):
            while now < row.release:
                mine, offline = ([max(x - 1, 0) for x in loads] for loads in (mine, offline))
                now += 1
            mine[pick] += 1
            offline[record.offline[position]] += 1
            worst = max(worst, *offline)
            if position in ends:
                assert tuple(mine[i] for i in ends[position].machines) == ends[position].loads
                assert sum(mine) == sum(ends[position].loads)
        assert worst == 2


def test_highest_is_what_the_best_removal_leaves() -> None:
    """Compared with trying all ways to take jobs away."""

    def naive(loads: tuple[int, ...], removed: int) -> int:
        ways = product(*(range(load + 1) for load in loads))
        return min(max(way) for way in ways if sum(loads) - sum(way) <= removed)

    for loads in ((1, 2, 3), (0, 4, 4), (2,), (1, 1, 1, 3)):
        for removed in range(sum(loads) + 2):
            assert highest(loads, removed) == naive(loads, removed)


def test_what_is_held_is_what_is_left() -> None:
    """`held` agrees with stepping tick by tick, first in first out and by pieces."""
    for name in ("greedy", "srpt", "weighted", "per-size"):
        run = played("lemma-8.3", name, Fraction(1, 4), delta=5).run
        moments = range(0, run.instance.n, 7)
        for moment, loads in zip(moments, held(run, list(moments)), strict=True):
            assert loads == stepped(run, moment)


def stepped(run: Run, moment: int) -> list[int]:
    """Unit jobs: the jobs of each machine that have come and are not complete."""
    now, loads = int(run.instance.release[moment]), [0] * run.instance.machines
    for position in range(moment + 1):
        if run.accepted[position] and run.completion[position] > now:
            loads[int(run.dispatch[position])] += 1
    return loads


@pytest.mark.parametrize("time", [40, 240, 600])
def test_section_4_defeats_the_shortest_size_first(time: int) -> None:
    """It rejects time/2 + 3 - 1/epsilon of 3 time/2 + 8 jobs, a third in the end, and nobody need be rejected."""
    result = played("section-4", "per-size", Fraction(1, 4), Fraction(2), time=time)
    assert result.verdict == REACHED
    assert result.run.rejected_count == time // 2 - 1
    assert result.run.instance.n == 3 * time // 2 + 8
    assert result.run.rejected_count > result.run.instance.n / 4
    assert result.opt_upper == 2


@pytest.mark.parametrize("epsilon", [Fraction(1, 4), Fraction(2, 7), Fraction(1, 10), Fraction(3, 10), Fraction(5, 16)])
def test_section_4_promises_the_rejections_from_a_least_time_on(epsilon: Fraction) -> None:
    """Up to 60 ticks beyond the least time that more than an epsilon share takes, the count is as promised throughout.

    Just before that time the example promises nothing, and just then it is reached.
    """
    least = Section4(epsilon, 1).least_time
    for time in {1, 2, 7, least - 2, least - 1, least, least + 1, least + 60}:
        result = played("section-4", "per-size", epsilon, Fraction(2), time=time)
        assert result.run.rejected_count == result.game.rejections()
        over = result.run.rejected_count > epsilon * result.run.instance.n
        assert over if time == least else time > least or not over
        assert result.verdict == (REACHED if over else NOT_COVERED)


@pytest.mark.parametrize(
    ("epsilon", "guess", "words"),
    [
        (Fraction(1, 3), 2, "epsilon < 1/3"),
        (Fraction(1), 2, "epsilon < 1/3"),
        (Fraction(1, 4), 3, "known guess T = 2"),
        (Fraction(1, 4), None, "known guess T = 2"),
    ],
)
def test_section_4_promises_nothing_elsewhere(epsilon: Fraction, guess: int | None, words: str) -> None:
    """For a third or more, and for another guess than the optimum, the example is not covered and says why."""
    result = played("section-4", "per-size", epsilon, None if guess is None else Fraction(guess), time=60)
    assert (result.verdict, words in str(result.uncovered)) == (NOT_COVERED, True)
    assert result.promised is None


def test_section_4_shows_the_queue_that_nobody_serves() -> None:
    """With epsilon = 1/4 four large jobs wait for ever; a small one comes on top."""
    result = played("section-4", "per-size", Fraction(1, 4), Fraction(2), time=60)
    assert result.stuck == (8, 8, 8)
    assert result.held == ((9,), (9,), (9,))


def test_what_is_promised_is_never_below_what_is_guaranteed() -> None:
    """Also where so much was rejected that less would follow from that alone; Theorem 8.2 notes epsilon > 1/8."""
    for name, against in (("lemma-8.1", "load"), ("theorem-8.2", "threshold-load"), ("lemma-8.3", "hdf-reject")):
        for epsilon in (Fraction(1, 2), Fraction(1, 8), Fraction(1, 16)):
            result = played(name, against, epsilon)
            assert result.verdict == REACHED
            assert result.promised is not None
            assert result.cost >= result.promised >= result.game.guarantee()
    assert "epsilon <= 1/8" in str(game("theorem-8.2", Fraction(1, 4), {}).note())
    assert game("theorem-8.2", Fraction(1, 8), {}).note() is None


@pytest.mark.parametrize("time", [40, 240])
def test_section_4_does_not_defeat_algorithm_a(time: int) -> None:
    """With the queue limit of the example, alpha^2 T = 4 T, and segments of 8 T, `weighted` rejects two jobs, however
    long it goes on, and no job has a flow time above 6; with its proven constants it rejects nobody.
    """
    options = {"alpha": Fraction(2), "segment": Fraction(8)}
    for guess in (Fraction(2), None):
        chosen = Section4(Fraction(1, 4), time)
        small = contest(chosen, find("weighted"), guess=guess, name="weighted", options=options)
        proven = contest(chosen, find("weighted"), guess=guess, name="weighted")
        assert (small.run.rejected_count, small.cost) == (2, 6)
        assert small.verdict == proven.verdict == NOT_COVERED
        assert proven.run.rejected_count == 0
        assert all(rejected * 4 <= arrived for rejected, arrived in small.run.prefixes())


def test_an_algorithm_of_another_problem_is_refused() -> None:
    """Lemma 8.1 is about load, Lemma 8.3 about flow time."""
    for name, opponent in (("lemma-8.1", "max-flow"), ("lemma-8.3", "load"), ("section-4", "stretch")):
        with pytest.raises(InvalidInput, match="is about another problem"):
            played(name, opponent, Fraction(1, 4))


def test_late_rejection_is_not_covered_by_theorem_8_2() -> None:
    """`load` prunes late; played all the same, the game says that its claim is not about it."""
    result = played("theorem-8.2", "load", Fraction(1, 8), machines=8)
    assert result.verdict == NOT_COVERED
    assert "late" in str(result.uncovered)


def test_a_run_over_its_budget_is_not_covered() -> None:
    """With a known guess below the optimum an algorithm may reject too many."""
    result = played("theorem-8.2", "threshold-load", Fraction(1, 2), Fraction(1, 100), machines=32)
    assert result.verdict == NOT_COVERED
    assert "over its budget" in str(result.over_budget)


def test_who_is_not_online_is_refused() -> None:
    """An engine that dispatches by the number of all jobs."""
    with pytest.raises(InvalidInput, match="not an online algorithm"):
        against("lemma-8.3", Fickle, Fraction(1, 4), delta=4)


def test_guarantees_grow_as_the_lemmas_say() -> None:
    """8.1: log2(1/epsilon); 8.3: 1/(9 epsilon) of a flow time, so 1/(18 epsilon) of a ratio."""
    for k in range(2, 8):
        assert Lemma81.sized(Fraction(1, 2**k), {}).guarantee() == k
        assert Lemma83.sized(Fraction(1, 2**k), {}).guarantee() >= Fraction(2**k, 9)


def test_sizes_are_options_of_their_game() -> None:
    """Each game has its own, and they have to be large enough."""
    for name in GAMES:
        with pytest.raises(InvalidInput, match="no such size"):
            game(name, Fraction(1, 4), {"weight": 3})
    with pytest.raises(InvalidInput, match="at least 2"):
        game("lemma-8.3", Fraction(1, 4), {"delta": 1})
    with pytest.raises(LimitReached, match="the limit is 2000000"):
        game("lemma-8.3", Fraction(1, 4), {"delta": 10**9})
    with pytest.raises(InvalidInput, match="out of range"):
        game("lemma-8.3", Fraction(5, 4), {})
