"""The pytest plugin, used by a pytest of its own: the fixture, the marker, what failing tests say and keep."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from plugged import PLUGINS

import certify.testing.artifacts
import certify.testing.optima
import certify.testing.speed_runs  # noqa: F401 - what a pytest inside need not import anew, numpy above all
from certify import check

pytest_plugins = ["pytester"]

ROOT = Path(__file__).resolve().parents[2]

HEAD = """
import pytest
from fractions import Fraction
from online.algorithm import OnlineAlgorithm
from online.instance import Instance
from online.rows import Row

BURST = Instance.from_rows(1, [Row(k, 0, 1) for k in range(4)])


class First(OnlineAlgorithm):
    takes_guess = False

    def arrive(self, job):
        return job.eligible[0]


class Nobody(OnlineAlgorithm):
    takes_guess = False

    def arrive(self, job):
        return None

"""


QUIET = ("-W", "error", "-W", "ignore::pytest.PytestAssertRewriteWarning", "--strict-markers")
"""The pytest outside has imported the package already, as no pytest of a user has."""


class Inner:
    """A pytest run on a file of one test module."""

    def __init__(self, pytester: pytest.Pytester) -> None:
        self.pytester = pytester

    def __call__(self, body: str, *arguments: str, passed: int = 0, failed: int = 0, errors: int = 0) -> str:
        self.pytester.makepyfile(HEAD + body)
        result = self.pytester.runpytest_inprocess(*QUIET, *arguments, plugins=PLUGINS)
        result.assert_outcomes(passed=passed, failed=failed, errors=errors)
        return result.stdout.str()


@pytest.fixture
def inner(pytester: pytest.Pytester) -> Iterator[Inner]:
    return Inner(pytester)


def test_a_good_run_gives_everything_about_it(inner: Inner) -> None:
    """The fixture returns run, certificate, verdict, ledger and exact numbers in the units of the input."""
    inner(
        """
def test_it(certify_run):
    found = certify_run("max-flow", BURST.scaled(Fraction(1, 3)), epsilon="1/2", guess="4/3")
    assert found.verdict.verdict == "accepted"
    assert (found.objective, found.bound, found.ratio) == (Fraction(4, 3), Fraction(4, 3), 1)
    assert found.run.dispatch.tolist() == [0, 0, 0, 0]
    assert found.certificate["format"] == "dualfit-certificate"
    assert "6.4" in [entry.claim.id for entry in found.ledger]


def test_a_class_of_ones_own(certify_run):
    assert certify_run(First, BURST, epsilon="1/4").run.algorithm == f"{__name__}:First"
""",
        passed=2,
    )


def test_a_budget_that_is_exceeded_is_told_exactly(inner: Inner) -> None:
    """Both sides, the difference, the first job at which it happened, and the instance to try it again."""
    text = inner(
        """
def test_it(certify_run):
    certify_run(Nobody, BURST, epsilon="1/4")
""",
        failed=1,
    )
    assert "budget exceeded: 1 of 1 jobs rejected when job 0 had arrived" in text
    assert "at most 1/4 of it is 1/4, exceeded by 3/4" in text
    assert '{"machines": 1, "jobs": [{"id": 0, "r": 0, "p": 1}' in text


def test_a_witness_that_does_not_show_what_it_says_is_told(inner: Inner) -> None:
    """An algorithm that takes the first machine has no right to the witness of the least loaded one."""
    text = inner(
        """
from online.flow_time.max_flow import LeastLoaded

class Piling(LeastLoaded):
    def arrive(self, job):
        return job.eligible[0]


def test_it(certify_run):
    instance = Instance.from_rows(2, [Row(k, 0, 1) for k in range(4)])
    certify_run(Piling, instance, epsilon="1/2", guess=1, claims="")
""",
        failed=1,
    )
    assert "false witness: job 1 claims alpha = 1, but machine 2 has 1 fewer intervals" in text
    assert '"machines": 2' in text


def test_an_unknown_claim_is_refused_with_ids_that_are_near(inner: Inner) -> None:
    """In one line under the line of the test."""
    text = inner(
        """
def test_it(certify_run):
    certify_run("max-flow", BURST, epsilon="1/2", claims="6.4.printed")
""",
        failed=1,
    )
    assert "no such claim: got '6.4.printed', expected an id such as 6.4.any, 6.4, " in text
    assert "choice.py" not in text


def test_a_printed_claim_that_is_known_to_be_false_fails_only_by_its_id(inner: Inner) -> None:
    """Corollary 5.2 on two unit jobs on machines {1, 2} and {1}: patterns leave it out."""
    text = inner(
        """
FINDING = Instance.from_rows(2, [Row("a", 0, 1), Row("b", 0, 1, [0])])


