"""Exported programs: exact, readable by other programs, and of the values that they should have."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import highspy
import pulp
import pytest
from exported import Parsed, Rejected, check_vipr, parsed_lp, parsed_mps, weighted_instances
from hypothesis import given
from hypothesis import strategies as st
from lp_instances import REPRODUCIBLE

from lp.backend import from_pulp
from lp.export.files import EXACT_DOUBLE, cplex_lp, legend, mps
from lp.export.forms import Forms, exact_program
from lp.export.program import ExactProgram
from lp.export.vipr import lindley_multipliers, load_multipliers, textbook_multipliers, vipr
from lp.lindley import solve_lindley
from lp.load.flow import flow_bound
from lp.load.weak_duality import load_bound, prices
from lp.weak_duality import lower_bound
from online.errors import FalseClaim, InvalidInput, LimitReached
from online.family import IntervalFamily
from online.instance import Instance
from online.rows import Row
from online.weights import Weights

ODD = ("x+", "x-", "1", "a b", "new\nline", "*\\é", "\\* end *\\", "End", "\\")
FLOW = ("primal", "dual", "lindley")


def odd_instance() -> Instance:
    """Names that mean something in some format, an epoch, fractional sizes, weights in thirds."""
    rows = [
        Row(name, 10**12 + Fraction(k // 2, 4), Fraction(1 + k % 3, 8), [k % 2, 2], flow_weight=Fraction(1 + k % 4, 3))
        for k, name in enumerate(ODD)
    ]
    return Instance.from_rows(3, rows, machine_names=["m 1", "*", "\\"])


def heading(forms: Forms, program: ExactProgram) -> list[str]:
    return legend(forms.instance, forms.weights, program, "T*", forms.instance.weight_unit)


def stated(program: ExactProgram, parsed: Parsed) -> bool:
    """Whether a parsed file is this program, number by number."""
    sign = -1 if program.maximise and not parsed.maximise else 1
    relation = "<=" if program.maximise else ">="
    named = program.columns
    return (
        parsed.cost == {named[j]: sign * c for j, c in enumerate(program.cost) if c}
        and set(parsed.columns) == set(named)
        and parsed.rows
        == {row.name: ({named[j]: a for j, a in row.terms}, relation, row.rhs) for row in program.rows}
    )  # fmt: skip


def optimum(path: Path) -> float:
    """What HiGHS makes of a file."""
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    assert highs.readModel(str(path)) == highspy.HighsStatus.kOk
    highs.run()
    assert highs.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return float(highs.getInfo().objective_function_value)


@given(weighted_instances(), st.sampled_from(FLOW), st.booleans())
@REPRODUCIBLE
def test_files_hold_the_program_number_by_number(instance: Instance, name: str, weighted: bool) -> None:
    """Both formats, read back by independent exact parsers, give every coefficient; a maximum is negated in MPS."""
    forms = Forms(instance, Weights.flow(instance) if weighted else Weights.ones(instance))
    program = exact_program(forms, name)
    assert stated(program, parsed_mps(mps(program, heading(forms, program))))
    assert stated(program, parsed_lp(cplex_lp(program, heading(forms, program))))


@given(weighted_instances())
@REPRODUCIBLE
def test_rows_say_what_lemma_6_6_says(instance: Instance) -> None:
    """Row b_W_M_S_E is `w (volume released in [S, E] of weight w on M, minus length) <= T`, times w's denominator."""
    weights = Weights.stretch(instance)
    forms = Forms(instance, weights)
    program = forms.textbook()
    times = sorted(set(instance.release.tolist()))
    unit = int(program.unit)
    rows = {row.name: row for row in program.rows}
    expected = 0
    for c, w in enumerate(weights.values):
        for i in range(instance.machines):
            counted = [job for job in instance.jobs() if i in job.eligible and weights[job.position] >= w]
            own = sorted({job.release for job in counted})
            for s in own:
                for e in [e for e in own if e >= s]:
                    name = f"b_{c + 1}_{i + 1}_{times.index(s) + 1}_{times.index(e) + 1}"
                    got = {program.columns[j]: a for j, a in rows[name].terms}
                    scale = got.pop("T") * w
                    inside = [job for job in counted if s <= job.release <= e]
                    volume = {f"x_{job.position + 1}_{i + 1}": -scale * job.size / unit for job in inside}
                    assert got == volume
                    assert rows[name].rhs == -scale * Fraction(e - s, unit)
                    expected += 1
    assert expected + instance.n == len(rows)


