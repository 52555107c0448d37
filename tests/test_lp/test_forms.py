from __future__ import annotations

import csv
import itertools
import json
import re
import time
import warnings
from fractions import Fraction
from pathlib import Path

import highspy
import numpy as np
import pulp
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lp_instances import REPRODUCIBLE, instances

from lp import textbook
from lp.backend import GE, LinearProgram, NoBound, Status, from_pulp, solve
from lp.bound import lp_bound
from lp.bracket import LpBound, best_value
from lp.counted import Counted
from lp.lindley import solve_lindley, split
from lp.merged import Merged
from lp.optimum import brute_force_optimum, greedy_upper
from lp.textbook import readable, solve_dual, solve_primal
from lp.weak_duality import lower_bound
from online.errors import InvalidInput, LimitReached
from online.instance import Instance
from online.rows import Row

CASES = Path(__file__).parent / "cases"
DATA = Path(__file__).parents[3] / "shared" / "data"
SOLVERS = [solve_primal, solve_dual, solve_lindley]


def full_form(instance: Instance) -> float:
    """The LP over every machine and every two release times, counted jobs or not; written without the package."""
    jobs = list(instance.jobs())
    column = {pair: k for k, pair in enumerate(((j.position, i) for j in jobs for i in j.eligible), start=1)}
    rows = [({column[j.position, i]: 1.0 for i in j.eligible}, GE, 1.0) for j in jobs]
    releases = sorted({j.release for j in jobs})
    for i, (s, e) in itertools.product(range(instance.machines), itertools.combinations_with_replacement(releases, 2)):
        inside = {column[j.position, i]: -float(j.size) for j in jobs if i in j.eligible and s <= j.release <= e}
        rows.append(({0: 1.0, **inside}, GE, float(s - e)))
    solution = solve(LinearProgram.of([1.0, *[0.0] * len(column)], rows)).optimal("full form")
    assert solution.objective is not None
    return solution.objective


@REPRODUCIBLE
@given(instances())
def test_every_form_has_the_same_value(instance):
    """Textbook primal = textbook dual = Lindley = the LP over all intervals: strong duality and facts 2 and 3."""
    brackets = [solve_form(instance) for solve_form in SOLVERS]
    assert max(b.lower for b in brackets) <= min(b.upper for b in brackets)
    assert all(b.width <= Fraction(1, 10**6) for b in brackets)
    for b in brackets:
        assert b.value == pytest.approx(full_form(instance), abs=1e-6)
        assert float(b.lower) == pytest.approx(b.value, abs=1e-6)


@REPRODUCIBLE
@given(instances())
def test_a_repaired_family_is_a_certificate(instance):
    """`lower` is exactly what Lemma 6.1 gives for the family, and at most the optimum without rejection."""
    for bound in (solve_form(instance) for solve_form in SOLVERS):
        assert bound.lower == lower_bound(instance, bound.family)
        assert bound.lower <= brute_force_optimum(instance).value


FLOWS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 5)), max_size=8)


@REPRODUCIBLE
@given(FLOWS)
def test_a_flow_splits_into_a_laminar_family(flow):
    """Any cover and any wish to link become intervals with that cover, linked as far as both covers allow."""
    cover, linked = [y for y, _ in flow], [0, *(z for _, z in flow[1:])][: len(flow)]
    parts = list(split(cover, linked))
    assert all(count > 0 for _, _, count in parts)
    for k in range(len(flow)):
        assert sum(count for a, b, count in parts if a <= k <= b) == cover[k]
        both = sum(count for a, b, count in parts if a < k <= b)
        assert k == 0 or both == min(linked[k], cover[k - 1], cover[k])
    for (a, b, _), (c, d, _) in itertools.combinations(parts, 2):
        assert b < c or d < a or (a <= c and d <= b) or (c <= a and b <= d)


def test_the_value_can_be_fractional_and_is_then_exact():
    """Four unit jobs for three machines cost 4/3 each; the solver's 1.3333 is repaired to 4/3 from both sides."""
    instance = Instance.from_rows(3, [Row(j, 0, 1) for j in range(4)])
    for bound in (solve_form(instance) for solve_form in SOLVERS):
        assert bound.lower == bound.upper == Fraction(4, 3)


