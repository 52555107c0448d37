"""The two linear programs of load balancing written out line by line, with the user's own names and exact numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from lp.lines import Line, Pieces, Program, Style, lined, term, total, written
from online.instance import Instance


def readable(instance: Instance, which: str, latex: bool = False) -> str:
    """Write the `primal` or `dual` of section 5 for this instance, sizes in ticks.

    With `latex`, a whole document (amsmath, one aligned row a line) that compiles as it stands.

    Raises: `InvalidInput` for another `which`.

    Source: Rejecting jobs to minimize load and maximum flow-time, section 5.

    >>> from online.rows import Row
    >>> print(readable(Instance.from_rows(2, [Row("a", 0, 2), Row("b", 1, 3, [1])]), "dual"))
    maximise  a[a] + a[b]
    subject to
      a[a] <= 2 b[1]       job a on machine 1
      a[a] <= 2 b[2]       job a on machine 2
      a[b] <= 3 b[2]       job b on machine 2
      b[1] + b[2] <= 1     prices T
      a, b >= 0
    """
    return written(which, latex, _programs(instance))


def program(instance: Instance, which: str) -> Program:
    """The same line by line: of the primal the machines, then the jobs; of the dual the pairs job by job, then T's.

    Raises: `InvalidInput` for another `which`.
    """
    return lined(which, _programs(instance))


def _programs(instance: Instance) -> dict[str, Callable[[Style], Program]]:
    return {"primal": partial(_primal, instance), "dual": partial(_dual, instance)}


def _primal(instance: Instance, style: Style) -> Program:
    pieces = Pieces.of(instance, style)
    pairs, x, size, _, machine = pieces
    loads = []
    for i, name in enumerate(machine):
        terms = (term(size[k], x[k]) for k in range(pairs.start[i], pairs.start[i + 1]))
        loads.append(Line("T", ">=", total(terms), f"load of machine {name}"))
    return Program("T", loads + pieces.covering(), "T, x")


def _dual(instance: Instance, style: Style) -> Program:
    pairs, _, size, job, machine = Pieces.of(instance, style)
    a = [style.variable("a", name) for name in job]
    b = [style.variable("b", name) for name in machine]
    by_job = np.argsort(pairs.job, kind="stable").tolist()
    jobs, machines = pairs.job.tolist(), pairs.machine.tolist()
    lines = [
        Line(a[j], "<=", term(size[k], b[i]), f"job {job[j]} on machine {machine[i]}")
        for k, j, i in ((k, jobs[k], machines[k]) for k in by_job)
    ]
    lines.append(Line(total(b), "<=", "1", "prices T"))
    return Program(total(a), lines, "a, b")
