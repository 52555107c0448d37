"""The programs of Lemmas 6.1 and 6.6 and of section 5 in whole numbers: textbook and lindley form, and their duals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from lp.export.chains import Chain, chains, grid
from lp.export.program import ExactProgram, ExactRow, Term
from online.errors import InvalidInput, LimitReached, Problem
from online.instance import Instance
from online.weights import Weights

ROW_LIMIT = 20_000
"""Most interval rows that the textbook form will have."""

PAIR_LIMIT = 2_000_000
"""Most (job, eligible machine, weight) that a program will be made of."""


@dataclass(frozen=True, eq=False)
class Forms:
    """The exact programs of an instance with weights.

    Every row is the printed one times the numerator of its weight, with times in grids (`chains.grid`), so that all
    numbers are whole: with weight `a/b`, `T >= w (volume - length)` is `b T - a volume >= -a length`. Columns: `T`,
    `x_J_M` the share of job J on machine M. Rows: `a_J` dispatches job J.

    Source: Rejecting jobs to minimize load and maximum flow-time, Lemmas 6.1 and 6.6, section 5; DUALITY.md, fact 3.
    """

    instance: Instance
    weights: Weights
    row_limit: int = ROW_LIMIT

    @cached_property
    def chains(self) -> list[Chain]:
        """Every chain that counts a job."""
        return chains(self.instance, self.weights)

    @property
    def pairs(self) -> int:
        """Number of (job, eligible machine, weight up to the job's own)."""
        eligible = [len(one) for one in self.instance.sets]
        jobs = zip(self.instance.eligible_set.tolist(), self.weights.rank.tolist(), strict=True)
        return sum(eligible[k] * (rank + 1) for k, rank in jobs)

    @cached_property
    def grid(self) -> int:
        """The unit of time, in ticks."""
        return grid(self.instance)

    @cached_property
    def size(self) -> list[int]:
        """The sizes, in grids."""
        return [size // self.grid for size in self.instance.size.tolist()]

    @cached_property
    def share(self) -> dict[tuple[int, int], int]:
        """The number of the column of each (job, machine)."""
        pairs = ((job.position, i) for job in self.instance.jobs() for i in job.eligible)
        return {pair: 1 + k for k, pair in enumerate(pairs)}

    def textbook(self) -> ExactProgram:
        """The primal as printed; row `b_W_M_S_E` is the interval from release time S to E on machine M, weight W on.

        Raises: `LimitReached` above `row_limit` interval rows.
        """
        count = sum(len(chain.nodes) * (len(chain.nodes) + 1) // 2 for chain in self.chains)
        if count > self.row_limit:
            raise LimitReached(
                f"the textbook form has {count} interval rows, over the limit of {self.row_limit}; "
                "the lindley form has linear size (--program lindley)"
            )
        rows = (row for chain in self.chains for row in self._intervals(chain))
        return self._program("primal", [], [*rows, *self._dispatch()])

    def dual(self) -> ExactProgram:
        """The dual of `textbook`: `beta_W_M_S_E` prices the interval, `alpha_J` the job. Raises: `LimitReached`."""
        return self.textbook().dual("dual", _greek)

    def lindley(self) -> ExactProgram:
        """The queue recursion: per node `q_W_M_K` its backlog, `r_W_M_K` what of the one before is left over then.

        Row `y_W_M_K` fills the node, `z_W_M_K` links it to the one before, `b_W_M_K` bounds its backlog by T.
        """
        names: list[str] = []
        rows: list[ExactRow] = []
        for chain in self.chains:
            rows += self._recursion(chain, 1 + len(self.share) + len(names))
            names += [chain.name("q", node.number) for node in chain.nodes]
            names += [chain.name("r", node.number) for node in chain.nodes[1:]]
        return self._program("lindley", names, [*rows, *self._dispatch()])

    def load(self) -> ExactProgram:
        """The primal of load balancing: row `b_M` says that T is at least the load of machine M."""
        machines: list[list[int]] = [[] for _ in range(self.instance.machines)]
        for j, i in self.share:
            machines[i].append(j)
        loads = [ExactRow(f"b_{i + 1}", ((0, 1), *self._volume(i, own, 1)), 0) for i, own in enumerate(machines)]
        return self._program("load primal", [], [*loads, *self._dispatch()])

    def load_dual(self) -> ExactProgram:
        """The dual of `load`: `beta_M` prices the machine, `alpha_J` the job."""
        return self.load().dual("load dual", _greek)

    def _program(self, title: str, more: Sequence[str], rows: Sequence[ExactRow]) -> ExactProgram:
        columns = ("T", *(f"x_{j + 1}_{i + 1}" for j, i in self.share), *more)
        cost = (1,) + (0,) * (len(columns) - 1)
        return ExactProgram(title, columns, cost, tuple(rows), Fraction(self.grid))

    def _volume(self, machine: int, jobs: Sequence[int], a: int) -> list[Term]:
        """Minus a times the volume of these jobs on a machine."""
        return [(self.share[j, machine], -a * self.size[j]) for j in jobs if self.size[j]]

    def _intervals(self, chain: Chain) -> Iterator[ExactRow]:
        a, b = chain.weight.numerator, chain.weight.denominator
        volume = [self._volume(chain.machine, node.jobs, a) for node in chain.nodes]
        terms: list[Term] = []
        for name, s, e in chain.intervals():
            terms = [(0, b)] if s == e else terms
            terms += volume[e]
            length = (chain.nodes[e].time - chain.nodes[s].time) // self.grid
            yield ExactRow(name, tuple(terms), -a * length)

    def _dispatch(self) -> Iterator[ExactRow]:
        for job in self.instance.jobs():
            yield ExactRow(f"a_{job.position + 1}", tuple((self.share[job.position, i], 1) for i in job.eligible), 1)

    def _recursion(self, chain: Chain, q: int) -> Iterator[ExactRow]:
        """The rows of a chain whose columns start at `q`."""
        a, b, r = chain.weight.numerator, chain.weight.denominator, q + len(chain.nodes) - 1
        for k, (time, number, jobs) in enumerate(chain.nodes):
            left = ((r + k, -1),) if k else ()
            yield ExactRow(chain.name("y", number), (*self._volume(chain.machine, jobs, 1), (q + k, 1), *left), 0)
            if k:
                gap = (time - chain.nodes[k - 1].time) // self.grid
                yield ExactRow(chain.name("z", number), ((q + k - 1, -1), (r + k, 1)), -gap)
            yield ExactRow(chain.name("b", number), ((0, b), (q + k, -a)), 0)


def _greek(name: str) -> str:
    letter, rest = name.split("_", 1)
    return {"a": "alpha_", "b": "beta_"}[letter] + rest


PROGRAMS = {
    "load": {"primal": Forms.load, "dual": Forms.load_dual},
    "flow": {"primal": Forms.textbook, "dual": Forms.dual, "lindley": Forms.lindley},
}
"""Which programs there are, for load balancing and for flow times."""


def exact_program(forms: Forms, program: str, *, load: bool = False) -> ExactProgram:
    """The `primal`, `dual` or (not for `load`) `lindley` program.

    Raises: `InvalidInput` for another one and for an instance without jobs; `LimitReached` if it is too large.
    """
    known = PROGRAMS["load" if load else "flow"]
    if program not in known:
        expected = " or ".join(known)
        raise InvalidInput(Problem("--program", "unknown program", repr(program), expected, "choose one"))
    if not forms.instance.n:
        raise InvalidInput(Problem("instance", "no jobs", "an instance without jobs", "a job", "its optimum is 0"))
    if forms.pairs > PAIR_LIMIT:
        raise LimitReached(f"{forms.pairs} (job, machine, weight) are over the limit of {PAIR_LIMIT} of an export")
    return known[program](forms)
