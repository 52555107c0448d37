"""Routes that are forced, shown for all rounds of a game at once, however many there are.

All jobs are released at 0, so that nothing is done before the last one has its server.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

Sent = tuple[int, int]
"""A job's size in ticks and the server, from 0, that it is said to go to."""


def least_loaded_fault(machines: int, before: Sequence[Sent], each: Sequence[Sent], rounds: int, falling: bool) -> str:
    """What keeps least loaded routing, now or in history, from routing so; empty if nothing does.

    Proof: in the rounds one server's load grows and the others stay, so it suffices that it is chosen for the last job.

    >>> least_loaded_fault(2, [(9, 0)], [(1, 1)], 9, False), least_loaded_fault(2, [(9, 0)], [(1, 1)], 10, False)
    ('', 'round 10 goes to server 1')
    """
    loads = [0] * machines
    for number, (size, server) in enumerate(before, 1):
        if server != loads.index(min(loads)):
            return f"job {number} goes to server {loads.index(min(loads)) + 1}"
        loads[server] += size
    if len(each) != 1:
        return "not one job a round"
    size, server = each[0]
    loads[server] += (rounds - 1) * size - falling * (rounds - 1) * (rounds - 2) // 2
    chosen = loads.index(min(loads))
    return "" if chosen == server else f"round {rounds} goes to server {chosen + 1}"


def round_robin_fault(machines: int, before: Sequence[Sent], each: Sequence[Sent], rounds: int, falling: bool) -> str:
    """What keeps round robin from routing so; empty if nothing does.

    Proof: a round of a multiple of `machines` jobs leaves the turn where it was.
    """
    if len(each) % machines:
        return "a round does not end where it began"
    for number, (_, server) in enumerate([*before, *each], 1):
        if server != (number - 1) % machines:
            return f"job {number} goes to server {(number - 1) % machines + 1}"
    return ""


def staying_fault(machines: int, before: Sequence[Sent], each: Sequence[Sent], rounds: int, falling: bool) -> str:
    """What keeps non-migratory SRPT from routing so, whichever server it takes of several; empty if nothing does.

    Proof: the first jobs take the idle servers, numbered as they are taken. In the rounds the one server's least
    remaining size is over the job's, as each job is smaller than the one before it on that server; the others' is not,
    as it is not for the last job.
    """
    if [server for _, server in before] != list(range(machines)):
        return "the first jobs do not take one idle server each"
    if len(each) != 1 or not falling:
        return "not one job a round that falls"
    size, server = each[0]
    if before[server][0] <= size:
        return f"round 1 does not preempt on server {server + 1}"
    least = size - (rounds - 1)
    over = [k + 1 for k, (left, _) in enumerate(before) if k != server and left > least]
    return f"round {rounds} may go to server {over[0]}" if over else ""


FORCED: dict[str, Callable[[int, Sequence[Sent], Sequence[Sent], int, bool], str]] = {
    "least-loaded": least_loaded_fault,
    "historically-least-loaded": least_loaded_fault,
    "round-robin": round_robin_fault,
    "staying-srpt": staying_fault,
}
"""By policy."""
