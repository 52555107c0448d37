"""The ledger on the page: every claim of the ledger once, with the numbers of `dualfit ledger`."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report_scenes import scene_of, text_of

from certify.build import certify
from certify.claims.claim import Claim, Entry, Reading, Verdict
from certify.energy_build import certify_drift
from certify.report.energy import cost
from certify.report.ledger import anchor, filled, ledger, tightest
from certify.report.shown import beside, briefly, exactly, share, width
from certify.speed.drift import drift
from online.algorithm import find
from online.generate import make
from online.instance import Instance
from online.play import play
from online.rows import Row
from online.speed.power import power_law
from online.speed.simulation import simulate

pytest.importorskip("jinja2")


def generated(jobs):
    """An instance and its run by SRPT at the speeds of the paper."""
    instance = make("energy", seed=3, jobs=jobs, machines=2)[0]
    return instance, simulate(instance, power_law(2), "srpt")


numbers = st.fractions(-20, 20, max_denominator=12)


def scene_of_run(problem: str, name: str):
    rows = [
        Row(f"<{j}>", j // 3, 1 + (j % 2 if problem != "max-flow" else 0), flow_weight=1 + j % 3) for j in range(12)
    ]
    instance = Instance.from_rows(2, rows)
    algorithm = find(name)
    run = play(instance, algorithm, Fraction(1, 2), name=name)
    return scene_of(certify(run, algorithm).document)


RUNS = [("max-flow", "max-flow"), ("load", "load"), ("weighted", "weighted"), ("two-weights", "two-weights"),
        ("stretch", "stretch"), ("max-flow", "greedy")]  # fmt: skip


@pytest.mark.parametrize(("problem", "name"), RUNS)
def test_every_claim_is_on_the_page_once(problem: str, name: str) -> None:
    """Each claim of the ledger has one place, its statement, and its verdict's count."""
    scene = scene_of_run(problem, name)
    html, text = ledger(scene).html, text_of(ledger(scene).html)
    for entry in scene.entries:
        assert html.count(f'id="{anchor(entry.claim.id)}"') == 1
        assert " ".join(entry.claim.statement.split()) in text
    for verdict in Verdict:
        count = sum(entry.verdict is verdict for entry in scene.entries)
        assert (f"{count} {verdict.value}" in text) == (count > 0)


@pytest.mark.parametrize(("problem", "name"), RUNS)
def test_the_numbers_are_those_of_the_ledger(problem: str, name: str) -> None:
    """Left side, right side and slack of a claim that says something stand in its row, exactly."""
    scene = scene_of_run(problem, name)
    html = ledger(scene).html
    for entry in scene.entries:
        if entry.reading is not None:
            row = html.split(f'id="{anchor(entry.claim.id)}"')[1].split("</tr>")[0]
            for value in (entry.reading.lhs * entry.scale, entry.reading.rhs * entry.scale):
                assert briefly(value) in row
            assert briefly(entry.slack, "down") in row or entry.slack == 0


def test_job_names_are_escaped() -> None:
    """The tightest place may name a job, which is the input's text."""
    html = ledger(scene_of_run("max-flow", "max-flow")).html
    assert "<0>" not in html
    assert "&lt;" in html


def entry_of(lhs: Fraction, rhs: Fraction, relation: str) -> Entry:
    claim = Claim("x", "here", "a test", "", relation, lambda scene: [])
    reading = Reading(lhs, rhs, "there")
    return Entry(claim, claim.verdict(reading), reading, Fraction(1))


@settings(derandomize=True, max_examples=300)
@given(numbers, numbers, st.sampled_from(["<=", ">=", ">"]))
def test_a_bar_is_full_exactly_without_slack(lhs: Fraction, rhs: Fraction, relation: str) -> None:
    """Bars are between empty and full; full means that both sides are equal, empty that they differ by the larger."""
    entry = entry_of(lhs, rhs, relation)
    assert 0 <= filled(entry) <= 1
    assert (filled(entry) == 1) == (lhs == rhs) == (entry.slack == 0)


