"""The problems by name."""

from __future__ import annotations

from certify.problems.load import Load
from certify.problems.max_flow import MaxFlow
from certify.problems.track import Track
from certify.problems.weighted import Stretch, TwoWeights, Weighted

TRACKS: dict[str, Track] = {track.name: track for track in (MaxFlow(), Load(), Weighted(), TwoWeights(), Stretch())}
"""Every problem that the commands know."""
