"""SRPT without migration: a job may preempt on arrival, and then stays on its server."""

from __future__ import annotations

from collections.abc import Sequence

from online.instance import Job
from online.speed.policy import Server, SpeedPolicy


class StayingSrpt(SpeedPolicy):
    """To an idle server; else to one all of whose jobs have more left than the job; else to the least loaded one.

    Let y_k be the least remaining size on server k. Read as never idle: an idle server takes the job whatever the y_k.
    Of several servers with y_k > size the one with the largest y_k is taken. The ratio is at least of order
    m^{1 - 1/alpha}, at any speeds.

    Source: [S], the class of non-migratory SRPT-based policies.
    """

    migrates = False

    def route(self, job: Job, servers: Sequence[Server]) -> int:
        for k, server in enumerate(servers):
            if not server.jobs:
                return k
        longest = max(range(len(servers)), key=lambda k: (servers[k].least_left, -k))
        if servers[longest].least_left > job.size:
            return longest
        return min(range(len(servers)), key=lambda k: servers[k].workload)
