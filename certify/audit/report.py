"""The result of an audit as one document: every claim by section, findings, what was left unsaid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from certify.audit.corpus import claims_of
from certify.audit.counterexample import Counterexample
from certify.audit.plan import Plan
from certify.audit.tally import KEPT, Line, Sight, Tally
from certify.claims.claim import Claim, Verdict

FORMAT = "dualfit-audit"


@dataclass(frozen=True)
class Row:
    """One claim over all problems whose ledger has it."""

    claim: Claim[Any]
    lines: Mapping[str, Line]

    @property
    def counts(self) -> Counter[Verdict]:
        """On how many instances each verdict was the worst."""
        return sum((line.counts for line in self.lines.values()), Counter())

    @property
    def spoken(self) -> int:
        """Number of instances on which the claim said something."""
        return sum(line.spoken for line in self.lines.values())

    def best(self, verdict: Verdict) -> tuple[str, Sight] | None:
        """The sight of that verdict to be shown, and its problem."""
        seen = [(problem, line.sights[verdict]) for problem, line in self.lines.items() if verdict in line.sights]
        return min(seen, key=lambda one: KEPT[verdict](one[1]), default=None)

    @property
    def verdict(self) -> str:
        """The row in one word: `fails`, `undecided`, `holds`, or `silent`."""
        for verdict in (Verdict.FAILS, Verdict.UNDECIDED, Verdict.HOLDS):
            if self.counts[verdict]:
                return verdict.value
        return "silent"

    def to_document(self) -> dict[str, Any]:
        """One JSON object."""
        claim, seen = self.claim, self.best(Verdict.HOLDS)
        return {
            "id": claim.id,
            "place": claim.place,
            "statement": claim.statement,
            "latex": claim.latex,
            "hypothesis": claim.hypothesis,
            "corrected_by": claim.corrected_by or None,
            "verdict": self.verdict,
            "instances": self.counts.total(),
            "non_vacuous": self.spoken,
            **{verdict.name.lower(): self.counts[verdict] for verdict in Verdict},
            "by_problem": {problem: line.to_document() for problem, line in self.lines.items()},
            "tightest": None if seen is None else {"problem": seen[0], **seen[1].to_document()},
        }


@dataclass(frozen=True)
class Report:
    """A finished audit."""

    plan: Plan
    tally: Tally
    counterexamples: Mapping[tuple[str, str], Counterexample]

    def rows(self) -> list[Row]:
        """All claims asked for, each once, by section and in the order of the ledgers."""
        claims: dict[str, tuple[Claim[Any], dict[str, Line]]] = {}
        for problem in self.plan.problems:
            wanted = self.plan.wanted(problem)
            for claim in claims_of(problem):
                if claim.id in wanted:
                    line = self.tally.lines.get(problem, {}).get(claim.id, Line())
                    claims.setdefault(claim.id, (claim, {}))[1][problem] = line
        return sorted((Row(*one) for one in claims.values()), key=lambda row: row.claim.place)

    def sections(self) -> dict[str, list[Row]]:
        """The rows by section of the paper."""
        found: dict[str, list[Row]] = {}
        for row in self.rows():
            found.setdefault(row.claim.place, []).append(row)
        return found

    def faults(self) -> Iterator[str]:
        """What is false or incomplete, in words; nothing if the audit is whole and no uncorrected claim fails."""
        yield from self.false()
        yield from self.incomplete()

    def false(self) -> Iterator[str]:
        """Claims and certificates that are false."""
        false = [row.claim.id for row in self.rows() if row.verdict == "fails" and not row.claim.corrected_by]
        if false:
            yield f"claims that fail and name no correction: {', '.join(false)}"
        if self.tally.refused:
            yield f"runs whose certificate was not accepted: {'; '.join(self.tally.refused)}"

    def incomplete(self) -> Iterator[str]:
        """What nothing can be said about."""
        silent = [row.claim.id for row in self.rows() if row.verdict == "silent"]
        if silent:
            yield f"claims that said nothing on any instance: {', '.join(silent)}; try more --instances"
        if self.tally.lost:
            yield f"instances that were not measured: {'; '.join(f'{k} ({v})' for k, v in self.tally.lost.items())}"

    def to_document(self) -> dict[str, Any]:
        """One JSON object; numbers are exact."""
        return {
            "format": FORMAT,
            "plan": self.plan.to_document(),
            "instances": self.tally.instances.total(),
            "runs": self.tally.runs.total(),
            "families": dict(sorted(self.tally.instances.items())),
            "certificates_not_accepted": self.tally.refused,
            "not_measured": dict(sorted(self.tally.lost.items())),
            "claims": [row.to_document() for row in self.rows()],
            "counterexamples": [
                {"claim": claim, **one.to_document()} for (_, claim), one in self.counterexamples.items()
            ],
            "faults": list(self.faults()),
        }
