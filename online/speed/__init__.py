"""Speeds: any algorithm on faster machines, and speed scaling on identical servers, where energy counts.

Source of the second: Multiple server SRPT with speed scaling is competitive ([S]).
"""

from online.speed.augmented import check_speed, faster, play_at_speed

__all__ = ["check_speed", "faster", "play_at_speed"]
