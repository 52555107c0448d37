"""What becomes of the jobs that a picture shows."""

from __future__ import annotations

import numpy as np

from online.exact import Column
from online.run import REJECTED, Phase, Run

LATE, LEFT = REJECTED - 1, REJECTED - 2
"""In place of a machine: the run rejects the job late; the phase leaves it to the next one, which accepts it."""

AWAY = {"rejected on arrival": REJECTED, "rejected late": LATE, "left to the next phase": LEFT}
"""What else becomes of a job than that it runs."""


def fates(run: Run, phase: Phase | None = None) -> Column:
    """The machine of each job of a phase (None: of the run) that the run accepts; else `REJECTED`, `LATE` or `LEFT`."""
    first, last = (0, run.instance.n - 1) if phase is None else (phase.first, phase.last)
    out = run.dispatch[first : last + 1].copy()
    late = np.array([one.job for one in run.late], dtype=np.int64)
    out[late[(first <= late) & (late <= last)] - first] = LATE
    if phase is not None and phase.ended and run.accepted[last]:
        out[-1] = LEFT
    return out
