"""The audit of [S]: every claim speaks, the printed ones that are false fail beside their corrections."""

from __future__ import annotations

import json

import pytest

from certify.audit.case import Task
from certify.audit.corpus import case_of, claims_of
from certify.audit.measure import done
from certify.audit.page import markdown
from certify.audit.plan import Plan
from certify.audit.report import Report
from certify.audit.session import audit, local
from certify.audit.web_page import web_page
from certify.claims.claim import Verdict
from certify.speed.unit_jobs import round_robin_bound
from lp.energy.bracket import energy_bracket
from online.instance import Instance
from online.rows import Row
from online.speed.power import power_law

PLAN = Plan(("energy/*", "stochastic/*"), 108, 1)
"""All fixed cases, and four of every generated family."""


@pytest.fixture(scope="module")
def report() -> Report:
    """One process, from the start."""
    return audit(PLAN, local(PLAN, 1))


def test_no_claim_is_silent_and_only_three_printed_ones_fail(report: Report) -> None:
    """The three name their corrections, which hold; nothing is lost, every certificate is accepted."""
    verdicts = {row.claim.id: row.verdict for row in report.rows()}
    assert set(verdicts) == {claim.id for problem in ("energy", "stochastic") for claim in claims_of(problem)}
    failing = {id for id, verdict in verdicts.items() if verdict == "fails"}
    assert failing == {"COR", "U.optimal", "13.argmin"}
    assert {verdict for id, verdict in verdicts.items() if id not in failing} == {"holds"}
    assert list(report.faults()) == []


def test_two_processes_write_the_same_bytes() -> None:
    """JSON, Markdown and HTML of two workers are those of one."""
    plan = Plan(("energy/T*", "energy/c_N", "stochastic/1*"), 40, 1)
    one, two = audit(plan, local(plan, 1)), audit(plan, local(plan, 2))
    assert json.dumps(one.to_document()) == json.dumps(two.to_document())
    assert (markdown(one), web_page(one)) == (markdown(two), web_page(two))


def test_the_counterexample_to_round_robin_becomes_smaller(report: Report) -> None:
    """Five unit jobs on two servers, three at 0 and two at 1, are enough."""
    found = report.counterexamples["energy", "U.optimal"]
    assert found.smaller
    assert found.instance.n <= 5


def test_five_unit_jobs_refute_round_robin() -> None:
    """Every round robin schedule costs more than 11.29, some schedule with migration less than 11.13."""
    instance = Instance.from_rows(2, [Row(k, r, 1) for k, r in enumerate((0, 0, 0, 1, 1))])
    assert round_robin_bound(instance, power_law(2)) * 100 > 1129
    assert energy_bracket(instance, power_law(2)).upper.cost * 100 < 1113


def test_the_speed_up_fails_against_the_known_schedule(report: Report) -> None:
    """The claim is about a schedule: an instance alone does not refute it, so it is shown as it was made."""
    found = report.counterexamples["energy", "COR"]
    assert (found.found_on, found.smaller, found.instance.n) == ("energy/crafted/1", False, 4)


def test_loads_have_no_certificate_and_no_optimum(report: Report) -> None:
    """A load is an instance of the audit, and no run whose certificate is counted as accepted."""
    assert report.tally.instances["stochastic/loads"] == 80
    assert report.tally.runs["stochastic"] == 0
    text = markdown(report)
    words = " ".join(text.split())
    assert "P(s) = s^2, load 1/4. There 9/4 <= " in words
    assert "```text\n```" not in text


def test_claims_are_named_with_their_problem() -> None:
    """A pattern of problem/id tells the speed rule (5) from the sections of the other paper."""
    assert Plan(("energy/5*",), 1, 0).problems == ["energy"]
    assert Plan(("energy/5*",), 1, 0).wanted("energy") == {"5", "5.cost", "5.energy"}
    assert "energy" not in Plan(("5.1*",), 1, 0).problems


def test_another_policy_meets_no_hypothesis() -> None:
    """Round robin on unit jobs: nothing that is claimed of SRPT is counted for it."""
    task = next(
        one
        for k in range(9)
        if case_of(1, one := Task("energy", "unit", k)).settings[0].algorithm == "round-robin"
        and case_of(1, one).instance.n > 2 * case_of(1, one).instance.machines > 2
    )
    lines = done(1, task, frozenset({"5", "TD", "U.2"})).lines["energy"]
    assert lines["U.2"].counts[Verdict.HOLDS] == 1
    assert lines["TD"].counts[Verdict.NOT_MET] == 1