def test_shares_that_sum_to_more_than_one_are_scaled_down():
    """A solver may dispatch a job three times over where machines idle; the exact value is that of one copy."""
    instance = Instance.from_rows(3, [Row("a", 0, 2), Row("b", 2, 3, [1])])
    counted = Counted.of(instance)
    shares = {(0, 0): 0.0, (0, 1): 1.5, (0, 2): 1.6, (1, 1): 1.0}
    share = np.array([shares[j, i] for j, i in zip(counted.job.tolist(), counted.machine.tolist(), strict=True)])
    assert best_value(instance, counted, share, np.ones(3, dtype=np.int64)) == 3


def test_merging_keeps_volumes_and_machines():
    """Equal jobs add up, jobs without work vanish, machines in the same sets become one; the value stays."""
    rows = [Row("a", 0, 2, [0, 1]), Row("b", 0, 3, [1, 0]), Row("c", 1, 1, [2]), Row("zero", 2, 0, [3])]
    instance = Instance.from_rows(4, rows, keep_zero_sizes=True)
    merged = Merged.of(instance)
    assert (merged.instance.size.tolist(), merged.members) == ([5, 1], [[0, 1], [2]])
    assert {solve_form(instance).lower for solve_form in SOLVERS} == {Fraction(5, 2)}
    assert solve_lindley(instance).family.count == 2


@pytest.mark.parametrize("solve_form", SOLVERS)
def test_an_instance_without_work_has_the_bound_zero(solve_form):
    """No jobs, or only jobs of size 0: optimal, value 0, an empty family; not an error, not infeasible."""
    nobody = Instance.from_rows(3, [])
    idle = Instance.from_rows(1, [Row("a", 0, 0), Row("b", 5, 0)], keep_zero_sizes=True)
    for instance in (nobody, idle):
        bound = solve_form(instance)
        assert (bound.lower, bound.upper, bound.value, len(bound.family)) == (0, 0, 0.0, 0)


def test_the_empty_textbook_program_is_optimal_at_zero():
    """The LP itself, with T >= 0 and no rows, is solved as optimal with value 0, primal and dual."""
    for build in (textbook.primal, textbook.dual):
        solution = solve(from_pulp(build(Instance.from_rows(3, [])).problem))
        assert (solution.status, solution.objective) == (Status.OPTIMAL, 0.0)


@pytest.mark.parametrize("epoch", [0, 1_700_000_000_000_000, 1_700_000_000_000_000_000, 10**40])
def test_only_gaps_between_releases_matter(epoch):
    """Epoch microseconds, nanoseconds, or times beyond 64 bits give the bounds of times that start at 0."""
    rows = [(0, 2000000), (1000000, 1000000), (1000000, 1000000)]
    instance = Instance.from_rows(1, [Row(j, epoch + r, p) for j, (r, p) in enumerate(rows)])
    for bound in (solve_form(instance) for solve_form in SOLVERS):
        assert bound.lower == bound.upper == 3000000
        assert [one.start - epoch for one in bound.family] == [0]
    close = Instance.from_rows(1, [Row(j, epoch + j, 1) for j in range(3)])
    assert lp_bound(close).lower == lp_bound(close).upper == 1


def test_sizes_far_apart_keep_an_exact_bracket():
    """A job of 1 tick beside one of 10^15 does not disturb the bracket."""
    instance = Instance.from_rows(2, [Row("small", 0, 1, [0]), Row("large", 3, 10**15, [1])])
    bound = lp_bound(instance)
    assert bound.lower <= 10**15 <= bound.upper
    assert bound.width <= 1


def test_gaps_and_sizes_beyond_floats_are_bounded_or_refused():
    """A gap of 10^400 ticks does not trouble the Lindley form; the textbook form and sizes of 10^400 are refused."""
    far = Instance.from_rows(1, [Row("a", 0, 2), Row("b", 10**400, 3)])
    assert lp_bound(far).lower == lp_bound(far).upper == 3
    with pytest.raises(InvalidInput, match="time too long for a solver"):
        lp_bound(far, "textbook")
    for form in ("lindley", "textbook"):
        with pytest.raises(InvalidInput, match="sizes too large for a solver"):
            lp_bound(Instance.from_rows(1, [Row("a", 0, 10**400)]), form)


