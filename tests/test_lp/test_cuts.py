from __future__ import annotations

import itertools
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lp import cuts
from lp.cuts import UNLIMITED, Network, least_cut
from online import exact
from online.errors import LimitReached

PROPERTY = settings(derandomize=True, deadline=None, max_examples=150, database=None)
NODES = 6


def network(*arcs: tuple[int, int, int], nodes: int = NODES) -> Network:
    """A network of arcs given as (tail, head, capacity)."""
    tail, head, capacity = zip(*arcs, strict=True) if arcs else ((), (), ())
    ends = (np.array(one, dtype=np.int64) for one in (tail, head))
    return Network(nodes, *ends, exact.column(list(capacity), summed=True))


@st.composite
def networks(draw, largest: int = 9) -> Network:
    """Up to 14 arcs between six nodes, some unlimited, parallel or in circles; those out of node 0 are finite."""
    node = st.integers(0, NODES - 1)
    arcs = draw(st.lists(st.tuples(node, node, st.integers(0, largest) | st.just(UNLIMITED)), max_size=14))
    return network(*((u, v, max(0, c) if u == 0 else c) for u, v, c in arcs if u != v))


def all_least_cuts(one: Network, source: int, sink: int) -> tuple[int, list[set[int]]]:
    """The least capacity of all cuts, and the source sides that have it, by looking at every one."""
    inner = [v for v in range(one.nodes) if v not in (source, sink)]
    found: list[tuple[int, set[int]]] = []
    for size in range(len(inner) + 1):
        for chosen in itertools.combinations(inner, size):
            side = {source, *chosen}
            arcs = zip(one.tail.tolist(), one.head.tolist(), one.capacity.tolist(), strict=True)
            crossing = [c for u, v, c in arcs if u in side and v not in side]
            if UNLIMITED not in crossing:
                found.append((sum(crossing), side))
    least = min(value for value, _ in found)
    return least, [side for value, side in found if value == least]


@pytest.fixture(params=["fast", "pure"])
def library(request, monkeypatch):
    """Both libraries in turn; the fast one only where it is installed."""
    if request.param == "pure":
        monkeypatch.setattr(cuts, "_library", lambda: None)
    else:
        pytest.importorskip("ortools")
    return request.param


def check_against_all_cuts(one: Network) -> None:
    value, sides = all_least_cuts(one, 0, NODES - 1)
    for largest, unite in ((False, set.intersection), (True, set.union)):
        found, side = least_cut(one, 0, NODES - 1, largest=largest)
        assert (found, set(np.flatnonzero(side).tolist())) == (value, unite(*sides))


def test_the_cut_is_the_least_and_its_side_the_smallest_or_the_largest(library):
    """Either library finds the least of all cuts, and exactly the intersection or the union of all that tie."""
    PROPERTY(given(networks())(check_against_all_cuts))()


def test_numbers_may_be_longer_than_a_machine_word(library):
    """Capacities around 2^61 to 2^64, whose sums overflow 64 bits, are cut as exactly as small ones."""
    for base in (2**61, 2**62 - 2, 2**62, 2**63, 2**64):
        one = network((0, 1, base), (1, 2, base + 1), (0, 2, 7), (2, 5, base + 6), (1, 5, 0))
        assert least_cut(one, 0, 5)[0] == base + 6
        assert least_cut(one, 0, 5)[1].tolist() == [True, True, True, False, False, False]
    arcs = [(0, 1, 2**59), (1, 2, UNLIMITED), *[(1, 2, 2**60)] * 40, (2, 5, 2**61)]
    assert least_cut(network(*arcs), 0, 5)[0] == 2**59


@PROPERTY
@given(networks(largest=2**62))
def test_both_libraries_agree(one):
    """Value, smallest and largest side are the same, so which library is installed never shows in a result."""
    pytest.importorskip("ortools")
    answers = []
    for hidden in (False, True):
        with pytest.MonkeyPatch.context() as patch:
            if hidden:
                patch.setattr(cuts, "_library", lambda: None)
            answers.append([least_cut(one, 0, NODES - 1, largest=largest) for largest in (False, True)])
    for (value, side), (other, other_side) in zip(*answers, strict=True):
        assert value == other
        assert side.tolist() == other_side.tolist()


