"""The optimum of load balancing by cases: it is that of flow time where all jobs are released at once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lp.cases import NODES, Tree, distinguish
from lp.load.assignment import Assignment, assigned
from online.instance import Instance


def distinguish_loads(instance: Instance, value: int, *, nodes: int = NODES) -> Assignment | Tree:
    """Either an assignment with a largest load below `value`, or a tree of cases that proves T* >= `value` (rule C10).

    Claim: jobs released at once on one machine end, one after another, when it has done its load: the largest flow time
    is the largest load, so `lp.cases.distinguish` decides. A set of jobs J closes a case if the windows of length L on
    the machines M that J may use, |M| L in all, hold less than its volume; L is the largest multiple below the value
    of the sizes' common divisor. Then M is full: the jobs confined to M, J among them, prove the value by rule C4,
    rounded.

    Raises: `LimitReached`, as `distinguish` does.

    >>> from online.rows import Row
    >>> three = Instance.from_rows(2, [Row(j, 7 * j, 2) for j in range(3)])
    >>> distinguish_loads(three, 4), distinguish_loads(three, 5).value
    ([{'leaf': {'rule': 'C4', 'machine': [0, 1], 'round': True}}], 4)
    """
    at_once = replace(instance, release=np.zeros(instance.n, dtype=np.int64))
    found = distinguish(at_once, value, nodes=nodes)
    return _sets(instance, found) if isinstance(found, list) else assigned(instance, found.dispatch)


def _sets(instance: Instance, tree: Tree) -> Tree:
    """The tree with the machines that the jobs of each leaf may use there in the place of the jobs."""
    eligible = [instance.sets[k] for k in instance.eligible_set.tolist()]
    stack: list[tuple[int, tuple[int, ...], int]] = []
    out: Tree = []
    for node in tree:
        if "split" in node:
            j = node["split"]
            stack.append((j, eligible[j], 0))
            eligible[j] = eligible[j][:1]
            out.append(node)
            continue
        out.append({"leaf": _set(node["leaf"], eligible)})
        while stack:
            j, machines, branch = stack.pop()
            if branch + 1 < len(machines):
                stack.append((j, machines, branch + 1))
                eligible[j] = machines[branch + 1 : branch + 2]
                break
            eligible[j] = machines
    return out


def _set(leaf: dict[str, object], eligible: list[tuple[int, ...]]) -> dict[str, object]:
    if leaf["rule"] == "C0":
        return leaf
    jobs = leaf["job"]
    assert isinstance(jobs, list)
    return {"rule": "C4", "machine": sorted({i for j in jobs for i in eligible[j]}), "round": True}