@pytest.mark.parametrize("name", FLOW)
@pytest.mark.parametrize("weighted", [False, True])
def test_highs_and_pulp_read_the_files(name: str, weighted: bool, tmp_path: Path) -> None:
    """HiGHS reads both formats, PuLP reads MPS; names, ids and comments do not matter; all forms have one value."""
    instance = odd_instance()
    forms = Forms(instance, Weights.flow(instance) if weighted else Weights.ones(instance))
    program = exact_program(forms, name)
    (tmp_path / "a.mps").write_text(mps(program, heading(forms, program)), encoding="ascii")
    (tmp_path / "a.lp").write_text(cplex_lp(program, heading(forms, program)), encoding="ascii")
    sign = -1 if name == "dual" else 1
    values = [sign * optimum(tmp_path / "a.mps"), optimum(tmp_path / "a.lp")]
    _, model = pulp.LpProblem.fromMPS(str(tmp_path / "a.mps"))
    assert set(from_pulp(model).row_names) == {row.name for row in program.rows}
    expected = 4.5 if weighted else float(solve_lindley(instance).lower / program.unit)
    assert values == pytest.approx([expected] * 2, rel=1e-9)


@given(weighted_instances(), st.booleans())
@REPRODUCIBLE
def test_the_dual_is_the_transposed_primal(instance: Instance, load: bool) -> None:
    """Columns and rows change places, right-hand side and objective too; twice is the identity but for the names."""
    forms = Forms(instance, Weights.flow(instance))
    primal, dual = exact_program(forms, "primal", load=load), exact_program(forms, "dual", load=load)
    again = dual.dual("", lambda name: name)
    assert (again.cost, again.maximise) == (primal.cost, False)
    assert [row[1:] for row in again.rows] == [row[1:] for row in primal.rows]
    assert [row.name for row in dual.rows] == list(primal.columns)


@pytest.mark.parametrize("name", FLOW)
def test_names_are_plain_unique_and_stable(name: str) -> None:
    """Names are letters, digits and underscores, start neither with a digit nor with e, and do not depend on ids."""
    instance = odd_instance()
    program = exact_program(Forms(instance, Weights.flow(instance)), name)
    names = [*program.columns, *(row.name for row in program.rows)]
    assert len(set(names)) == len(names)
    assert all(one.isascii() and one.replace("_", "").isalnum() and one[0] in "Tabxqryz" for one in names)
    other = Instance.from_columns(
        3,
        release=instance.release.tolist(),
        size=instance.size.tolist(),
        eligible_set=instance.eligible_set,
        sets=list(instance.sets),
        flow_weight=instance.flow_weight.tolist(),
    )
    same = exact_program(Forms(other, Weights.flow(other)), name)
    assert (same.columns, same.rows) == (program.columns, program.rows)


def test_the_legend_is_ascii_on_short_lines() -> None:
    """Ids of any length with any letters become one line of printable ASCII each, below the limit of CPLEX."""
    instance = Instance.from_rows(1, [Row("é\r\n" * 300, 0, 1), Row("x", 0, 1)])
    forms = Forms(instance, Weights.ones(instance))
    lines = cplex_lp(forms.textbook(), heading(forms, forms.textbook())).splitlines()
    assert all(line.isascii() and line.isprintable() and len(line) < 560 for line in lines)
    assert r'\ job 2 = "x"' in lines


