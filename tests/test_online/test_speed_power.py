"""Power functions: exact values, rounding in the stated direction, texts."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from online.errors import InvalidInput
from online.speed.power import Power, power_law
from online.speed.power_text import power_of, read_power, table_of
from online.speed.rounding import guarantee_factor, speed_kept

TABLE = table_of([(Fraction(1), Fraction(1, 2)), (Fraction(2), Fraction(2)), (Fraction(3), Fraction(7))])
POWERS: list[Power] = [
    *map(read_power, ("s^2", "s^3", "s^(3/2)", "1/5s^2", "3s^(5/2)", "s^2 + s", "0.5s^3+s^1.5+2s", "s^(6/5)")),
    TABLE,
]
DIALS = st.fractions(min_value=0, max_value=8, max_denominator=1000)
powers = pytest.mark.parametrize("power", POWERS, ids=str)


@powers
@given(dial=DIALS, other=DIALS)
@settings(derandomize=True, max_examples=12)
def test_the_conjugate_is_attained(power: Power, dial: Fraction, other: Fraction) -> None:
    """P*(u) = us - P(s) at the dial whose marginal is u, and us - P(s) is no larger anywhere else (Young)."""
    here, there = power.at(dial), power.at(other)
    assert here.conjugate == here.marginal * here.speed - here.power
    assert here.marginal * there.speed - there.power <= here.conjugate


@powers
@given(dial=DIALS, other=DIALS)
@settings(derandomize=True, max_examples=12)
def test_all_values_grow_with_the_dial(power: Power, dial: Fraction, other: Fraction) -> None:
    """Speed and power rise strictly, marginal and conjugate do not fall."""
    low, high = power.at(min(dial, other)), power.at(max(dial, other))
    assert all(a <= b for a, b in zip(low, high, strict=True))
    assert dial == other or (low.speed < high.speed and low.power < high.power)


@powers
@given(limit=st.fractions(min_value=Fraction(1, 10**6), max_value=10**9, max_denominator=10**6))
@settings(derandomize=True, max_examples=12)
def test_a_dial_for_a_power_is_rounded_down_by_one_step_at_most(power: Power, limit: Fraction) -> None:
    """Its power is at most what was asked for, that of the next dial of as many bits is more."""
    dial = power.dial_for_power(limit, 12)
    odd = dial.numerator // (dial.numerator & -dial.numerator)
    assert odd < 1 << 12
    assert power.at(dial).power <= limit < power.at(dial * (1 + Fraction(1, 1 << 11))).power


@powers
@given(dial=DIALS.filter(bool), jobs=st.integers(1, 50))
@settings(derandomize=True, max_examples=12)
def test_the_price_of_work_is_bracketed(power: Power, dial: Fraction, jobs: int) -> None:
    """No speed does work for less than the lower price while jobs wait, and the upper one is nearly it.

    Not so where a table has ended: there the price falls towards the last slope for ever.
    """
    point = power.at(dial)
    lower, upper = power.work_price_lower(jobs), power.work_price_upper(jobs)
    assert lower <= (jobs + point.power) / point.speed
    assert lower <= upper
    assert upper <= lower * (1 + Fraction(1, 10**5)) or lower == TABLE.slopes[-1]


@pytest.mark.parametrize("alpha", ["6/5", "3/2", "2", "5/2", "3", "7"])
def test_mu0_of_a_power_law_is_the_closed_form(alpha: str) -> None:
    """mu0^p = alpha^p (alpha - 1)^(q - p) for alpha = p/q: the lower bound is below it, by next to nothing."""
    exponent = Fraction(alpha)
    p, q = exponent.numerator, exponent.denominator
    truth = exponent**p * (exponent - 1) ** (q - p)
    lower = power_law(alpha).mu0_lower
    assert lower**p <= truth < (lower * (1 + Fraction(1, 10**9))) ** p
    assert power_law(alpha).theta_upper == 1 / lower


def test_sbar_is_where_power_overtakes_speed() -> None:
    """1 for s^alpha, 5 for s^2/5, 0 where P(s) > s from the start, none where it never is."""
    assert [read_power(text).sbar_upper for text in ("s^2", "s^(3/2)", "0.2s^2", "s^2+s", "s^2+0.5s")] == [
        1,
        1,
        5,
        0,
        Fraction(1, 2),
    ]
    assert TABLE.sbar_upper == 2
    assert table_of([(Fraction(1), Fraction(1))]).sbar_upper is None
    assert table_of([(Fraction(1), Fraction(2))]).sbar_upper == 0


@powers
@given(x=DIALS, y=DIALS)
@settings(derandomize=True, max_examples=12)
def test_what_is_called_submultiplicative_is_so(power: Power, x: Fraction, y: Fraction) -> None:
    """P(xy) <= P(x) P(y) where that is claimed; where it is denied 1 or another point refutes it."""
    product = power.at(x).power * power.at(y).power
    if power.submultiplicative:
        assert power.at(x * y).power <= product
    if power.submultiplicative is False:
        assert power.at(Fraction(1)).power < 1


@powers
@given(dial=DIALS.filter(bool), other=DIALS.filter(bool))
@settings(derandomize=True, max_examples=12)
def test_beta_bounds_the_growth_of_the_marginal(power: Power, dial: Fraction, other: Fraction) -> None:
    """P'(s)/s^beta does not rise, which is s P'' <= beta P'; at large s it hardly falls; a table has no beta."""
    beta = power.beta
    assert (beta is not None) == power.strict
    if beta is None:
        return
    for factor, slack in ((Fraction(1), Fraction(0)), (Fraction(10**9), Fraction(99, 100))):
        low, high = power.at(min(dial, other) * factor), power.at(max(dial, other) * factor)
        grown = (high.marginal / low.marginal) ** beta.denominator
        most = (high.speed / low.speed) ** beta.numerator
        assert slack * most <= grown <= most


def test_a_table_lies_above_the_curve_that_it_was_taken_from() -> None:
    """Chords of s^2 through its values at 1, 2, 3 are above it between them and equal at them."""
    table = table_of([(Fraction(s), Fraction(s * s)) for s in (1, 2, 3)])
    for k in range(1, 31):
        speed = Fraction(k, 10)
        assert table.at(speed).power >= speed**2
        assert (table.at(speed).power == speed**2) == (speed.denominator == 1)
    assert table.at(Fraction(5)).power == 9 + 2 * 5


@powers
def test_texts_and_documents_are_read_back(power: Power) -> None:
    """A document is the power function; so is the text of a power law."""
    assert power_of(power.to_document()) == power
    assert not power.strict or read_power(str(power)) == power


def test_a_table_is_read_from_a_file(tmp_path: Path) -> None:
    """A CSV with a header; the origin may be listed; decimals are exact."""
    file = tmp_path / "power.csv"
    file.write_text("speed,power\n0,0\n0.5,0.1\n1,1.3\n")
    assert str(read_power(f"table:{file}")) == "table 1/2:1/10, 1:13/10, then on with slope 12/5"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no power function"),
        ("2^s", "no power function"),
        ("s^2+1", "no power function"),
        ("s^2-s", "no power function"),
        ("s", "not strictly convex"),
        ("0s^2", "not convex"),
        ("s^2+s^(1/2)", "not convex"),
        ("s^(1/0)", "bad number"),
        ("table:/no/such/file.csv", "unreadable table"),
    ],
)
def test_bad_power_functions_are_refused(text: str, reason: str) -> None:
    """Each with what is wrong with it."""
    with pytest.raises(InvalidInput, match=reason):
        read_power(text)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ("", "no header"),
        ("1,1\n", "no header"),
        ("speed,power\n", "empty table"),
        ("speed,power\n1,1\n1,2\n", "bad point"),
        ("speed,power\n1,2\n2,3\n", "not convex"),
        ("speed,power\n1,0\n2,3\n", "bad point"),
        ("speed,power\n1,1\n2,2\n", "rises too slowly"),
        ("speed,power\n1,1\n2,2.9\n", "rises too slowly"),
        ("speed,power\n1,1,1\n", "bad row"),
        ("speed,power\n1,x\n", "bad number"),
    ],
)
def test_bad_tables_are_refused(tmp_path: Path, rows: str, reason: str) -> None:
    """Each with what is wrong with it."""
    file = tmp_path / "power.csv"
    file.write_text(rows)
    with pytest.raises(InvalidInput, match=reason):
        read_power(f"table:{file}")


@pytest.mark.parametrize("document", [{}, {"terms": "s^2"}, {"terms": [["1"]]}, {"terms": [[True, "2"]]}])
def test_bad_documents_are_refused(document: dict[str, object]) -> None:
    """Nothing but pairs of exact numbers is a power function."""
    with pytest.raises(InvalidInput):
        power_of(document)


@given(jobs=st.integers(1, 10**4), servers=st.integers(1, 64))
@settings(derandomize=True, max_examples=12)
def test_a_rounded_speed_keeps_its_share(jobs: int, servers: int) -> None:
    """The speed of a rounded dial is at least `speed_kept` times P^{-1}(n/m): its power would then be less than n/m."""
    power = power_law("5/2")
    point = power.at(power.dial_for_power(Fraction(jobs, servers), 6))
    whole = point.speed / speed_kept(power, 6)
    assert whole**5 > Fraction(jobs, servers) ** 2 >= point.speed**5


def test_the_guarantee_grows_by_the_power_of_the_share() -> None:
    """The factor is at least k^-alpha, within 2^-47, and unknown without a derivative."""
    for alpha in ("3/2", "2", "3"):
        power = power_law(alpha)
        for kept in (speed_kept(power), Fraction(1, 4)):
            found, p, q = guarantee_factor(power, kept), power.alpha.numerator, power.alpha.denominator
            assert found is not None
            assert (found - Fraction(1, 1 << 47)) ** q < kept**-p <= found**q
    assert guarantee_factor(TABLE, Fraction(1)) is None
