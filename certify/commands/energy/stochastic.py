"""`dualfit stochastic`: what random routing at one speed costs under Poisson arrivals, beside every policy's bound."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import click

from certify.claims.claim import Entry, Verdict, judge
from certify.claims.speed_stochastic import SECTION, StochasticScene
from certify.commands.common import EXACT, JSON, emit, out, working
from certify.commands.energy.options import power_from, power_options
from certify.energy_show import stochastic_tables
from certify.evidence import Document
from certify.show import ledger_table
from certify.speed.simulation import SIZES, Estimate, simulate_gated
from certify.speed.stochastic import gated_dial, lower_bound
from online import exact
from online.errors import FalseClaim, InvalidInput, LimitReached, Problem
from online.speed.power import BITS


@click.command("stochastic")
@power_options
@click.option("--load", type=EXACT, required=True, help="Work per server and tick, Lambda / m, such as 2.")
@click.option("--machines", type=click.IntRange(1, 10**4), default=1, show_default=True, help="So many servers.")
@click.option("--jobs", type=click.IntRange(1000, 10**7), default=50_000, show_default=True, help="Simulated jobs.")
@click.option(
    "--sizes", type=click.Choice(list(SIZES)), default="exponential", show_default=True, help="Their distribution."
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Another seed, another run.")
@JSON
def stochastic_command(
    alpha: Fraction | None,
    described: str | None,
    load: Fraction,
    machines: int,
    jobs: int,
    sizes: str,
    seed: int,
    as_json: bool,
) -> None:
    """Compare (13), random routing at the best constant speed, with the bound (12) of every policy, and simulate it.

    Jobs arrive by a Poisson process and are routed to servers at random; a server with jobs shares itself evenly among
    them at one speed s*, which minimises (13). Costs are response time plus energy, per tick of work. Bounds and
    claims are exact; the simulation is in floats, decides nothing, and comes with its 99 % confidence interval.
    """
    if load <= 0:
        raise InvalidInput(Problem("--load", "no work", str(load), "a load > 0", "give a larger load"))
    scene = StochasticScene(power_from(alpha, described), load)
    if scene.power.at(gated_dial(scene.power, load)).speed <= load:
        raise LimitReached(f"at load {load} the best speed is too close to the load for its {BITS} bits")
    with working("simulating"):
        found = _simulated(scene, machines, jobs, sizes, seed)
    entries = [judge(claim, [scene], Fraction(1)) for claim in SECTION.claims]
    document = _document(scene, machines, sizes, found, entries)
    if as_json:
        emit(document)
    else:
        for table in stochastic_tables(document):
            out().print(table)
        out().print(ledger_table(entries, SECTION.place))
    false = [entry.claim.id for entry in entries if entry.verdict is Verdict.FAILS and not entry.claim.corrected_by]
    if false:
        raise FalseClaim(f"claims that fail at this load: {', '.join(false)}", printed=True)


def _simulated(scene: StochasticScene, machines: int, jobs: int, sizes: str, seed: int) -> Estimate:
    point = scene.power.at(gated_dial(scene.power, scene.load))
    numbers = [value.numerator / value.denominator for value in (scene.load, point.speed, point.power)]
    return simulate_gated(*numbers, machines=machines, jobs=jobs, sizes=sizes, seed=seed)


def _document(
    scene: StochasticScene, machines: int, sizes: str, found: Estimate, entries: list[Entry]
) -> dict[str, Any]:
    """The result as one JSON object; simulated numbers to six digits."""
    bound = lower_bound(scene.power, scene.load)
    simulated: Document = {
        "mean": f"{found.mean:.6g}",
        "half_width": f"{found.half_width:.6g}",
        "confidence": "99 %",
        "jobs": found.jobs,
        "sizes": sizes,
        "meets": found.meets(scene.cost.numerator / scene.cost.denominator),
    }
    return {
        "power": str(scene.power),
        "load": exact.text(scene.load),
        "machines": machines,
        "speed": exact.text(scene.power.at(gated_dial(scene.power, scene.load)).speed),
        "cost": exact.text(scene.cost),
        "bound": exact.text(bound),
        "ratio": exact.text(scene.cost / bound),
        "simulated": simulated,
        "claims": [entry.to_document() for entry in entries],
    }