@pytest.mark.parametrize(
    ("form", "name"), [("auto", "lindley"), ("lindley", "lindley"), ("textbook", "textbook primal")]
)
def test_the_form_is_chosen_by_name(form, name):
    """`lp_bound` says which form it used; an unknown name is bad input."""
    instance = Instance.from_rows(1, [Row("a", 0, 1)])
    assert lp_bound(instance, form).form == name
    with pytest.raises(InvalidInput, match="unknown form: got 'simplex'"):
        lp_bound(instance, "simplex")


def test_too_many_rows_for_the_textbook_are_counted_and_refused():
    """201 releases on one machine make 20 301 intervals: a stated limit, exit code 3, with the way out."""
    instance = Instance.from_rows(1, [Row(j, j, 1) for j in range(201)])
    with pytest.raises(
        LimitReached, match="has 20301 interval rows, over the limit of 20000; use `dualfit bound`"
    ) as limit:
        lp_bound(instance, "textbook")
    assert limit.value.exit_code == 3
    assert lp_bound(instance).lower == 1


def test_no_time_means_no_bound():
    """A solver stopped by its time limit gives no bound, in any form."""
    instance = Instance.from_rows(3, [Row(j, j % 7, 1 + j % 5, [j % 3, (j + 1) % 3]) for j in range(30)])
    for solve_form in SOLVERS:
        with pytest.raises(NoBound, match="no bound, the solver ended with: stopped at a limit"):
            solve_form(instance, time_limit=0.0)


# ---------------------------------------------------------------------- names that clash
def names_that_clash() -> Instance:
    document = json.loads((CASES / "names_that_clash.json").read_text())
    rows = [Row(job["id"], job["r"], job["p"], [i - 1 for i in job["eligible"]]) for job in document["jobs"]]
    return Instance.from_rows(document["machines"], rows, machine_names=document["machine_names"])


def test_names_that_would_meet_after_cleaning_stay_apart():
    """Ids x+ and x-, 1_1 and 1 give 7 distinct columns and the bound 4 = 8/2, which is also the optimum."""
    instance = names_that_clash()
    model = textbook.primal(instance)
    names = {v.name for v in model.problem.variables()}
    assert names == {"T", *(f"x{k}" for k in range(7))}
    assert len(set(model.pairs)) == 7
    assert {(b.lower, b.upper) for b in (solve_form(instance) for solve_form in SOLVERS)} == {(4, 4)}
    assert brute_force_optimum(instance).value == 4


