"""The diagnosis of a claim: against the definitions, the textbook's rows, and the optimum by brute force."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from claims import Case, cases
from hypothesis import given, settings
from hypothesis import strategies as st
from weighted_optimum import weighted_optimum

from certify import check
from certify.diagnose.claim import Claim
from certify.diagnose.diagnosis import Diagnosis, diagnose
from certify.diagnose.scaling import scaling
from certify.diagnose.violation import counting, violations
from lp.bound import lp_bound
from lp.load.search import brute_force_load
from lp.textbook import dual
from lp.weak_duality import largest_duals
from online.weights import Weights

REPRODUCIBLE = settings(derandomize=True, deadline=None, max_examples=40, database=None)
TINY = Fraction(1, 10**9)


def _optimum(case: Case) -> Fraction:
    """T* in the input's units, by brute force."""
    instance = case.instance
    if case.problem == "load":
        return brute_force_load(instance).value * instance.tick
    weights = Weights.objective(case.problem, instance)
    unit = {"max-flow": instance.tick, "stretch": Fraction(1)}.get(case.problem, instance.tick * instance.weight_unit)
    return weighted_optimum(instance, weights) * unit


def _diagnosis(case: Case, **more: Any) -> Diagnosis:
    return diagnose(case.instance, lp=False, **{**case.arguments, **more})


# ---------------------------------------------------------------------- violations
@REPRODUCIBLE
@given(cases())
def test_the_violated_rows_are_those_of_the_definition(case: Case) -> None:
    """Both sides of every violated row, each job and eligible machine looked at by itself; also with negative b."""
    found = violations(Claim.of(case.instance, **case.arguments))
    expected = [
        (j, i, case.left(j), case.right(j, i))
        for j in range(case.instance.n)
        for i in case.instance.job(j).eligible
        if case.left(j) > case.right(j, i)
    ]
    assert [tuple(row) for row in found.rows] == expected


@REPRODUCIBLE
@given(cases())
def test_signs_and_the_sum_are_those_of_the_definition(case: Case) -> None:
    """Every negative variable is named, and in the dual normalisation sum b / weight is held against 1."""
    found = violations(Claim.of(case.instance, **case.arguments))
    negative = [j for j in range(case.instance.n) if case.left(j) < 0]
    below = [k for k, one in enumerate(case.intervals) if one[4] < 0]
    assert [one.number for one in found.signs if one.variable == "alpha"] == negative
    assert [one.number for one in found.signs if one.variable == "b"] == below
    share = sum((one[4] / Fraction(one[3] or 1) for one in case.intervals), Fraction(0))
    dual_form = case.arguments["normalisation"] == "dual"
    assert found.excess == (max(Fraction(0), share - 1) if dual_form else 0)
    assert found.constraints == case.instance.pairs + case.instance.n + len(case.intervals) + dual_form


@REPRODUCIBLE
@given(cases(("max-flow", "weighted"), signed=False), st.data())
def test_the_rows_agree_with_those_of_the_printed_dual(case: Case, data: st.DataObject) -> None:
    """With intervals of the textbook's columns, a row is violated exactly if the PuLP constraint is, in fractions."""
    instance = case.instance
    weights = Weights.objective(case.problem, instance)
    model = dual(instance, weights=weights)
    b = {f"b{n}": Fraction(data.draw(st.integers(0, 3)), 2) for n in range(len(model.intervals))}
    unit = Fraction(1) if case.problem == "max-flow" else instance.weight_unit
    tick = instance.tick
    rows = [
        (one.machine, one.start * tick, one.end * tick, weights.values[one.weight_class] * unit, b[f"b{n}"])
        for n, one in enumerate(model.intervals)
    ]
    alpha = case.arguments["alpha"]
    found = diagnose(instance, alpha=alpha, intervals=rows, problem=case.problem, lp=False).violations.rows
    pairs = zip(model.counted.job.tolist(), model.counted.machine.tolist(), strict=True)
    printed = {constraint.name: constraint for constraint in model.problem.constraints()}
    expected = set()
    for k, (j, i) in enumerate(pairs):
        names = [v.name for v, coefficient in printed[f"x{k}"].items() if v.name.startswith("b") and coefficient]
        right = sum((b[name] for name in names), Fraction(0))
        if alpha[instance.ids[j]] > right:
            expected.add((j, i, alpha[instance.ids[j]], right))
    assert {tuple(row) for row in found} == expected


@REPRODUCIBLE
@given(cases(("max-flow", "weighted", "stretch")))
def test_the_intervals_that_count_a_row_are_named(case: Case) -> None:
    """Their number and some of them, by the definition; those of b = 0 do not count."""
    claim = Claim.of(case.instance, **case.arguments)
    rows = violations(claim).rows
    for row, found in zip(rows, counting(claim, rows, most=2), strict=True):
        own = [k for k, one in enumerate(case.intervals) if one[4] and case.counts(one, row.job, row.machine)]
        assert found.intervals == len(own)
        assert set(found.some) <= set(own)
        assert len(found.some) == min(2, len(own))


# ---------------------------------------------------------------------- scaling
@REPRODUCIBLE
@given(cases(signed=False))
def test_the_scaling_is_feasible_and_the_largest(case: Case) -> None:
    """Theta times the duals satisfies every row; a little more does not, and the job named is why."""
    found = scaling(Claim.of(case.instance, **case.arguments))
    if found is None:
        assert not any(case.arguments["alpha"].values()) or not sum(one[4] for one in case.intervals)
        return
    scaled = {job: found.alpha * value for job, value in case.arguments["alpha"].items()}
    assert not _diagnosis(case, alpha=scaled).violations.rows
    job = case.instance.ids[found.job]
    more = {**scaled, job: scaled[job] + TINY}
    assert {row.job for row in _diagnosis(case, alpha=more).violations.rows} == {found.job}