def test_a_flow_to_begin_with_changes_nothing(library):
    """Started from any part of a flow, the cut is the same as from nothing."""
    one = network((0, 1, 5), (0, 2, 2), (1, 3, 3), (2, 3, 4), (1, 2, UNLIMITED), (3, 5, 6))
    for amounts in ([3, 0, 3, 0, 0, 3], [4, 2, 0, 6, 4, 6], [0] * 6):
        for largest in (False, True):
            flow = np.array(amounts, dtype=np.int64)
            if amounts[3] > 4:
                with pytest.raises(ValueError, match="more than its capacity"):
                    least_cut(one, 0, 5, flow=flow)
                continue
            value, side = least_cut(one, 0, 5, largest=largest, flow=flow)
            plain, plain_side = least_cut(one, 0, 5, largest=largest)
            assert (value, side.tolist()) == (plain, plain_side.tolist())
    assert value == 6


def test_what_is_no_flow_is_refused(library):
    """A node that keeps what it gets, and an amount below nothing, are errors, not a head start."""
    one = network((0, 1, 5), (1, 5, 5))
    for amounts, words in (([2, 1], "does not flow out"), ([-1, -1], "less than nothing")):
        with pytest.raises(ValueError, match=words):
            least_cut(one, 0, 5, flow=np.array(amounts))


@pytest.mark.parametrize(
    ("one", "words"),
    [
        (network((0, 1, -2)), "negative"),
        (network((0, 1, UNLIMITED), (1, 5, 1)), "out of the source"),
        (Network(6, np.array([0]), np.array([1, 2]), np.array([1])), "lengths"),
    ],
)
def test_a_malformed_network_is_refused(one, words):
    """Negative capacities, an unlimited source and columns of different lengths are named."""
    with pytest.raises(ValueError, match=words):
        least_cut(one, 0, 5)


def test_who_needs_the_fast_library_is_told(monkeypatch):
    """Above the limit of pure Python the message says what to install, or that numbers are too long."""
    monkeypatch.setattr(cuts, "PURE_ARCS", 1)
    long = network((0, 1, 2**62), (1, 5, 1))
    monkeypatch.setattr(cuts, "_library", lambda: None)
    with pytest.raises(LimitReached, match=r"2 arcs, over the limit of 1; .*pip install 'dualfit\[flow\]'"):
        least_cut(network((0, 1, 1), (1, 5, 1)), 0, 5)
    monkeypatch.setattr(cuts, "_library", object)
    with pytest.raises(LimitReached, match="coarser tick"):
        least_cut(long, 0, 5)


class _Lying:
    """A flow library whose flow is not the largest, or no flow, or that ends without an optimum."""

    OPTIMAL = 0

    def __init__(self, status: int, amount: int) -> None:
        self.status, self.amount = type("Status", (int,), {"name": "POSSIBLE_OVERFLOW"})(status), amount

    def SimpleMaxFlow(self):  # noqa: N802
        return self

    def add_arcs_with_capacity(self, tail, head, capacity):
        return np.arange(len(tail))

    def add_arc_with_capacity(self, tail, head, capacity):
        return 0

    def solve(self, source, sink):
        return self.status

    def flows(self, arcs):
        return np.full(len(arcs), self.amount, dtype=np.int64)

    def get_source_side_min_cut(self):
        return [0]


@pytest.mark.parametrize(
    ("status", "amount", "words"),
    [
        (0, 1, "not equal to its cut"),
        (0, 6, "more than its capacity"),
        (0, -1, "less than"),
        (1, 5, "POSSIBLE_OVERFLOW"),
    ],
)
def test_what_a_library_says_is_a_proof_or_an_error(status, amount, words, monkeypatch):
    """A flow smaller than the cut proves nothing, what is no flow neither, and only "optimal" carries a cut."""
    monkeypatch.setattr(cuts, "_library", lambda: _Lying(status, amount))
    with pytest.raises(LimitReached, match=words):
        least_cut(network((0, 1, 5), (1, 5, 5)), 0, 5)
    monkeypatch.setattr(cuts, "_library", lambda: _Lying(0, 5))
    assert least_cut(network((0, 1, 5), (1, 5, 5)), 0, 5)[0] == 5


@pytest.mark.parametrize("order", [("highspy", "ortools"), ("ortools", "highspy")])
def test_both_solvers_work_in_one_process(order):
    """HiGHS answers as HiGHS whichever of it and OR-Tools, which brings its own copy, is loaded first."""
    pytest.importorskip("ortools")
    work = {
        "highspy": "from lp.backend import solve, LinearProgram, GE\n"
        "assert solve(LinearProgram.of([1.0], [({0: 2.0}, GE, 3.0)])).objective == 1.5\n",
        "ortools": "import numpy as np\nfrom lp.cuts import Network, least_cut, fast\n"
        "assert fast() and least_cut(Network(2, *map(np.array, ([0], [1], [5]))), 0, 1)[0] == 5\n",
    }
    done = subprocess.run([sys.executable, "-c", "".join(map(work.get, order * 2))], check=False, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
