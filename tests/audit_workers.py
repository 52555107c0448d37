"""Workers of an audit that come to grief; functions of a module, so that other processes find them."""

from __future__ import annotations

import os
import signal

from certify.audit.plan import Plan
from certify.audit.workers import Chunk, Finished, work

DEADLY = "max-flow/tiny/3"


def killed_by_one_task(plan: Plan, names: Chunk) -> Finished:
    """The work, but that one task kills whoever does it."""
    if DEADLY in names:
        os.kill(os.getpid(), signal.SIGKILL)
    return work(plan, names)
