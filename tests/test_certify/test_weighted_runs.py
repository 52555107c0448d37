"""Runs of algorithms A and B from the command line to an accepted certificate and its ledger."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from weighted_optimum import weighted_optimum

from certify import check, cli
from certify.build import certify, over_budget
from certify.problems.registry import TRACKS
from online.generate import Dice
from online.instance import Instance
from online.play import play
from online.rows import Row
from online.weighted.algorithms import Stretch, TwoWeights, WeightedFlow
from online.weights import Weights

Run = Callable[..., tuple[int, str, str]]

TRACE = str(Path(cli.__file__).parent.parent / "online" / "data" / "openb-gpuspec33-24nodes.csv")
OWN = """
from online.algorithm import OnlineAlgorithm


class Greedy(OnlineAlgorithm):
    problem = "weighted"
    takes_guess = False

    def __init__(self, setting):
        super().__init__(setting)
        self.load = [0] * setting.machines

    def arrive(self, job):
        i = min(job.eligible, key=self.load.__getitem__)
        self.load[i] += job.size
        return i
"""


@pytest.fixture
def dualfit(dualfit: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command line in a folder with a crowded instance: exit code, standard output, standard error."""
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "greedy_weighted.py").write_text(OWN)
    dualfit("generate", "weighted", "--seed", "36", "--jobs", "50", "--machines", "4", "--out", "jobs.json")
    return dualfit


def crowd(seed: int, jobs: int = 6, machines: int = 2) -> Instance:
    """A few jobs that come close together, with two weights each."""
    dice = Dice(seed)
    rows = [
        Row(
            j,
            dice.below(4),
            1 + dice.below(4),
            list(dice.subset(machines, 1 + dice.below(machines))),
            flow_weight=1 + dice.below(8),
            rejection_weight=1 + dice.below(8),
        )
        for j in range(jobs)
    ]
    return Instance.from_rows(machines, rows)


def one_weight(instance: Instance) -> Instance:
    """The same with the flow weight as rejection weight."""
    return Instance.from_rows(
        instance.machines,
        [Row(str(j.id), j.release, j.size, j.eligible, flow_weight=j.flow_weight) for j in instance.jobs()],
    )


@pytest.mark.parametrize("problem", ["weighted", "two-weights", "stretch"])
@pytest.mark.parametrize("constants", [(), ("--alpha", "1"), ("--alpha", "8", "--segment", "1", "--offset", "1")])
def test_a_run_is_certified_checked_and_measured(dualfit: Run, problem: str, constants: tuple[str, ...]) -> None:
    """Run, check bound to the file, ledger: all accepted, whatever the constants; the ledger knows all claims."""
    arguments = ("run", "jobs.json", "--problem", problem, "--epsilon", "1/2", *constants, "--out", "r.json", "--json")
    code, out, err = dualfit(*arguments)
    result = json.loads(out)
    assert (result["verdict"], result["algorithm"]) == ("accepted", problem)
    assert code == (0 if result["over_budget_at"] is None else 1), err
    assert result["unrefuted_guesses"] == 0
    assert result["budget"] == ("count" if problem == "stretch" else "rejection")
    assert dualfit("check", "r.json", "--instance", "jobs.json")[0] == 0
    code, out, _ = dualfit("ledger", "r.json", "--json")
    ids = {entry["id"] for entry in json.loads(out)}
    assert code == 0
    assert {"6.6", "6.7.covering", "6.9", "6.12", "6.13.queue"} <= ids
    assert ({"6.14", "6.17", "6.18"} if problem == "weighted" else {"7.1.queue", "7.2", "(9)", "7.3", "7.5"}) <= ids


