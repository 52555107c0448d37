"""Instances whose offline optimum is known by construction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from hypothesis import strategies as st

from certify.testing.misleading import choosy
from certify.testing.strategies import ALL, ENERGY, ROUTING, WEIGHTED, check_known
from online.generate import make
from online.instance import Instance
from online.rows import Row

GENERATED = {"max-flow": "planted", "weighted": "planted-weighted"}
"""Families of larger instances, by problem."""

WORK_PRICE = 2
"""What a tick of work costs at least at P(s) = s^2: min (1 + s^2)/s, at s = 1."""


def planted(
    problem: str = "max-flow", *, max_jobs: int = 10, max_machines: int = 3
) -> st.SearchStrategy[tuple[Instance, Fraction]]:
    """Instances and their T*, in the units of the input; for `energy` and `routing` the least cost at P(s) = s^2.

    Claim: T* is what stands beside the instance. For the problems with time, `c k` equal jobs of size p and weight w
    are released at one instant and may run on the same k machines only, so the last of them is not done before c p
    later; all other jobs have room of their own within T / weight of their release. For load the same jobs fill k
    machines, and all others fit onto the rest. Some mislead whoever takes a least loaded machine, as `choosy` says. For
    energy no two jobs of one server overlap when run at speed 1, the cheapest one. For max-flow and weighted flow time
    larger ones come from `dualfit generate`.

    Raises: `InvalidInput` for an unknown problem.
    """
    check_known("problem", problem, ALL)
    if problem in (ENERGY, ROUTING):
        return _alone(problem, max_jobs, max_machines)
    small = _crowd(problem, max_jobs, max_machines) | _choosy(problem, max_jobs, max_machines)
    if problem not in GENERATED:
        return small
    return small | st.tuples(st.integers(0, 9999), st.integers(1, 3 * max_jobs), st.integers(1, max_machines)).map(
        lambda made: _generated(GENERATED[problem], *made)
    )


def _generated(family: str, seed: int, jobs: int, machines: int) -> tuple[Instance, Fraction]:
    instance, known = make(family, seed=seed, jobs=jobs, machines=machines)
    assert known is not None
    return instance, Fraction(known["optimum"])


@dataclass
class _Site:
    """Machines that are filled without exceeding an optimum of `most`, which a crowd forces."""

    problem: str
    machines: int
    core: tuple[int, ...]
    begin: int
    end: int
    most: Fraction

    def __post_init__(self) -> None:
        self.free = [0] * self.machines

    def place(self, machine: int, gap: int, size: int) -> int | None:
        """Reserve room: the start of the job there, or None if there is none."""
        if self.problem == "load":
            full = machine in self.core or self.free[machine] + size > self.most
            self.free[machine] += 0 if full else size
            return None if full else 0
        start = self.free[machine] + gap
        if machine in self.core and start < self.end and start + size > self.begin:
            start = self.end
        self.free[machine] = start + size
        return start

    def slack(self, size: int, weight: int) -> int:
        """How long before its start a job may be released; negative if it is too large for the optimum."""
        flow = self.most * size if self.problem == "stretch" else self.most / weight
        return flow // 1 - size


@st.composite
def _crowd(draw: st.DrawFn, problem: str, max_jobs: int, max_machines: int) -> tuple[Instance, Fraction]:
    m = draw(st.integers(1, max_machines))
    k = draw(st.integers(1, min(m, max_jobs)))
    each, size = draw(st.integers(1, max(1, max_jobs // (2 * k)))), draw(st.integers(1, 4))
    weight = draw(st.integers(1, 4)) if problem in WEIGHTED else 1
    begin = draw(st.integers(0, 4))
    core = tuple(sorted(draw(st.permutations(range(m)))[:k]))
    most = Fraction(each) if problem == "stretch" else Fraction(weight * each * size)
    site = _Site(problem, m, core, begin, begin + each * size, most)
    rows = [(begin, size, core, weight)] * (each * k)
    job = st.tuples(
        st.integers(0, m - 1), st.integers(0, 3), st.integers(1, 6), st.integers(1, 4), st.integers(0, 4), _sets(m)
    )
    for machine, gap, own, heavy, early, more in draw(st.lists(job, max_size=max_jobs - len(rows))):
        own, heavy = size if problem == "max-flow" else own, heavy if problem in WEIGHTED else 1
        room = site.slack(own, heavy)
        start = site.place(machine, gap, own) if room >= 0 else None
        if start is not None:
            release = max(0, start - min(early, room)) if problem != "load" else early
            rows.append((release, own, tuple(sorted({machine, *more})), heavy))
    return _instance(draw, problem, m, rows), most


@st.composite
def _choosy(draw: st.DrawFn, problem: str, max_jobs: int, max_machines: int) -> tuple[Instance, Fraction]:
    m = draw(st.integers(1, min(max_machines, max_jobs)))
    order, each = draw(st.permutations(range(m))), draw(st.integers(1, max_jobs // m))
    size, gap = draw(st.integers(1, 4)), draw(st.integers(0, 2)) if problem != "load" else 0
    return choosy(problem, order, each, size, draw(st.integers(1, 4)) if problem in WEIGHTED else 1, gap)


def _sets(machines: int) -> st.SearchStrategy[list[int]]:
    return st.integers(0, (1 << machines) - 1).map(lambda bits: [i for i in range(machines) if bits >> i & 1])


def _instance(
    draw: st.DrawFn, problem: str, machines: int, rows: Sequence[tuple[int, int, tuple[int, ...], int]]
) -> Instance:
    ordered = sorted(rows, key=lambda row: row[0])
    other = st.integers(1, 4) if problem == "two-weights" else st.none()
    return Instance.from_rows(
        machines, [Row(j, r, p, some, w, draw(other)) for j, (r, p, some, w) in enumerate(ordered, 1)]
    )


@st.composite
def _alone(draw: st.DrawFn, problem: str, max_jobs: int, max_machines: int) -> tuple[Instance, Fraction]:
    m = draw(st.integers(1, max_machines))
    most = m if problem == ROUTING else max_jobs
    sizes = draw(st.lists(st.integers(1, 5), min_size=1, max_size=min(most, max_jobs)))
    free, rows = [0] * m, []
    for k, size in enumerate(sizes):
        start = 0 if problem == ROUTING else free[k % m] + draw(st.integers(0, 3))
        free[k % m] = start + size
        rows.append((start, size))
    rows.sort(key=lambda row: row[0])
    instance = Instance.from_rows(m, [Row(j, start, size) for j, (start, size) in enumerate(rows, 1)])
    return instance, Fraction(WORK_PRICE * sum(sizes))