def pulp_solvers() -> list[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [name for name in pulp.listSolvers(onlyAvailable=True) if name in ("HiGHS", "PULP_CBC_CMD", "COIN_CMD")]


@pytest.mark.parametrize("name", pulp_solvers())
@pytest.mark.parametrize("build", [textbook.primal, textbook.dual])
def test_pulp_solves_the_same_models_with_its_own_solvers(name, build):
    """HiGHS and, where installed, CBC through PuLP find our value of both programs."""
    model = build(names_that_clash())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        outcome = model.problem.solve(pulp.getSolver(name, msg=False))
    assert getattr(outcome, "status", outcome) == 1  # optimal: PuLP 3 returns the status, PuLP 4 statistics
    assert model.unit.ticks(pulp.value(model.problem.objective)) == pytest.approx(4)


@pytest.mark.parametrize("build", [textbook.primal, textbook.dual])
def test_the_written_model_loads_again(build, tmp_path):
    """The .lp file of either program is read back by HiGHS with the same shape and value."""
    model = build(names_that_clash())
    model.problem.writeLP(str(tmp_path / "model.lp"))
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    assert highs.readModel(str(tmp_path / "model.lp")) == highspy.HighsStatus.kOk
    program = from_pulp(model.problem)
    assert (highs.getNumCol(), highs.getNumRow()) == (len(program.cost), len(program.rhs))
    highs.run()
    assert model.unit.ticks(highs.getInfo().objective_function_value) == pytest.approx(4)


# ---------------------------------------------------------------------- building time
def assignment_instance(n: int) -> Instance:
    """The generated case: 25 machines, five eligible ones a job, everything released at once."""
    sets = [sorted({(31 * i + j) % 25 for i in range(1, 6)}) for j in range(n)]
    return Instance.from_rows(25, [Row(j, 0, 1 + 7919 * j % 97, sets[j]) for j in range(n)])


def test_building_a_model_takes_linear_time():
    """5 columns a job and 25 rows beside; eight times the jobs take far less than the 64 times of quadratic work."""
    seconds = dict.fromkeys((2000, 16000), 60.0)
    for n in [2000, 16000, 2000]:
        instance = assignment_instance(n)
        began = time.process_time()
        model = textbook.primal(instance)
        seconds[n] = min(seconds[n], time.process_time() - began)
        assert len(model.problem.variables()) == 5 * n + 1
        assert len(list(model.problem.constraints())) == n + 25
    assert seconds[16000] < 30 * seconds[2000]


def test_the_assignment_model_and_the_merged_one_agree():
    """With one release the Lindley form shrinks to 25 eligible sets, and its value is the textbook's."""
    instance = assignment_instance(500)
    assert Merged.of(instance).instance.n == 25
    fast, slow = lp_bound(instance), lp_bound(instance, "textbook")
    assert fast.lower <= slow.upper
    assert slow.lower <= fast.upper
    assert max(fast.width, slow.width) < Fraction(1, 1000)


# ---------------------------------------------------------------------- printing
def test_both_programs_are_printed_as_in_the_paper():
    """The dual lists, for each job and eligible machine, p_j times the intervals that count it."""
    instance = Instance.from_rows(2, [Row("a", 0, 2), Row("b", 3, 1, [1])], machine_names=["m", "n"])
    assert readable(instance, "dual").splitlines() == [
        "maximise  a[a] + a[b] - 3 b[0..3,n]",
        "subject to",
        "  a[a] <= 2 b[0..0,m]                                    job a on machine m",
        "  a[a] <= 2 b[0..0,n] + 2 b[0..3,n]                      job a on machine n",
        "  a[b] <= b[0..3,n] + b[3..3,n]                          job b on machine n",
        "  b[0..0,m] + b[0..0,n] + b[0..3,n] + b[3..3,n] <= 1     prices T",
        "  a, b >= 0",
    ]


@pytest.mark.parametrize("which", ["primal", "dual"])
def test_latex_escapes_what_users_put_into_names(which):
    """Every brace closes, and each of TeX's special characters in an id or machine name is escaped."""
    rows = [Row("50%_#1 {x}", 0, 1), Row("a\\b^c~d$&\n作業", 1, 1)]
    written = readable(Instance.from_rows(1, rows, machine_names=["$m_1"]), which, latex=True)
    assert written.startswith("\\documentclass{article}\n")
    assert written.endswith("\\end{align*}\n\\end{document}\n")
    assert written.isascii()
    names = [r"50\%\_\#1 \{x\}", r"\$m\_1"]
    assert all(name in written for name in [*names, r"\textbackslash{}b\textasciicircum{}c\textasciitilde{}d\$\&"])
    bare = re.sub(r"\\[{}\\]", "", written)
    assert bare.count("{") == bare.count("}")
    assert not re.search(r"(?<!\\)[%#$~^]", bare)


def test_programs_that_nobody_could_read_are_not_printed():
    """Above the limit of printed rows the answer is a refusal with the count; an unknown program is bad input."""
    instance = Instance.from_rows(1, [Row(j, j, 1) for j in range(100)])
    with pytest.raises(LimitReached, match="5050 interval rows"):
        readable(instance, "primal")
    with pytest.raises(InvalidInput, match="unknown program: got 'both'"):
        readable(instance, "both")


# ---------------------------------------------------------------------- a real trace
def gpu_trace() -> Instance:
    path = DATA / "openb-gpuspec33-24nodes.csv"
    if not path.exists():
        pytest.skip("the GPU trace is not here")
    jobs = list(csv.DictReader(line for line in path.read_text().splitlines() if not line.startswith("#")))
    mean = round(Fraction(sum(int(job["p"]) for job in jobs), len(jobs)))
    rows = [Row(job["job"], job["r"], mean, [int(i) - 1 for i in job["eligible"].split("|")]) for job in jobs]
    return Instance.from_rows(24, rows)


def test_a_trace_of_1500_jobs_on_24_machines_is_bracketed():
    """With equal sizes the LP of the GPU trace is 3.6725 mean sizes, exact from below, in seconds."""
    instance = gpu_trace()
    bound = lp_bound(instance)
    assert isinstance(bound, LpBound)
    assert bound.lower == 11293 == lower_bound(instance, bound.family)
    assert instance.unit_size == 3075
    assert bound.width < Fraction(1, 1000)
    assert bound.upper <= greedy_upper(instance).value
    assert lp_bound(instance.shifted(int(instance.release[0]))).lower == 11293