def test_an_epoch_costs_no_digits_and_lost_ones_are_announced() -> None:
    """Only differences of releases enter; numbers above 2^53 stand in full, and the legend warns of solvers."""
    instance = odd_instance()
    program = Forms(instance, Weights.flow(instance)).textbook()
    assert program.largest < 100
    huge = Instance.from_rows(1, [Row("a", 0, EXACT_DOUBLE + 1), Row("b", 1, 1)])
    forms = Forms(huge, Weights.ones(huge))
    text = cplex_lp(forms.textbook(), heading(forms, forms.textbook()))
    assert f"{EXACT_DOUBLE + 1} x_1_1" in text
    assert "2^53" in text
    assert "2^53" not in cplex_lp(program, heading(Forms(instance, Weights.flow(instance)), program))


def test_common_factors_of_times_go_into_the_unit() -> None:
    """The grid divides all sizes and gaps, so the numbers are as small as they can be."""
    rows = [Row("a", 7, 6), Row("b", 19, 15)]
    program = Forms(instance := Instance.from_rows(1, rows), Weights.ones(instance)).textbook()
    assert program.unit == 3
    assert math.gcd(*(n for row in program.rows[:3] for n in (row.rhs, *(a for _, a in row.terms[1:])))) == 1


@given(st.data())
@REPRODUCIBLE
def test_vipr_proves_the_bound_of_any_family(data: st.DataObject) -> None:
    """The independent checker accepts both forms' certificates, for the program exported, with the exact bound."""
    instance = data.draw(weighted_instances())
    weights = data.draw(st.sampled_from([Weights.ones, Weights.flow, Weights.stretch]))(instance)
    family = data.draw(some_families(instance, weights))
    forms = Forms(instance, weights)
    bound = lower_bound(instance, family, weights=weights)
    for program, multipliers in both_forms(forms):
        text, value = vipr(program, multipliers(forms, family), heading(forms, program))
        parsed, proven = check_vipr(text)
        assert value == proven
        assert proven * program.unit >= bound
        assert stated(program, parsed)


def both_forms(
    forms: Forms,
) -> list[tuple[ExactProgram, Callable[[Forms, IntervalFamily], dict[str, Fraction]]]]:
    return [(forms.textbook(), textbook_multipliers), (forms.lindley(), lindley_multipliers)]


@st.composite
def some_families(draw, instance: Instance, weights: Weights) -> IntervalFamily:
    """Any intervals near the releases, for the weights of the jobs or of nobody."""
    least, most = min(instance.release.tolist()), max(instance.release.tolist())
    thresholds = sorted({*weights.values, *draw(st.sets(st.fractions(Fraction(1, 9), 9), max_size=2))})
    time = st.integers(least - 1, most + 1)
    interval = st.tuples(st.integers(0, instance.machines - 1), st.just(0), time, time)
    rows = [(i, level, min(s, e), max(s, e)) for i, level, s, e in draw(st.lists(interval, max_size=5))]
    several = st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows))
    classes = st.lists(st.integers(0, len(thresholds) - 1), min_size=len(rows), max_size=len(rows))
    return IntervalFamily.of(
        rows, multiplicity=draw(several), weight_class=draw(classes), weights=[Fraction(w) for w in thresholds]
    )


def test_vipr_proves_the_value_of_the_program() -> None:
    """With the solver's family the certificate proves the optimum; with the best prices, that of load balancing."""
    instance = odd_instance()
    forms = Forms(instance, Weights.ones(instance))
    bound = solve_lindley(instance)
    for program, multipliers in both_forms(forms):
        assert vipr(program, multipliers(forms, bound.family), [])[1] * program.unit == bound.lower == bound.upper
    beta = prices(instance, flow_bound(instance).machines)
    text, value = vipr(forms.load(), load_multipliers(forms, beta), [])
    assert (
        check_vipr(text)[1]
        == value
        == load_bound(instance, beta) / forms.grid
        == flow_bound(instance).lower / forms.grid
    )


