"""`dualfit adversary`: play a lower bound of the paper against an algorithm, and certify what came out."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import click

from certify import check
from certify.build import Certified, to_text
from certify.commands.common import EXACT, JSON, OUT, emit, out, save, working
from certify.game import certify_game
from certify.game_view import game_tables
from online import exact
from online.adversary.contest import NOT_REACHED, Contest, contest
from online.adversary.game import Game
from online.adversary.registry import GAMES, game
from online.algorithm import find
from online.errors import FalseClaim


@dataclass(frozen=True)
class Finished:
    """A game, its certificate, and the checker's verdict."""

    contest: Contest
    certified: Certified
    verdict: check.Verdict

    def to_document(self) -> dict[str, Any]:
        """The result as one JSON object, in the input's units; machines count from 1."""
        contest, run = self.contest, self.contest.run
        return {
            "name": contest.game.name,
            "title": contest.game.title,
            "problem": run.problem,
            "algorithm": run.algorithm,
            "epsilon": exact.text(run.epsilon),
            "guess": exact.text(Fraction(run.parameters["guess"]) * contest.unit) if run.parameters else None,
            "machines": run.instance.machines,
            "jobs": run.instance.n,
            "rejected": run.rejected_count,
            "algorithm_cost": exact.text(contest.cost),
            "opt_upper": exact.text(contest.opt_upper),
            "ratio": exact.text(contest.ratio),
            "promised": exact.text(contest.promised),
            "guaranteed": exact.text(contest.game.guarantee()),
            "curve": [exact.text(max(held) * run.instance.tick) for held in contest.held],
            "phases": [*_phases(contest)],
            "verdict": contest.verdict,
            "reason": contest.uncovered,
            "certificate": self.verdict.verdict,
        }


def _phases(contest: Contest) -> Iterator[dict[str, Any]]:
    """What the machines of each phase would hold at least had nobody been rejected, and what they hold."""
    tick = contest.run.instance.tick
    for stage, held, rejected in zip(contest.stages, contest.held, contest.rejected, strict=True):
        yield {
            "jobs": stage.last + 1,
            "machines": [contest.run.instance.machine_name(i) for i in stage.machines],
            "invariant": [exact.text(load * tick) for load in stage.loads],
            "held": [exact.text(load * tick) for load in held],
            "rejected": rejected,
        }


@click.command("adversary")
@click.argument("name", metavar="GAME", type=click.Choice(list(GAMES)))
@click.option("--epsilon", type=EXACT, required=True, help="The share of the jobs that may be rejected, such as 1/16.")
@click.option("--against", help="A short name of an algorithm, or package.module:Class of your own.")
@click.option("--guess", type=EXACT, help="A guess of the offline optimum; without it, guess and double.")
@click.option("--machines", type=click.IntRange(min=1), help="Size of lemma-8.1: so many machines.")
@click.option("--delta", type=click.IntRange(min=2), help="Size of lemma-8.3: so many machines, delta^3 jobs.")
@OUT
@JSON
def adversary_command(
    name: str,
    epsilon: Fraction,
    against: str | None,
    guess: Fraction | None,
    out: str | None,
    as_json: bool,
    **sizes: int | None,
) -> None:
    """Play a lower bound of section 8 against an online algorithm, and certify what came out.

    The adversary chooses the next jobs by what became of the ones before. The finished game shows an instance on which
    the algorithm is so bad, and an offline schedule of all its jobs that is so good.
    """
    size = {option: value for option, value in sizes.items() if value is not None}
    chosen = game(name, epsilon, size)
    finished = played(chosen, against or chosen.against, guess)
    if out is not None:
        save(out, to_text(finished.certified.document))
    report(finished, out, as_json)


def played(chosen: Game, against: str, guess: Fraction | None) -> Finished:
    """Play, certify and check; `guess` is in the input's units."""
    algorithm = find(against)
    with working(f"playing {chosen.name} against {against}"), redirect_stdout(sys.stderr):
        result = contest(chosen, algorithm, guess=guess, name=against)
    with working("writing and checking the certificate"), redirect_stdout(sys.stderr):
        certified = certify_game(result, algorithm)
        verdict = check.check_document(certified.document)
    return Finished(result, certified, verdict)


def report(finished: Finished, path: str | None, as_json: bool) -> None:
    """Print the result; a promise that is not reached, or a certificate that is not accepted, is a false claim.

    Raises: `FalseClaim`.
    """
    if as_json:
        emit(finished.to_document())
    else:
        for table in game_tables(finished.to_document(), finished.verdict, path):
            out().print(table)
    if finished.verdict.verdict != "accepted":
        raise FalseClaim("the checker did not accept the certificate of this game", printed=True)
    if finished.contest.verdict == NOT_REACHED:
        raise FalseClaim("the game did not reach what its proof promises", printed=True)
