"""What each phase of a run leaves behind, as rows to read: levels and intervals, or size classes and machine sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from certify.evidence import DensityPart
from certify.problems.registry import TRACKS
from online import exact
from online.algorithm import Algorithm
from online.family import IntervalFamily
from online.load_witness import LoadWitness
from online.run import Run
from online.weighted.trail import Trail
from online.witness import Witness


def witness_rows(run: Run, algorithm: type[Algorithm]) -> list[dict[str, str]]:
    """The witnesses of all phases, times and volumes in the input's unit.

    max-flow: a row for each level l with `m_l` intervals of total length `L_l`, and the jobs whose alpha_j is l.
    load: a row for each size class and level s with `m_s` machines of load at least s T, the machines, and the number
    and volume of `J(sT)`. weighted: a row for each density class d* of the jobs: A's rejected jobs of the class, the
    intervals of the strongest part of its families, their total length, and the bound on T* that they give. Every row
    has the same keys.
    """
    rows: list[dict[str, str]] = []
    for number, phase in enumerate(run.phases, start=1):
        witness = algorithm.explain(run, phase)
        head = {"phase": str(number), "T": exact.text((phase.guess or 0) * TRACKS[run.problem].unit(run.instance))}
        if isinstance(witness, Witness):
            rows += [head | row for row in _levels(run, witness)]
        elif isinstance(witness, LoadWitness):
            rows += [head | row for row in _machine_sets(run, witness)]
        elif isinstance(witness, Trail):
            rows += [head | row for row in _density_classes(run, witness)]
    return rows


def _levels(run: Run, witness: Witness) -> Iterator[dict[str, str]]:
    jobs = Counter(witness.duals.tolist())
    for level, (number, length) in witness.counts().items():
        yield {
            "l": str(level),
            "m_l": str(number),
            "L_l": exact.text(length * run.instance.tick),
            "jobs with alpha_j = l": str(jobs[level]),
        }


def _density_classes(run: Run, trail: Trail) -> Iterator[dict[str, str]]:
    types, unit = trail.decisions.types, TRACKS[run.problem].unit(run.instance)
    for low in trail.classes:
        rejected = sum(not offer.accepted and types.types[j].density == low for j, offer in trail.offers)
        part = DensityPart.of(run.instance, trail, [low])
        family = IntervalFamily.of([]) if part is None else part.family
        yield {
            "d*": str(low),
            "jobs rejected": str(rejected),
            "intervals": str(family.count),
            "length": exact.text(family.total_length * run.instance.tick),
            "T* >=": "0" if part is None else exact.text(part.value * unit),
        }


def _machine_sets(run: Run, witness: LoadWitness) -> Iterator[dict[str, str]]:
    groups = {one.name: one for one in witness.classes}
    for name, s, machines in witness.machine_sets():
        jobs = groups[name].jobs(s)
        yield {
            "class": str(name),
            "group": str(name % witness.delta),
            "s": str(s),
            "m_s": str(len(machines)),
            "M_s": " ".join(map(run.instance.machine_name, machines)),
            "|J(sT)|": str(len(jobs)),
            "vol J(sT)": exact.text(sum(run.instance.size[jobs].tolist()) * run.instance.tick),
        }