@pytest.mark.parametrize("claims", ["all", "5.2*", "5.2", ["5.1", "5.2"]])
def test_it(certify_run, claims):
    certify_run("load-unit", FINDING, epsilon="1", guess=1, claims=claims, options={"alpha": 2})
""",
        passed=2,
        failed=2,
    )
    assert "claim 5.2 fails: " in text


def test_markers_set_defaults_from_far_to_near(inner: Inner) -> None:
    """Class over module, function over class, the call over all."""
    inner(
        """
pytestmark = pytest.mark.dualfit(epsilon="1/2", bound="none")


@pytest.mark.dualfit(epsilon="1/3")
class TestThem:
    def test_class(self, certify_run):
        found = certify_run(First, BURST)
        assert found.run.epsilon == Fraction(1, 3)
        assert found.bound_from == "the largest job"

    @pytest.mark.dualfit(epsilon="1/5")
    def test_function(self, certify_run):
        assert certify_run(First, BURST).run.epsilon == Fraction(1, 5)
        assert certify_run(First, BURST, epsilon=1).run.epsilon == 1


def test_module(certify_run):
    assert certify_run(First, BURST).run.epsilon == Fraction(1, 2)
""",
        passed=3,
    )


def test_policies_with_speeds_are_certified_too(inner: Inner) -> None:
    """With a power function in place of a budget; what a marker says of other problems does not count."""
    text = inner(
        """
pytestmark = pytest.mark.dualfit(epsilon="1/4", power="s^3")

def test_alone(certify_run):
    found = certify_run("srpt", Instance.from_rows(2, [Row("a", 0, "3/2")]), problem="energy", power="s^2")
    assert (found.objective, found.bound, found.ratio) == (3, 3, 1)


@pytest.mark.dualfit(problem="energy")
def test_marked(certify_run):
    assert str(certify_run("fifo", BURST).run.trajectory.power) == "s^3"


def test_other_problems_have_no_power(certify_run):
    assert certify_run(First, BURST).run.epsilon == Fraction(1, 4)
    with pytest.raises(TypeError, match="power"):
        certify_run(First, BURST, power="s^2")


def test_refused(certify_run):
    certify_run("srpt", BURST, problem="energy", claims="T9")
""",
        passed=3,
        failed=1,
    )
    assert "no such claim: got 'T9', expected an id such as T" in text


def test_a_marker_that_means_nothing_and_a_missing_epsilon_are_told(inner: Inner) -> None:
    """The test with the marker ends in an error, the others run."""
    text = inner(
        """
@pytest.mark.dualfit("1/4", eps="1/4")
def test_typo(certify_run):
    pass


def test_missing(certify_run):
    certify_run(First, BURST)


def test_other():
    pass
""",
        passed=1,
        failed=1,
        errors=1,
    )
    assert "@pytest.mark.dualfit: got '1/4', eps, expected keywords among epsilon, problem" in text
    assert "certify_run: no epsilon: give epsilon='1/4'" in text


def test_failing_runs_are_kept_when_asked_for(inner: Inner) -> None:
    """The certificate checks, the instance is that of the message; a test that passes leaves nothing."""
    text = inner(
        """
def test_bad(certify_run):
    certify_run(Nobody, BURST, epsilon="1/4")


def test_good(certify_run):
    certify_run(First, BURST, epsilon="1/4")
""",
        "--dualfit-artifacts=kept",
        passed=1,
        failed=1,
    )
    certificate, instance = sorted((inner.pytester.path / "kept").iterdir())
    assert f"kept {certificate.relative_to(inner.pytester.path)}" in text
    document = json.loads(certificate.read_text())
    assert check.check_document(document).verdict == "accepted"
    assert len(json.loads(instance.read_text())["jobs"]) == 4


def test_a_folder_that_cannot_be_written_hides_no_failure(inner: Inner) -> None:
    """Both are told."""
    inner.pytester.path.joinpath("kept").write_text("a file")
    text = inner(
        """
def test_bad(certify_run):
    certify_run(Nobody, BURST, epsilon="1/4")
""",
        "--dualfit-artifacts=kept",
        failed=1,
    )
    assert "budget exceeded: " in text
    assert "not kept: --dualfit-artifacts: cannot be written: got kept (File exists)" in text


def test_the_fixture_may_be_called_by_hypothesis(inner: Inner) -> None:
    """No health check is in the way, and a failing example is a smallest one."""
    text = inner(
        """
from hypothesis import given, settings
from certify.testing import epsilons, instances


@settings(derandomize=True, max_examples=10, deadline=None, database=None)
@given(instances("max-flow"), epsilons())
def test_good(certify_run, instance, epsilon):
    certify_run("max-flow", instance, epsilon=epsilon)


