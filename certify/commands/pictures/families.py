"""`dualfit plot families`: the intervals, machine sets or prices that bound the optimum."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import click

from certify.commands.check import naming
from certify.commands.common import CERTIFICATE, INSTANCE, OWN_ALGORITHM, working
from certify.commands.pictures.options import (
    machine_options,
    opened,
    page_of,
    page_options,
    report,
    window_options,
)
from certify.energy_reopen import reopen_trajectory
from certify.evidence import Document
from certify.figures.axis import Window
from certify.figures.chosen import class_of, explained, item_of, one_of, refuse_options
from certify.figures.families import Asked, draw_families
from certify.figures.intervals import Picture, of_evidence, of_trail, of_witness
from certify.figures.machine_sets import draw_prices_of_machines, draw_sets
from certify.figures.prices import draw_prices
from certify.plots import Page
from certify.report.scene import Scene
from online.load_witness import LoadWitness
from online.weighted.trail import Trail
from online.witness import Witness


@click.command("families")
@CERTIFICATE
@INSTANCE
@OWN_ALGORITHM
@click.option(
    "--phase",
    type=int,
    help="The phase of guess-and-double, from 1; by default the one that shows most about T*, or has most to see.",
)
@click.option("--level", type=int, help="Intervals of this level l alone; of load: the set M_s and the jobs J(sT).")
@click.option(
    "--class",
    "number",
    type=int,
    help="Weighted problems: the density class d*; load: the size class. By default the one that shows most about T*; "
    "if none shows anything, the one with most intervals, or the largest sets M_s.",
)
@click.option("--evidence", type=click.IntRange(min=0), help="Draw this item of the certificate's evidence, from 0.")
@machine_options("6, of machine sets 40")
@window_options
@page_options
def families_command(
    certificate: str,
    file: str | None,
    algorithm: str | None,
    phase: int | None,
    level: int | None,
    number: int | None,
    evidence: int | None,
    machines: tuple[str, ...],
    most: int | None,
    start: Fraction | None,
    end: Fraction | None,
    **chosen: Any,
) -> None:
    """Draw what the bound in CERTIFICATE is made of, as Figures 1, 3 and 4 of the paper.

    \b
    max-flow    the machine intervals of every level, under the load of their machine
    weighted, two-weights, stretch
                the same for a density class, under maxload; hatches tell the weight thresholds apart
    load        the loads of a size class, and the nested sets M_s at the thresholds s T
    energy      the price of a server over time

    Intervals are closed: a job released at an end is counted. Below each machine stand the jobs that may run there: a
    long mark if it was dispatched there, a short one if it went elsewhere, a cross if the run rejected it, a triangle
    if the phase gave its guess up at it and left it to the next; above, those that an interval of the machine counts.
    The jobs of a size class are drawn as they were dispatched; those that the run rejects late are hatched.

    Drawn is the witness of the algorithm, which is replayed as `dualfit ledger` does; where it leaves none, or with
    --evidence, the certificate's own evidence: intervals, the windows of a crowded set, prices.
    """
    page, as_json = page_of(chosen)
    window, scene = Window(start, end).check(), opened(certificate, file, algorithm)
    given = {"--phase": phase, "--level": level, "--class": number}
    asked = Asked(machines, most or Asked.most, window)
    if scene.problem == "load":
        refuse_options(
            {"--machine": machines or None, "--from": start, "--to": end},
            "machine sets have no time and show the fullest machines",
        )
    if scene.problem == "energy":
        refuse_options({"--machine": machines or None, "--most": most}, "servers have one price")
    with working("drawing"), naming(certificate):
        found = None if evidence is not None or scene.problem == "energy" else explained(scene, phase)
        if found is None:
            refuse_options(given, "evidence has no such parts")
            drawn = _evidence(scene, item_of(scene, evidence), asked, most, page)
        else:
            drawn = _witness(scene, *found, level, number, asked, most, page)
    report("families", page, drawn, as_json)


def _witness(
    scene: Scene,
    phase: int,
    found: Witness | LoadWitness | Trail,
    level: int | None,
    number: int | None,
    asked: Asked,
    most: int | None,
    page: Page,
) -> Document:
    run = scene.run
    assert run is not None
    head: Document = {"drawn": "witness", "phase": phase}
    if isinstance(found, LoadWitness):
        return {**head, **_sets(scene, found, level, number, most, page)}
    if isinstance(found, Trail):
        low = None if number is None else one_of("--class", number, found.classes, "density class")
        shown = of_trail(run, found, low, scene.unit)
        head["class"] = shown.low
    else:
        refuse_options({"--class": number}, "jobs of max-flow are of one class")
        shown = of_witness(run, found)
    return {**head, **draw_families(_at(shown, level), asked, page, scene.name, level)}


def _at(shown: Picture, level: int | None) -> Picture:
    return shown if level is None else shown.at_level(one_of("--level", level, shown.levels, "level with intervals"))


def _sets(
    scene: Scene, found: LoadWitness, level: int | None, number: int | None, most: int | None, page: Page
) -> Document:
    assert scene.run is not None
    by_name = {one.name: one for one in found.classes}
    if number is None:
        chosen = class_of(scene, found, level)
    else:
        chosen = by_name[one_of("--class", number, list(by_name), "size class")]
    levels = [s for s, count in enumerate(chosen.sizes_of_sets) if s and count]
    if level is not None:
        one_of("--level", level, levels, "level with machines")
    return draw_sets(scene.run, found, chosen, level, most, page, scene.name)


def _evidence(scene: Scene, number: int, asked: Asked, most: int | None, page: Page) -> Document:
    item, instance = scene.evidence[number], scene.instance
    assert instance is not None
    head = {"drawn": f"evidence {number}", "rule": item["rule"]}
    words = [scene.name, str(item.get("origin", f"evidence {number}"))]
    if item["rule"] == "C4":
        return {**head, **draw_prices_of_machines(item, instance, most, page, words)}
    if item["rule"] == "C9":
        run = reopen_trajectory(scene.document, scene.folder) if "run" in scene.document else None
        return {**head, **draw_prices(item, instance, run, asked.window, page, ": ".join(words))}
    shown = of_evidence(scene.document, instance, scene.run, number, scene.unit)
    return {**head, **draw_families(shown, asked, page, scene.name)}
