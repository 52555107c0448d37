"""Jobs transported into the time of their machines within given windows: which set of jobs finds too little room."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from online.instance import Instance


class Transport:
    """A flow of volume from jobs to cells (machine, elementary stretch of time) that keeps up with changes.

    Job j may use the time of its machines in its window `[r_j, r_j + flow_j]`, in ticks, several machines at once too.

    Claim (Hall, Gale): all volume finds room exactly if every set J of jobs has volume at most
    `sum_i |union of the windows of the jobs of J on i|`. Where augmenting paths from a job end, the jobs they reach
    fill all cells that they may use and still lack room: they are such a set.
    """

    def __init__(self, instance: Instance, flow: Sequence[int]) -> None:
        release, self.size = instance.release.tolist(), instance.size.tolist()
        times = sorted({*release, *(r + f for r, f in zip(release, flow, strict=True))})
        number = {time: k for k, time in enumerate(times)}
        self.stretch = [(number[r], number[r + f]) for r, f in zip(release, flow, strict=True)]
        self.width = len(times)
        length = [b - a for a, b in pairwise(times)] + [0]
        self.room = length * instance.machines
        self.users: list[dict[int, int]] = [{} for _ in self.room]
        self.used: list[dict[int, int]] = [{} for _ in self.size]
        self.left = list(self.size)
        self.machines = [instance.sets[k] for k in instance.eligible_set.tolist()]

    def confine(self, j: int, machines: tuple[int, ...]) -> None:
        """Let job j use these machines only; what it had elsewhere is left over."""
        self.machines[j] = machines
        for cell in [cell for cell in self.used[j] if cell // self.width not in machines]:
            self._move(j, cell, -self.used[j][cell])

    def share(self, j: int, machine: int) -> int:
        """How much of job j goes to a machine now."""
        return sum(amount for cell, amount in self.used[j].items() if cell // self.width == machine)

    def short(self) -> set[int] | None:
        """Send all volume; None if that succeeds, else a set of jobs with more volume than room."""
        for j in range(len(self.size)):
            while self.left[j]:
                stuck = self._augment(j)
                if stuck is not None:
                    return stuck
        return None

    def _augment(self, start: int) -> set[int] | None:
        """Send more of a job along a shortest path; the jobs reached if there is none."""
        came: dict[int, int] = {start: -1}
        entered: dict[int, int] = {}
        queue = [start]
        for j in queue:
            for cell in self._cells(j):
                if cell in entered:
                    continue
                entered[cell] = j
                if self.room[cell]:
                    self._shift(cell, came, entered)
                    return None
                for other in self.users[cell]:
                    if other not in came:
                        came[other] = cell
                        queue.append(other)
        return set(came)

    def _cells(self, j: int) -> list[int]:
        first, last = self.stretch[j]
        return [i * self.width + k for i in self.machines[j] for k in range(first, last)]

    def _shift(self, end: int, came: dict[int, int], entered: dict[int, int]) -> None:
        """Move the most that fits along the path to the cell `end`, which has room."""
        path, amount, cell = [], self.room[end], end
        while True:
            j = entered[cell]
            path.append((j, cell))
            if came[j] < 0:
                break
            cell = came[j]
            amount = min(amount, self.used[j][cell])
        amount = min(amount, self.left[path[-1][0]])
        for j, _ in path:
            if came[j] >= 0:
                self._move(j, came[j], -amount)
        for j, cell in path:
            self._move(j, cell, amount)

    def _move(self, j: int, cell: int, amount: int) -> None:
        now = self.used[j].get(cell, 0) + amount
        self.room[cell] -= amount
        self.left[j] -= amount
        if now:
            self.used[j][cell] = self.users[cell][j] = now
        else:
            del self.used[j][cell], self.users[cell][j]