@pytest.mark.parametrize("constants", [(), ("--alpha", "1", "--segment", "1")])
def test_the_gpu_trace_by_weight(dualfit: Run, constants: tuple[str, ...]) -> None:
    """The real trace with its true sizes and weights: an accepted certificate; late rejections with short segments."""
    arguments = ("run", TRACE, "--problem", "weighted", "--epsilon", "1/4", *constants, "--out", "w.json", "--json")
    code, out, _ = dualfit(*arguments)
    result = json.loads(out)
    assert (code, result["verdict"], result["unrefuted_guesses"]) == (0, "accepted", 0)
    assert (result["late"] > 0) == bool(constants)
    assert Fraction(result["rejected_weight"]) <= Fraction(result["arrived_weight"]) / 4


def test_what_each_density_class_gives_is_shown(dualfit: Run) -> None:
    """A row for each phase and density class; the largest bound is one of the certificate's candidates."""
    arguments = ("run", "jobs.json", "--problem", "weighted", "--epsilon", "1/4", "--alpha", "1", "--witness", "--json")
    result = json.loads(dualfit(*arguments)[1])
    rows = result["witness"]
    assert {"phase", "T", "d*", "jobs rejected", "intervals", "length", "T* >="} == set(rows[0])
    assert len({row["phase"] for row in rows}) == len(result["guesses"])
    assert 0 < max(Fraction(row["T* >="]) for row in rows) <= Fraction(result["bound"])


@pytest.mark.parametrize(
    ("problem", "algorithm"), [("weighted", WeightedFlow), ("two-weights", TwoWeights), ("stretch", Stretch)]
)
def test_no_bound_exceeds_the_optimum(problem: str, algorithm: type[WeightedFlow]) -> None:
    """On 250 crowded instances: the run's own families, the LP and the Hall bound stay below T* by brute force.

    Every certificate is accepted and refutes the guesses below its bound; some runs reject on arrival, some late.
    """
    early = late = guesses = 0
    for seed in range(250):
        instance = crowd(seed) if algorithm is not WeightedFlow else one_weight(crowd(seed))
        weights = Weights.stretch(instance) if problem == "stretch" else Weights.flow(instance)
        optimum = weighted_optimum(instance, weights)
        options = {"alpha": Fraction(1 << seed % 3), "segment": Fraction(1 + seed % 2, 2)}
        guess = None if seed % 2 else optimum / (1 + seed % 5)
        run = play(instance, algorithm, Fraction(1, 2), guess=guess, name=problem, options=options)
        for extra in ([], [TRACKS[problem].extra_bound(instance, algorithm, "lp")]):
            found = certify(run, algorithm, extra=[one for one in extra if one is not None])
            verdict = check.check_document(found.document)
            assert verdict.verdict == "accepted", (seed, verdict)
            assert found.bound is not None
            assert found.bound.value <= optimum
            given_up = [phase.guess for phase in run.phases[:-1] if phase.guess is not None]
            if over_budget(run) is None:
                assert found.refuted == sum(one < found.bound.value for one in given_up)
        early += int((run.dispatch < 0).sum())
        late += len(run.late)
        guesses += len(run.phases) - 1
    assert early > 20
    assert late > 20
    assert guesses > 50


def test_a_run_of_ones_own_for_weighted_flow_time(dualfit: Run) -> None:
    """A user's class without preemption: first in, first out, a budget by weight, a bound by the LP or a Hall set."""
    arguments = ("run", "jobs.json", "--problem", "weighted", "--epsilon", "1/4", "--json")
    code, out, err = dualfit(*arguments, "--algorithm", "greedy_weighted:Greedy", "--out", "g.json")
    result = json.loads(out)
    assert (code, result["verdict"], result["budget"]) == (0, "accepted", "rejection"), err
    assert Fraction(result["bound"]) > 84
    assert dualfit("ledger", "g.json", "--algorithm", "greedy_weighted:Greedy")[0] == 0