@settings(derandomize=True, max_examples=10, deadline=None, database=None)
@given(instances("max-flow"))
def test_bad(certify_run, instance):
    certify_run(Nobody, instance, epsilon="1/4")
""",
        passed=1,
        failed=1,
    )
    assert 'instance {"machines": 1, "jobs": [{"id": 1, "r": 0, "p": 1}]}' in text


def test_runs_that_are_not_equal_are_explained(inner: Inner) -> None:
    """By the first job that differs; of other values pytest says what it always says."""
    text = inner(
        """
from online.play import play


def test_runs():
    assert play(BURST, First, Fraction(1)) == play(BURST, Nobody, Fraction(1))


def test_instances():
    assert BURST == BURST.shifted(-2)


def test_others():
    assert Fraction(1, 2) == Fraction(1, 3)
""",
        failed=3,
    )
    assert "job 0 (number 1): machine 1 and rejected" in text
    assert "$.release[0]: 0 and 2" in text
    assert "assert Fraction(1, 2) == Fraction(1, 3)" in text


def test_what_is_given_wrongly_is_told_without_words_of_the_command_line(inner: Inner) -> None:
    """Names are those of the keywords, numbers those that were given."""
    text = inner(
        """
TICKS = BURST.scaled(Fraction(1, 3))
GIVEN = [
    ("nope", BURST, {}),
    ("load", BURST, {"problem": "max-flow"}),
    (First, BURST, {"guess": 1}),
    ("max-flow", TICKS, {"guess": -1}),
    ("max-flow", BURST, {"options": {"zz": 1}}),
    ("load", BURST, {"problem": "load", "options": {"alpha": -7}}),
    ("max-flow", Instance.from_rows(1, [Row(1, 0, 1), Row(2, 0, 2)]), {}),
    ("nope", BURST, {"problem": "energy"}),
    (First, BURST, {"problem": "energy"}),
    (First, 3, {}),
    ("srpt", 3, {"problem": "energy"}),
]


@pytest.mark.parametrize(("algorithm", "instance", "given"), GIVEN)
@pytest.mark.dualfit(epsilon="1/4")
def test_it(certify_run, algorithm, instance, given):
    certify_run(algorithm, instance, **given)
""",
        "--dualfit-artifacts=kept",
        "--tb=line",
        failed=11,
    )
    for words in (
        "algorithm: unknown algorithm: got 'nope'",
        "to fix: change algorithm or the problem",
        "expected no guess: this algorithm takes none; to fix: omit the guess",
        "guess: not positive: got -1, expected a number > 0",
        "option zz: of no use: got zz, expected options alpha; to fix: omit it, or choose another algorithm",
        "alpha: out of range: got -7",
        "algorithm: unknown policy: got 'nope'",
        "First', expected a subclass of online.speed.policy.SpeedPolicy",
        "instance: of another type: got 3, a int, expected an online.instance.Instance; to fix: make one with ",
    ):
        assert words in text, (words, text)
    assert not re.search(r"InvalidInput: .*--[a-z]", text)


def test_numbers_and_names_are_as_in_the_instance_shown(inner: Inner) -> None:
    """A guess in its units, ids in their letters, numbers of numpy's by their type, one's own line."""
    text = inner(
        """
import numpy

class Typed(First):
    def arrive(self, job):
        return numpy.int64(0)


class Failing(First):
    def arrive(self, job):
        return job.eligible[7]


def test_budget(certify_run):
    certify_run(Nobody, Instance.from_rows(1, [Row("\u00fc", 0, 1)]), epsilon="1/4")


def test_guess(certify_run):
    from certify.testing import assert_ratio_at_most
    assert_ratio_at_most(certify_run("max-flow", BURST.scaled(Fraction(1, 3)), epsilon="1/2", guess="4/3"), "1/2")


def test_type(certify_run):
    certify_run(Typed, BURST, epsilon="1/4")


def test_line(certify_run):
    certify_run(Failing, BURST, epsilon="1/4")
""",
        failed=4,
    )
    assert "job '\u00fc' had arrived" in text
    assert '{"id": "\u00fc", ' in text
    assert "max-flow for max-flow, epsilon 1/2, guess 4/3" in text
    assert re.search(
        "job 0: dispatched by something that is no int: got .*0.*, a numpy.int64, expected a machine", text
    )
    assert "failed in arrive() at job 0: got IndexError" in text
    assert ">       return job.eligible[7]" in text


def test_results_that_are_not_as_recorded_are_shown_field_by_field(inner: Inner) -> None:
    """In a comparison with no differences, and as they stand."""
    text = inner(
        """
