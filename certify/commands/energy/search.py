"""How long and how far the optimum is bracketed, as options."""

from __future__ import annotations

from fractions import Fraction

import click

from certify.commands.common import EXACT, Command, not_nan, working
from lp.energy.bracket import GAP, EnergyBracket, energy_bracket
from online import exact
from online.errors import InvalidInput, Problem
from online.instance import Instance
from online.speed.power import Power

_SEARCH = (
    click.option(
        "--time-limit",
        type=click.FloatRange(min=0, min_open=True),
        callback=not_nan,
        help="Seconds for the bounding, looked at between its steps, so it may take longer; what is proven by then "
        "stands. Up to 30 jobs grids are refined until then, or until the gap is reached. Without it the work is "
        "limited by size alone, so that the same input gives the same result.",
    ),
    click.option(
        "--gap",
        type=EXACT,
        default=exact.text(GAP),
        show_default=True,
        help="Enough: upper <= (1 + GAP) lower.",
    ),
)


def search_options(command: Command) -> Command:
    """Add the options that end the search."""
    for option in reversed(_SEARCH):
        command = option(command)
    return command


def bounding(instance: Instance, power: Power, time_limit: float | None, gap: Fraction) -> EnergyBracket:
    """The bracket, with progress. Raises: `InvalidInput` for a negative gap, and as `energy_bracket`."""
    if gap < 0:
        raise InvalidInput(Problem("--gap", "negative", str(gap), "a gap >= 0", "give a larger gap"))
    with working("bounding") as progress:
        return energy_bracket(instance, power, time_limit=time_limit, gap=gap, tell=progress.describe)
