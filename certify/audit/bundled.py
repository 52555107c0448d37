"""Windows of the bundled trace."""

from __future__ import annotations

from functools import cache
from importlib import resources

import numpy as np

from online.instance import Instance
from online.readers import ReadOptions, read

TRACE = "openb-gpuspec33-24nodes.csv"
WINDOW, WINDOWS = 250, 6
"""Jobs of a window, and number of windows."""


@cache
def trace() -> Instance:
    """1500 requests for 24 GPU nodes with their true eligible sets."""
    with resources.as_file(resources.files("online.data") / TRACE) as path:
        return read(path, ReadOptions()).instance


def window(index: int) -> Instance:
    """Consecutive requests: the index-th window, from 0, beginning at time 0."""
    first = index % WINDOWS * WINDOW
    position = np.arange(trace().n)
    part = trace().restrict((first <= position) & (position < first + WINDOW))
    return part.shifted(int(part.release[0]))
