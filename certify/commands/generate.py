"""`dualfit generate`: seeded instances, the same bytes for the same arguments."""

from __future__ import annotations

import click

from certify.commands.common import JSON, emit, save
from online.generate import FAMILIES, generate


@click.command("generate")
@click.argument("family", type=click.Choice(list(FAMILIES)))
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Another seed, another instance."
)
@click.option("--jobs", type=click.IntRange(0, 10**7), default=100, show_default=True, help="Number of jobs.")
@click.option("--machines", type=click.IntRange(1, 10**5), default=4, show_default=True, help="Number of machines.")
@click.option("--out", "path", type=click.Path(dir_okay=False), help="Write to this file instead of standard output.")
@JSON
def generate_command(family: str, seed: int, jobs: int, machines: int, path: str | None, as_json: bool) -> None:
    """Make an instance and write it as dualfit JSON.

    \b
    uniform           unit jobs, releases spread evenly at a load near 1, random eligible sets
    bursts            unit jobs, a few instants at which many want the same few machines
    planted           unit jobs, the smallest possible largest flow time stands in the file under "planted"
    weighted          mixed sizes, weights over six classes, random eligible sets, some bursts
    planted-weighted  the same kind, the smallest possible largest weighted flow time stands under "planted"
    energy            mixed sizes for identical servers with speeds, steady arrivals and bursts

    On these the ledgers of sections 6.2 to 7 have something to say, with the options shown:

    \b
    crowds            weighted: crowds of few kinds; rejections on arrival, guesses given up.
                      --alpha 8 or 16; a line more with --alpha 32, with --guess and more jobs
    starving          weighted: jobs that wait behind denser ones until they are rejected late;
                      120 jobs a machine. --epsilon 1 --alpha 2 --offset 1 --segment 16
    blockers          two-weights: small urgent jobs behind huge ones; rejected at once and late;
                      200 jobs a machine. --epsilon 1 --alpha 1 --period 2 --guess 4096
    lures             two-weights: full queues although the guess is the optimum, which stands
                      under "planted"; 100 jobs a machine. --guess OPTIMUM --alpha 8
    weighted-lures    weighted: the same with one weight; 700 or 5500 jobs, one machine.
                      --guess OPTIMUM --alpha 8
    """
    text = generate(family, seed=seed, jobs=jobs, machines=machines)
    if path is None:
        click.echo(text, nl=False)
        return
    save(path, text)
    if as_json:
        emit({"family": family, "seed": seed, "jobs": jobs, "machines": machines, "out": path})
