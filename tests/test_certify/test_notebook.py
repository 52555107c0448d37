"""What notebooks show is what the instance, the family and the run say."""

from __future__ import annotations

from fractions import Fraction

import pytest
from rich.console import Console
from rich.table import Table

from certify.notebook import family_table, jobs_table, run_table, timeline
from online.algorithm import find
from online.errors import InvalidInput
from online.family import IntervalFamily
from online.instance import Instance
from online.play import play
from online.rows import Row
from online.run import Run
from online.weights import Weights


def _cells(table: Table) -> list[list[str]]:
    console = Console(width=120, color_system=None)
    with console.capture() as shown:
        console.print(table)
    return [line.split() for line in shown.get().splitlines() if line.strip() and "─" not in line]


def _overload() -> Run:
    """Three jobs of size 1/2 at once, on one machine that rejects from load 1/2 on."""
    instance = Instance.from_rows(1, [Row(name, "1/2", "1/2") for name in ("a", "$b", "c")], machine_names=["only"])
    return play(instance, find("max-flow"), Fraction(1), guess=Fraction(1), name="max-flow")


def _starved() -> Run:
    """A light job that heavy ones keep waiting until it is given up at time 12."""
    heavy = [Row(f"h{t}", t, 1, flow_weight=4) for t in range(1, 15)]
    instance = Instance.from_rows(1, [Row("L", 0, 6), *heavy])
    options = {"alpha": Fraction(2), "offset": Fraction(0), "segment": Fraction(1)}
    return play(instance, find("weighted"), Fraction(1, 8), name="weighted", options=options)


def test_jobs_stand_in_the_units_of_the_input() -> None:
    """Times are not in ticks, machines go by name, weights are shown where they differ."""
    instance = Instance.from_rows(2, [Row("a", "1/2", "1/3", [1], "3/2"), Row("b", 1, 2)], machine_names=["x", "y"])
    assert _cells(jobs_table(instance))[1:] == [["a", "1/2", "1/3", "3/2", "y"], ["b", "1", "2", "1", "x,", "y"]]
    assert _cells(jobs_table(_overload().instance))[1] == ["a", "1/2", "1/2", "only"]


def test_a_run_is_shown_with_its_rejections() -> None:
    """An accepted job has a machine, a completion and a flow time; a rejected one, on arrival or late, has none."""
    assert _cells(run_table(_overload()))[1:] == [
        ["a", "only", "1/2", "1", "1/2"],
        ["$b", "rejected", "1/2"],
        ["c", "rejected", "1/2"],
    ]
    assert _cells(run_table(_starved()))[1:3] == [["L", "rejected", "0"], ["h1", "1", "1", "2", "1"]]


def test_a_run_of_load_has_no_times() -> None:
    """Load balancing shows machine and size; a timeline of it is refused, as there is no time."""
    run = play(Instance.from_rows(2, [Row("a", 5, 3)]), find("greedy-load"), Fraction(1), name="greedy-load")
    assert _cells(run_table(run)) == [["job", "machine", "size"], ["a", "1", "3"]]
    with pytest.raises(InvalidInput, match="no time"):
        timeline(run)


def test_a_family_is_shown_with_whom_it_counts() -> None:
    """An interval counts the jobs released in it, at either end too, that may run there and weigh enough."""
    rows = [Row("a", 0, 1, [0], 1), Row("b", 1, 1, None, 4), Row("c", "3/2", 1, None, 4)]
    instance = Instance.from_rows(2, rows, machine_names=["x", "y"])
    family = IntervalFamily.of([(0, 1, 0, 2), (1, 1, 2, 3)], multiplicity=[1, 3], weight_class=[0, 1], weights=(1, 4))
    assert _cells(family_table(instance, family, Weights.flow(instance)))[1:] == [
        ["x", "[0,", "1]", "1", "1", "1", "a", "b"],
        ["y", "[1,", "3/2]", "1/2", "4", "3", "b", "c"],
    ]


@pytest.mark.parametrize(
    ("run", "worked", "named"), [(_overload(), Fraction(1, 2), {"a", r"\$b, c"}), (_starved(), 15, {"L", "h14"})]
)
def test_the_timeline_draws_every_unit_of_work(run: Run, worked: Fraction, named: set[str]) -> None:
    """The boxes cover what the run works, on rejected jobs too, in the unit of the input; each bears a name."""
    axes = timeline(run).axes[0]
    assert sum(path.get_extents().width for path in axes.collections[0].get_paths()) == worked
    assert named <= {text.get_text().strip() for text in axes.texts}


def test_a_late_rejection_is_drawn_when_it_happens() -> None:
    """The cross of a job that is given up stands at that time, not at its release; of others at the release."""
    assert timeline(_starved()).axes[0].lines[0].get_xdata() == [12]
    assert timeline(_overload()).axes[0].lines[0].get_xdata() == [1 / 2]