from certify.regress import Difference

FOUND = [Difference("quarter", "a.csv", "objective", "7/2", "4"), Difference("quarter", "b.csv", "bound", "1", "2")]


def test_list():
    assert FOUND == []


def test_truth():
    assert not FOUND[:1]
""",
        failed=2,
    )
    for words in (
        "a.csv: objective: expected 7/2, got 4 (by 1/2, worse)",
        "b.csv: bound: expected 1, got 2 (by 1, better)",
    ):
        assert f"E         {words}" in text, text
    assert "assert not [<a.csv: objective: expected 7/2, got 4 (by 1/2, worse) [quarter]>]" in text


LIGHT = """
import sys
before = set(sys.modules)
import certify.testing, certify.testing.plugin, certify.testing._hypothesis
heavy = {"numpy", "highspy", "pulp", "networkx", "hypothesis", "click", "rich", "online", "lp"}
assert not heavy & set(sys.modules), heavy & set(sys.modules)
certify.testing._hypothesis.setup()
assert not heavy & set(sys.modules), heavy & set(sys.modules)
"""


@pytest.mark.parametrize("blocked", [False, True], ids=["", "without hypothesis"])
def test_the_plugin_is_light(blocked: bool) -> None:
    """Loading it imports neither numpy nor a solver nor Hypothesis, and does not need Hypothesis to be there."""
    block = "import sys; sys.modules['hypothesis'] = None\n" if blocked else ""
    text = block + LIGHT.replace('"hypothesis", ', "" if blocked else '"hypothesis", ')
    subprocess.run([sys.executable, "-c", text], check=True, cwd=ROOT)


def test_what_is_missing_is_named_with_its_extra() -> None:
    """Without Hypothesis the assertions can be had all the same."""
    text = """
import sys
sys.modules["hypothesis"] = None
import certify.testing
from certify.testing import certified
try:
    from certify.testing import AlgorithmConformance
except ImportError as missing:
    assert str(missing) == "AlgorithmConformance needs hypothesis: pip install 'dualfit[testing]'", missing
else:
    raise SystemExit("not missed")
"""
    subprocess.run([sys.executable, "-c", text], check=True, cwd=ROOT)


@pytest.mark.parametrize("first", ["hypothesis", "online.instance"])
def test_hypothesis_draws_instances_whichever_is_imported_first(first: str) -> None:
    """`st.from_type(Instance)` is the shipped strategy, and `online.instance` is an ordinary module."""
    second = "online.instance" if first == "hypothesis" else "hypothesis"
    text = f"""
import sys
import {first}
if {first!r} == "hypothesis":
    from certify.testing._hypothesis import setup; setup(); setup()
import {second}
if {second!r} == "hypothesis":
    from certify.testing._hypothesis import setup; setup()
from hypothesis import strategies as st
import inspect, online.instance
assert "certify.testing" in repr(st.from_type(online.instance.Instance)) or "instances()" in repr(
    st.from_type(online.instance.Instance)
), repr(st.from_type(online.instance.Instance))
assert "class Instance" in inspect.getsource(online.instance)
assert not [one for one in sys.meta_path if "Expecting" in type(one).__name__]
"""
    subprocess.run([sys.executable, "-W", "error", "-c", text], check=True, cwd=ROOT)


FOREIGN = """
import sys
from pathlib import Path
home = Path({home!r})
(home / "online").mkdir()
(home / "online" / "__init__.py").write_text("")
(home / "online" / "instance.py").write_text({body!r})
import certify.testing._hypothesis as hook
sys.path.insert(0, {home!r})
hook.setup() if {early} else None
import online.instance
hook.setup()
assert not [one for one in sys.meta_path if "Expecting" in type(one).__name__]
assert online.instance.__file__.startswith({home!r})
from hypothesis import strategies as st
if hasattr(online.instance, "Instance"):
    assert "instances()" not in repr(st.from_type(online.instance.Instance))
"""


@pytest.mark.parametrize("early", [True, False])
@pytest.mark.parametrize(
    "body",
    [
        "class Instance:\n    pass",
        "class Other:\n    pass",
        "import hypothesis\nfrom certify.testing._hypothesis import setup\nsetup()\nclass Instance:\n    pass",
    ],
    ids=["an Instance", "none", "half imported"],
)
def test_an_instance_of_somebody_else_is_left_alone(tmp_path: Path, body: str, early: bool) -> None:
    """Whatever else is called `online.instance`, at whatever moment; nothing is raised."""
    text = FOREIGN.format(home=str(tmp_path), body=body, early=early)
    subprocess.run([sys.executable, "-W", "error", "-c", text], check=True, cwd=ROOT)