def certificate() -> str:
    """The proof that three unit jobs on one machine at once, and two later, take 4."""
    instance = Instance.from_rows(1, [Row(k, 0 if k < 3 else 1, 1) for k in range(5)])
    forms = Forms(instance, Weights.ones(instance))
    return vipr(forms.textbook(), textbook_multipliers(forms, IntervalFamily.of([(0, 0, 0, 1)])), ["text"])[0]


def test_the_certificate_reads_like_the_format() -> None:
    """The last lines state the range and the one combination."""
    assert certificate().splitlines()[-4:] == [
        "RTP range 4 inf",
        "SOL 0",
        "DER 1",
        "bound G 4 OBJ { lin 6 7 1 9 1 10 1 11 1 12 1 13 1 } -1",
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("RTP range 4 inf", "RTP range 5 inf"),
        ("bound G 4 OBJ", "bound G 5 OBJ"),
        ("lin 6 7 1", "lin 6 7 -1"),
        ("lin 6 7 1", "lin 6 7 2"),
        ("lin 6 7 1", "lin 6 8 1"),
        ("lin 6 7 1 9 1", "lin 5 7 1"),
        ("13 1 }", "12 1 }"),
        ("13 1 }", "14 1 }"),
        ("DER 1\n", "DER 0\n"),
        ("a_5 G 1", "a_5 L 1"),
        ("a_5 G 1", "a_5 G 0"),
        ("b_1_1_1_2 G -1", "b_1_1_1_2 G -2"),
        ("OBJ min\n1 0 1", "OBJ min\n1 0 2"),
        ("VER 1.0", "VER 1.1"),
        ("{ lin", "{ asm"),
    ],
)
def test_the_independent_checker_rejects_changed_certificates(old: str, new: str) -> None:
    """Every change of bound, multiplier, index, row, sense or objective is noticed: the checker is no rubber stamp."""
    text = certificate()
    assert text.count(old) == 1
    assert check_vipr(text)[1] == 4
    with pytest.raises(Rejected):
        check_vipr(text.replace(old, new))


def test_multipliers_that_prove_nothing_make_no_certificate() -> None:
    """Negative multipliers, and those that price a column above its cost, are refused by name."""
    program = ExactProgram("", ("T", "x"), (1, 0), exact_rows(), Fraction(1))
    assert vipr(program, {"b": Fraction(1), "a": Fraction(2)}, [])[1] == 2
    for wrong, name in (({"b": 1, "a": -1}, "a"), ({"b": 1, "a": 3}, "x"), ({"b": 2, "a": 1}, "T")):
        with pytest.raises(FalseClaim, match=f"{name} gets"):
            vipr(program, {row: Fraction(y) for row, y in wrong.items()}, [])


def exact_rows():
    """`T >= 2 x`, `x >= 1`."""
    instance = Instance.from_columns(1, release=[0, 0], size=[2, 1], eligible_set=[0, 0], sets=[[0]])
    rows = Forms(instance, Weights.ones(instance)).textbook().rows
    return (rows[0]._replace(name="b", terms=rows[0].terms[:2]), rows[1]._replace(name="a", terms=rows[1].terms[:1]))


def test_what_cannot_be_exported_is_refused() -> None:
    """No jobs, no such program, too many rows: each says so."""
    one = Instance.from_rows(1, [Row("a", 0, 1), Row("b", 1, 1)])
    none = Instance.from_rows(1, [])
    with pytest.raises(InvalidInput, match="no jobs"):
        exact_program(Forms(none, Weights.ones(none)), "primal")
    with pytest.raises(InvalidInput, match="primal or dual"):
        exact_program(Forms(one, Weights.ones(one)), "lindley", load=True)
    with pytest.raises(LimitReached, match="3 interval rows, over the limit of 2"):
        exact_program(Forms(one, Weights.ones(one), row_limit=2), "primal")
