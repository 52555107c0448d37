"""An independent, slow reader of the evidence of `lp.optimum`, for tests: every tick of every window is written out."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from certify.check import Verdict, check_document
from lp.optimum import Optimum
from online import exact
from online.instance import Instance
from online.weights import Weight, Weights

Document = dict[str, Any]


def proves(instance: Instance, weights: Weights, evidence: Document, value: Fraction | int) -> bool:
    """Whether evidence of rule C0, C5 (rounded) or C10 shows T* >= value."""
    eligible = [set(job.eligible) for job in instance.jobs()]
    if evidence["rule"] != "C10":
        return _leaf(instance, weights, evidence, eligible, value)
    nodes = iter(evidence["tree"])
    held = _tree(instance, weights, nodes, eligible, value) and Fraction(evidence["value"]) >= value
    assert next(nodes, None) is None
    return held


def _tree(instance: Instance, weights: Weights, nodes: Iterator[Document], eligible: list[set[int]], value) -> bool:
    node = next(nodes)
    if "leaf" in node:
        return _leaf(instance, weights, node["leaf"], eligible, value)
    j, held = node["split"], []
    for i in sorted(eligible[j]):
        part = [{i} if k == j else one for k, one in enumerate(eligible)]
        held.append(_tree(instance, weights, nodes, part, value))
    return all(held)


def _leaf(instance: Instance, weights: Weights, evidence: Document, eligible: list[set[int]], value) -> bool:
    jobs = list(instance.jobs())
    if evidence["rule"] == "C0":
        return weights[evidence["job"]] * jobs[evidence["job"]].size >= value
    chosen = [jobs[j] for j in evidence["job"]]
    assert evidence["rule"] == "C5"
    assert evidence["round"] is True
    unit = math.gcd(*(job.size for job in chosen), *(job.release - chosen[0].release for job in chosen))
    ticks = set()
    for job in chosen:
        flow = 0
        while weights[job.position] * (flow + unit) < value:
            flow += unit
        ticks |= {(i, job.release + k) for i in eligible[job.position] for k in range(flow)}
    return len(ticks) < sum(job.size for job in chosen)


def accepted(instance: Instance, problem: str, found: Optimum) -> list[str]:
    """What the checker says it was shown of a certificate of both bounds, which it must accept."""
    assert found.proof is not None
    verdict = both_bounds(instance, problem, found.lower, found.proof, found.upper.value, found.upper.evidence())
    assert verdict.verdict == "accepted", verdict.failed
    return verdict.shown


def both_bounds(
    instance: Instance, problem: str, lower: Weight, proof: Document, upper: Weight, witness: Document
) -> Verdict:
    """The checker's verdict on a certificate of a lower and an upper bound."""
    document = {
        "format": "dualfit-certificate",
        "version": 1,
        "problem": problem,
        "goal": [
            {"claim": "lower-bound", "value": exact.text(lower), "evidence": 0},
            {"claim": "upper-bound", "value": exact.text(upper), "evidence": 1},
        ],
        "sha256": instance.sha256,
        "evidence": [proof, witness],
        "instance": instance.to_document(),
    }
    return check_document(document)
