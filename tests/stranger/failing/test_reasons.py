"""Tests that fail on purpose: each says why."""

import pytest
from hypothesis import given, settings
from stranger import TwoChoices

from certify.testing import AlgorithmConformance, assert_bound, assert_ratio_at_most
from online.algorithm import OnlineAlgorithm
from online.instance import Instance
from online.rows import Row

pytestmark = pytest.mark.dualfit(epsilon="1/4")

THREE = Instance.from_rows(3, [Row("a", 0, 2), Row("b", 0, 2), Row("c", 0, 2)])
CORNER = Instance.from_rows(2, [Row("a", 0, 1), Row("b", 0, 1, [0])])


class Rejecting(TwoChoices):
    def arrive(self, job):
        return None


class Astray(OnlineAlgorithm):
    takes_guess = False

    def arrive(self, job):
        return 0


def test_budget(certify_run):
    certify_run(Rejecting, THREE)


def test_claim(certify_run):
    certify_run("load-unit", CORNER, epsilon=1, guess=1, options={"alpha": 2}, claims="5.2")


def test_unknown_claim(certify_run):
    certify_run(TwoChoices, THREE, claims="Claim 6.4")


def test_ratio(certify_run):
    assert_ratio_at_most(certify_run(TwoChoices, THREE), "3/2")


def test_bound():
    assert_bound(THREE, "max-flow", 5)


@settings(derandomize=True, database=None)
@given(instance=...)
def test_drawn(certify_run, instance: Instance):
    certify_run(Rejecting, instance)


class TestAstray(AlgorithmConformance):
    algorithm = Astray


class TestRejecting(AlgorithmConformance):
    algorithm = Rejecting