@REPRODUCIBLE
@given(cases(("max-flow", "weighted"), signed=False))
def test_the_whole_scaling_makes_the_sum_one(case: Case) -> None:
    """All numbers times it are feasible in the dual normalisation with the bound that is stated."""
    case = Case(case.instance, {**case.arguments, "normalisation": "dual"})
    found = scaling(Claim.of(case.instance, **case.arguments))
    if found is None:
        return
    factor = found.alpha * found.whole
    alpha = {job: factor * value for job, value in case.arguments["alpha"].items()}
    rows = [(*one[:4], one[4] * found.whole) for one in case.intervals]
    again = _diagnosis(case, alpha=alpha, intervals=rows)
    assert again.feasible
    assert again.claim.reckoned().share == 1
    assert again.claim.says == found.bound


# ---------------------------------------------------------------------- repair
@REPRODUCIBLE
@given(cases(signed=False), st.data())
def test_no_feasible_duals_for_the_intervals_beat_the_repair(case: Case, data: st.DataObject) -> None:
    """Duals drawn below every right side prove at most what the repaired ones do."""
    found = _diagnosis(case)
    by_name = {one.name: one for one in found.repairs}
    if "alpha" not in by_name:
        return
    shares = [data.draw(st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(0)])) for _ in case.instance.ids]
    least = [min(case.right(j, i) for i in case.instance.job(j).eligible) for j in range(case.instance.n)]
    other = [share * most for share, most in zip(shares, least, strict=True)]
    again = _diagnosis(case, alpha=other)
    assert not again.violations.rows
    made_of = again.claim.reckoned()
    assert made_of.bound is not None
    assert made_of.bound <= by_name["alpha"].bound
    changed = [(case.left(j), most) for j, most in enumerate(least)]
    assert by_name["alpha"].lowered == sum(a > b for a, b in changed)
    assert by_name["alpha"].raised == sum(a < b for a, b in changed)


@REPRODUCIBLE
@given(cases())
def test_nothing_that_is_said_to_be_proven_exceeds_the_optimum(case: Case) -> None:
    """Scaled, repaired and feasible claims, and the linear program, against brute force; the schedule is above it."""
    found = diagnose(case.instance, **case.arguments)
    best = _optimum(case)
    assert found.lower <= best <= found.upper
    assert all(one.bound <= best for one in found.repairs)
    if found.scaling is not None:
        assert found.scaling.bound <= best
    if found.feasible and found.claim.says is not None:
        assert found.claim.says <= best


@REPRODUCIBLE
@given(cases())
def test_the_certificate_is_accepted_and_shows_the_best_repair(case: Case) -> None:
    """The checker shows the longest job and every repair with at least the bound that is printed for it."""
    found = _diagnosis(case)
    verdict = check.check_document(found.certificate())
    assert verdict.verdict == "accepted"
    goals = [Fraction(goal["value"]) for goal in found.certificate()["goal"]]
    unit = found.claim.unit
    if found.best is not None and found.best.bound > 0:
        assert max(goals) * unit >= found.best.bound
    assert max(goals) * unit <= _optimum(case)


@REPRODUCIBLE
@given(cases(("max-flow", "weighted", "stretch"), signed=False))
def test_better_multiplicities_are_never_worse(case: Case) -> None:
    """The linear program over the same intervals reaches what the intervals as given prove."""
    by_name = {one.name: one for one in _diagnosis(case).repairs}
    if "multiplicities" in by_name:
        assert by_name["multiplicities"].bound >= by_name["alpha"].bound - TINY


@REPRODUCIBLE
@given(cases(("max-flow", "weighted"), signed=False))
def test_the_best_duals_alone_give_back_the_linear_program(case: Case) -> None:
    """From the optimal alpha of the linear program alone, the intervals that are found prove its value again."""
    instance, weights = case.instance, Weights.objective(case.problem, case.instance)
    best = lp_bound(instance, weights=weights)
    alpha = largest_duals(instance, best.family, weights=weights)
    found = diagnose(instance, alpha=alpha, problem=case.problem)
    assert found.feasible
    assert found.lp is not None
    assert found.claim.says is not None
    assert max(found.claim.says, found.best.bound if found.best else 0) >= found.lp[0] - TINY


# ---------------------------------------------------------------------- duals alone
@REPRODUCIBLE
@given(cases(signed=False))
def test_duals_alone_get_intervals_that_allow_them(case: Case) -> None:
    """In the family normalisation there always are such intervals, and the claim with them is feasible."""
    found = _diagnosis(case, intervals=None, prices=None, normalisation="family")
    assert found.feasible
    assert found.claim.notes


@REPRODUCIBLE
@given(cases(("max-flow", "weighted"), signed=False))
def test_duals_alone_are_refused_by_the_sum_exactly_when_no_intervals_allow_them(case: Case) -> None:
    """The least sum b / weight over all intervals, machine by machine in closed form, is over 1 by the excess."""
    found = _diagnosis(case, intervals=None, normalisation="dual")
    least = Fraction(0)
    for machine in range(case.instance.machines):
        jobs = [job for job in case.instance.jobs() if machine in job.eligible]
        best: dict[Fraction, Fraction] = {}
        for job in jobs:
            need = case.left(job.position) / (job.size * case.instance.tick)
            weight = case.weight(job.position)
            best[weight] = max(best.get(weight, Fraction(0)), need)
        paid = Fraction(0)
        for weight in sorted(best):
            least += max(Fraction(0), best[weight] - paid) / weight
            paid = max(paid, best[weight])
    assert found.violations.excess == max(Fraction(0), least - 1)
    assert found.feasible == (least <= 1)
