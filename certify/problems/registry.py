"""The problems by name."""

from __future__ import annotations

from certify.problems.load import Load
from certify.problems.max_flow import MaxFlow
from certify.problems.track import Bounded, Track
from certify.problems.weighted import Stretch, Weighted

TRACKS: dict[str, Track] = {track.name: track for track in (MaxFlow(), Load())}
"""The problems with online algorithms."""

BOUNDED: dict[str, Bounded] = {**TRACKS, **{one.name: one for one in (Weighted(), Stretch())}}
"""Every problem whose optimum can be bounded."""