def test_a_tampered_run_has_no_ledger(dualfit: Run, tmp_path: Path) -> None:
    """A certificate whose constants are not those of the run is accepted, but the ledger refuses it: exit 1."""
    dualfit("run", "jobs.json", "--problem", "weighted", "--epsilon", "1/4", "--alpha", "1", "--out", "r.json")
    document = json.loads((tmp_path / "r.json").read_text())
    document["run"]["parameters"]["alpha"] = "64"
    (tmp_path / "t.json").write_text(json.dumps(document))
    assert dualfit("check", "t.json")[0] == 0
    code, _, err = dualfit("ledger", "t.json")
    assert code == 1
    assert "the run is not one of" in err


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("--problem", "weighted", "--alpha", "3"), "a power of two"),
        (("--problem", "weighted", "--alpha", "1/2"), "whole"),
        (("--problem", "two-weights", "--period", "0"), "at least 1"),
        (("--problem", "weighted", "--offset", "-1"), "at least 0"),
        (("--problem", "weighted", "--period", "2"), "of no use"),
        (("--problem", "max-flow", "--size", "one", "--offset", "2"), "of no use"),
        (("--problem", "weighted", "--segment", "0"), "number > 0"),
        (("--problem", "weighted", "--guess", "0"), "not positive"),
        (("--problem", "weighted", "--algorithm", "max-flow"), "wrong problem"),
    ],
)
def test_bad_constants_are_refused(dualfit: Run, arguments: tuple[str, ...], word: str) -> None:
    """Exit code 2 with what was wrong."""
    code, _, err = dualfit("run", "jobs.json", "--epsilon", "1/4", *arguments)
    assert code == 2
    assert word in err


def test_two_weights_are_not_taken_for_one(dualfit: Run, tmp_path: Path) -> None:
    """An instance with two weights is refused by the problem of one weight, which names the other."""
    jobs = [{"id": "a", "r": 0, "p": 1, "w": 2, "v": 1}]
    (tmp_path / "two.json").write_text(json.dumps({"machines": 1, "jobs": jobs}))
    code, _, err = dualfit("run", "two.json", "--problem", "weighted", "--epsilon", "1/4")
    assert code == 2
    assert "two-weights" in err
    assert dualfit("run", "two.json", "--problem", "two-weights", "--epsilon", "1/4")[0] == 0


def test_a_guess_that_rejects_too_much_is_refuted(dualfit: Run) -> None:
    """A known guess far below the optimum: over the budget, exit 1, and the certificate shows that T* is larger."""
    arguments = (
        "run",
        "jobs.json",
        "--problem",
        "weighted",
        "--epsilon",
        "1/4",
        "--alpha",
        "1",
        "--guess",
        "1",
        "--json",
    )
    code, out, err = dualfit(*arguments)
    result = json.loads(out)
    assert (code, result["verdict"], result["refuted_guesses"]) == (1, "accepted", 1)
    assert "below the offline optimum" in err


def test_an_instance_without_jobs_runs(dualfit: Run, tmp_path: Path) -> None:
    """Objective 0, bound 0, no guesses, for each weighted problem."""
    (tmp_path / "empty.json").write_text('{"machines": 3, "jobs": []}')
    for problem in ("weighted", "two-weights", "stretch"):
        code, out, err = dualfit(
            "run", "empty.json", "--problem", problem, "--epsilon", "1/2", "--json", "--out", "e.json"
        )
        result = json.loads(out)
        assert (code, result["objective"], result["bound"], result["guesses"]) == (0, "0", "0", []), err
        assert dualfit("ledger", "e.json")[0] == 0


REJECTING = """
from online.algorithm import OnlineAlgorithm


class RejectHeavy(OnlineAlgorithm):
    problem = "weighted"
    takes_guess = False

    def arrive(self, job):
        return None if job.flow_weight > 100 else job.eligible[0]


class Pruning(OnlineAlgorithm):
    problem = "weighted"
    takes_guess = False

    def arrive(self, job):
        self.last = job.position
        return job.eligible[0]

    def prune(self):
        return [self.last] if self.last == 1 else []


class Guessing(OnlineAlgorithm):
    problem = "stretch"

    def arrive(self, job):
        return job.eligible[0]
"""