@settings(derandomize=True, max_examples=200)
@given(st.fractions(0, 20, max_denominator=12), st.fractions(Fraction(1, 12), 20, max_denominator=12))
def test_a_bar_of_amounts_is_the_share_of_the_larger_one(lhs: Fraction, rhs: Fraction) -> None:
    """Of two amounts the bar is the smaller over the larger."""
    assert filled(entry_of(lhs, rhs, "<=")) == min(lhs, rhs) / max(lhs, rhs)


def test_the_tightest_claims_hold_with_the_least_slack() -> None:
    """Among claims that hold, no other has a fuller bar than those named."""
    scene = scene_of_run("weighted", "weighted")
    named = tightest(scene.entries)
    others = [one for one in scene.entries if one.verdict is Verdict.HOLDS and one not in named]
    assert all(filled(one) >= filled(other) for one in named for other in others)


@settings(derandomize=True, max_examples=300)
@given(st.fractions(0, 5), st.fractions(Fraction(1, 100), 5))
def test_a_width_is_the_share_rounded_down(part: Fraction, whole: Fraction) -> None:
    """Widths are exact to a tenth of a percent, from exact numbers, and never over the whole."""
    shown = Fraction(width(part, whole).removesuffix("%")) / 100
    assert 0 <= min(part / whole, 1) - shown < Fraction(1, 1000)


def test_numbers_are_exact_or_say_that_they_are_not() -> None:
    """What is shown is the number itself, or has it beside or behind it."""
    assert (exactly(Fraction(1, 8)), beside(Fraction(2, 3)), share(1, 8)) == ("0.125", "2/3 (~0.666667)", "12.5 %")
    long = Fraction(10**60 + 1, 3)
    assert str(long) in exactly(long)
    assert len(text_of(exactly(long))) < 40


def drifting():
    """A run against another schedule, whose certificate has no bound on the optimum."""
    instance, run = generated(9)
    between = drift(run.trajectory, simulate(instance, run.trajectory.power, "fifo").trajectory)
    return scene_of(certify_drift(run, between, between.ratio, shortest=False))


def test_an_optimum_without_a_bound_is_not_shown_as_zero() -> None:
    """Claims against it have no right side, no slack and no bar, on the page as in the document; nothing is striped."""
    scene = drifting()
    assert scene.bound == 0
    open_ones = [one for one in scene.entries if one.verdict is Verdict.UNDECIDED]
    assert {"T1", "TD"} <= {one.claim.id for one in open_ones}
    for section in (ledger(scene), cost(scene)):
        assert "bar over" not in section.html
    for entry in open_ones:
        row = ledger(scene).html.split(f'id="{anchor(entry.claim.id)}"')[1].split("</tr>")[0]
        assert 'class="bar' not in row
        assert text_of(row).count("not known") == 2
        assert "no lower bound on OPT is known" in text_of(row)
        assert (entry.rhs, entry.slack, entry.to_document()["rhs"]) == (None, None, None)
    assert "not known: no lower bound on OPT" in text_of(cost(scene).html)
    assert "≤ 0" not in text_of(cost(scene).html)


def test_stripes_are_for_claims_that_fail() -> None:
    """An undecided claim has no bar, as it may hold; one that fails has a striped one."""
    scene = drifting()
    claim = Claim("x", "here", "a test", "", "<=", lambda scene: [])
    scene._measured[0][:] = [
        Entry(claim, claim.verdict(one), one, Fraction(1)) for one in (Reading(3, 2, "there", None),)
    ]
    assert "bar over" not in ledger(scene).html
    scene._measured[0][:] = [entry_of(Fraction(3), Fraction(2), "<=")]
    assert ledger(scene).html.count("bar over") == 1


def test_long_numbers_are_short_in_the_ledger() -> None:
    """A cell of numbers has at most 20 characters in a row; the exact number is there on hover."""
    html = ledger(drifting()).html
    cells = [
        text_of(cell) for part in html.split('<td class="n')[1:] for cell in [part.split(">", 1)[1].split("</td>")[0]]
    ]
    assert cells
    assert max(len(word) for cell in cells for word in cell.split()) <= 20
    assert 'title="' in html
