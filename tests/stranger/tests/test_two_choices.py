"""A stranger's tests of the algorithm."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stranger import LongestFirst, TwoChoices

from certify.testing import (
    AlgorithmConformance,
    ArrivalMachine,
    CertifiedRun,
    PolicyConformance,
    algorithms,
    assert_accepted,
    assert_bound,
    assert_holds,
    assert_optimum,
    assert_ratio_at_most,
    assert_same_run,
    epsilons,
    instances,
    planted,
)
from online.instance import Instance
from online.rows import Row

pytestmark = pytest.mark.dualfit(epsilon="1/4")

QUICK = settings(derandomize=True, database=None, deadline=None, max_examples=20)

THREE = Instance.from_rows(3, [Row("a", 0, 2), Row("b", 0, 2), Row("c", 0, 2)])


def test_the_third_machine_is_never_chosen(certify_run):
    found: CertifiedRun = certify_run(TwoChoices, THREE)
    assert found.run.dispatch.tolist() == [0, 1, 0]
    assert (found.objective, found.bound, found.ratio) == (4, 2, 2)
    assert_accepted(found.certificate)
    assert_ratio_at_most(found, 2)
    assert_optimum(THREE, 2, "max-flow")
    assert_bound(THREE, "max-flow", "3/2")


def test_it_has_a_short_name(certify_run):
    assert_same_run(certify_run("two-choices", THREE), certify_run(TwoChoices, THREE))


@pytest.mark.dualfit(epsilon="1/2", problem="stretch")
def test_it_serves_other_problems_too(certify_run):
    found = certify_run("two-choices", THREE.scaled(Fraction(1, 3)))
    assert found.run.epsilon == Fraction(1, 2)
    assert found.objective == 2


def test_claims_of_the_paper_are_about_its_own_algorithm(certify_run):
    found = certify_run("max-flow", THREE, guess=2, claims=["6.2.*", "6.3"])
    assert_holds(found, "6.3", vacuous=True)


@QUICK
@given(instances("max-flow", max_jobs=6, sizes=[2, 3]), epsilons())
def test_it_is_certified_on_any_instance(certify_run, instance, epsilon):
    certify_run(TwoChoices, instance, epsilon=epsilon, bound="none")


@QUICK
@given(st.from_type(Instance))
def test_instances_are_known_to_hypothesis(instance):
    assert instance.n >= 1


@QUICK
@given(planted("max-flow", max_machines=2))
def test_on_two_machines_it_is_within_three_of_the_optimum(certify_run, case):
    instance, optimum = case
    assert certify_run(TwoChoices, instance, bound="none").objective <= 3 * optimum


@QUICK
@given(algorithms("stretch"), instances("stretch", max_jobs=4))
def test_others_are_certified_too(certify_run, name, instance):
    certify_run(name, instance, problem="stretch", bound="none", epsilon=1)


class TestTwoChoices(AlgorithmConformance):
    algorithm = TwoChoices
    ratio = 12


class TestWeighted(AlgorithmConformance):
    algorithm = "two-choices"
    problem = "weighted"


class TestLongestFirst(PolicyConformance):
    policy = LongestFirst


class Arrivals(ArrivalMachine):
    algorithm = TwoChoices


TestArrivals = Arrivals.TestCase
TestArrivals.settings = settings(QUICK, stateful_step_count=10)