@pytest.fixture
def three(dualfit: Run, tmp_path: Path) -> Run:
    """The same, with three jobs of which one weighs 10^9, and algorithms that reject it, reject late, or guess."""
    (tmp_path / "rejecting.py").write_text(REJECTING)
    jobs = [{"id": k, "r": k, "p": "1/3", "w": 10**9 if k == 1 else 1} for k in range(3)]
    (tmp_path / "three.json").write_text(json.dumps({"machines": 1, "jobs": jobs}))
    return dualfit


def test_the_budget_of_ones_own_algorithm_is_by_weight(three: Run) -> None:
    """Rejecting one job in three that holds nearly all the weight is over a budget of a third: exit 1."""
    arguments = ("run", "three.json", "--problem", "weighted", "--epsilon", "1/3", "--json")
    code, out, _ = three(*arguments, "--algorithm", "rejecting:RejectHeavy")
    result = json.loads(out)
    assert code == 1
    assert (result["budget"], result["over_budget_at"], result["rejected_weight"]) == ("rejection", 1, "1000000000")


def test_late_rejections_are_refused_where_there_is_time(three: Run) -> None:
    """`prune` is for load: with time it is bad input that says so, not a malformed certificate."""
    arguments = ("run", "three.json", "--problem", "weighted", "--epsilon", "1/3")
    code, _, err = three(*arguments, "--algorithm", "rejecting:Pruning")
    assert code == 2
    assert "late rejection in a problem with time" in err


def test_the_first_guess_is_in_the_units_of_the_problem(three: Run) -> None:
    """Stretch starts at 1, whatever the tick."""
    arguments = ("run", "three.json", "--problem", "stretch", "--epsilon", "1/3", "--json")
    code, out, _ = three(*arguments, "--algorithm", "rejecting:Guessing")
    assert (code, json.loads(out)["guesses"]) == (0, ["1"])


def test_a_parameter_that_is_no_number_is_bad_input_for_the_ledger(dualfit: Run, tmp_path: Path) -> None:
    """The checker takes any text; the ledger, which plays the run again, refuses it with its place."""
    dualfit("run", "jobs.json", "--problem", "weighted", "--epsilon", "1/4", "--alpha", "1", "--out", "r.json")
    document = json.loads((tmp_path / "r.json").read_text())
    document["run"]["parameters"]["alpha"] = "x"
    (tmp_path / "t.json").write_text(json.dumps(document))
    code, _, err = dualfit("ledger", "t.json", "--json")
    assert code == 2
    assert "$.run.parameters.alpha" in err


def test_the_constants_of_a_run_are_shown(dualfit: Run) -> None:
    """Whether chosen or proven: alpha, offset and segment, and the period of two weights."""
    for problem, names in (
        ("weighted", {"alpha", "offset", "segment"}),
        ("stretch", {"alpha", "offset", "segment", "period"}),
    ):
        out = dualfit("run", "jobs.json", "--problem", problem, "--epsilon", "1/4", "--bound", "none", "--json")[1]
        assert set(json.loads(out)["constants"]) == names


def test_how_a_file_was_read_is_said_when_a_certificate_is_bound_to_it(dualfit: Run) -> None:
    """Options and replaced sizes come from the certificate, and `check` names them."""
    Path("t.csv").write_text("# machines: 2\njob,r,p,w,eligible\na,0,3,1,1|2\nb,1,0,1,2\n")
    dualfit("run", "t.csv", "--epsilon", "1/2", "--size", "one:2", "--zero-size", "keep", "--out", "c.json")
    code, out, _ = dualfit("check", "c.json", "--instance", "t.csv", "--json")
    assert code == 0
    assert json.loads(out)["read_as"] == "as the certificate says: zero-size keep, every size 2"
