"""`dualfit adversary`: play a lower bound of the paper against an algorithm, and certify what came out."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import click

from certify.build import to_text
from certify.commands.common import EXACT, JSON, OUT, emit, out, save, working
from certify.commands.energy.games import PLAYED, energy_adversary_command
from certify.commands.energy.options import SharedGames
from certify.commands.energy.unit_migration import NAME as UNIT_MIGRATION
from certify.commands.run import constants_of, constants_options
from certify.game import Finished
from certify.game_growth import AXES, Growth
from certify.game_plots import draw_growth, draw_steps
from certify.game_view import game_tables, growth_tables
from certify.plots import check_plot
from certify.problems.registry import TRACKS
from online import exact
from online.adversary.contest import NOT_REACHED, contest
from online.adversary.game import Game
from online.adversary.registry import GAMES, game
from online.algorithm import Algorithm, find
from online.errors import FalseClaim, InvalidInput, Problem


class ExactList(click.ParamType[tuple[Fraction, ...]]):
    """Exact numbers, separated by commas."""

    name = "numbers"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[Fraction, ...]:
        """Parse, or fail with what was wrong."""
        if isinstance(value, tuple):
            return value
        return tuple(EXACT.convert(one, param, ctx) for one in str(value).split(","))


@dataclass(frozen=True)
class Opponent:
    """The algorithm to play against, and how; `guess` is in the input's units."""

    algorithm: type[Algorithm]
    name: str
    guess: Fraction | None
    options: Mapping[str, Fraction]

    def play(self, chosen: Game, anyway: bool) -> Finished:
        """Play, certify and check.

        Raises: `InvalidInput` for an algorithm that the claim is not about, but if it is to be played `anyway`.
        """
        reason = chosen.uncovered(self.algorithm) if chosen.adaptive and not anyway else None
        if reason is not None:
            expected, fix = "an algorithm that the claim is about", "choose another, or give --anyway"
            raise InvalidInput(Problem("--against", reason, self.name, expected, fix))
        guess = chosen.guess if self.guess is None and self.algorithm.takes_guess else self.guess
        with working(f"playing {chosen.name} against {self.name}"), redirect_stdout(sys.stderr):
            result = contest(chosen, self.algorithm, guess=guess, name=self.name, options=self.options)
        with working("writing and checking the certificate"), redirect_stdout(sys.stderr):
            return Finished.of(result, self.algorithm)


@click.command("adversary", cls=SharedGames, energy=energy_adversary_command, games=(*PLAYED, UNIT_MIGRATION))
@click.argument("name", metavar="GAME", type=click.Choice([*GAMES, *PLAYED, UNIT_MIGRATION]))
@click.option("--epsilon", type=EXACT, help="The share of the jobs that may be rejected, such as 1/16.")
@click.option("--against", help="A short name of an algorithm, or package.module:Class of your own.")
@click.option("--problem", type=click.Choice(list(TRACKS)), help="The objective, of an algorithm that has several.")
@click.option("--guess", type=EXACT, help="A guess of the offline optimum; without it, guess and double.")
@click.option("--anyway", is_flag=True, help="Play against an algorithm that the claim is not about.")
@constants_options
@click.option(
    "--machines", type=click.IntRange(min=2), help="Size of lemma-8.1 (by default 4/epsilon) and theorem-8.2 (128)."
)
@click.option(
    "--delta", type=click.IntRange(min=2), help="Size of lemma-8.3: so many machines, by default 1/epsilon + 1."
)
@click.option("--time", type=click.IntRange(min=1), help="Size of section-4: jobs arrive until then; by default 240.")
@click.option("--sweep", type=ExactList(), help="Play for each of these epsilons, such as 1/4,1/8, and fit a line.")
@click.option("--sweep-machines", help="Play on each of these numbers of machines, such as 8,32,128, and fit a line.")
@click.option("--plot", type=click.Path(dir_okay=False), help="Of a sweep: the ratios as svg, png or pdf.")
@click.option("--figure", type=click.Path(dir_okay=False), help="Of lemma-8.3: a stage drawn step by step.")
@OUT
@JSON
def adversary_command(
    name: str,
    epsilon: Fraction | None,
    against: str | None,
    problem: str | None,
    guess: Fraction | None,
    anyway: bool,
    alpha: Fraction | None,
    offset: Fraction | None,
    segment: Fraction | None,
    period: Fraction | None,
    sweep: tuple[Fraction, ...] | None,
    sweep_machines: str | None,
    plot: str | None,
    figure: str | None,
    out: str | None,
    as_json: bool,
    **sizes: int | None,
) -> None:
    """Play a lower bound of the paper against an online algorithm, and certify what came out.

    The adversary chooses the next jobs by what became of the ones before. The finished game is an instance on which the
    algorithm does so badly, with an offline schedule of all its jobs that does so well.

    \b
    lemma-8.1    load, unit jobs: ratio log2(1/epsilon) / 2 at least
    theorem-8.2  load, any sizes, for algorithms that reject at once only: ratio log4(machines) / 4
    lemma-8.3    flow time, unit jobs: ratio 1/(18 epsilon) at least, 1/(2 epsilon) where hardly anything is rejected
    section-4    one instance: shortest sizes first on queues per size rejects a third of the jobs, with T* known

    Against routing without migration, flow time plus energy (see dualfit adversary round-robin --help):

    \b
    least-loaded, historically-least-loaded, round-robin, non-migratory-srpt
                 ratio of order m^(1 - 1/alpha)
    unit-migration
                 one instance: round robin on unit jobs is not optimal among schedules that migrate
    """
    opponent = Opponent(
        find(against or GAMES[name].against, problem),
        against or GAMES[name].against,
        guess,
        constants_of(alpha, offset, segment, period),
    )
    size = {option: value for option, value in sizes.items() if value is not None}
    given = {"--plot": plot, "--figure": figure, "--out": out}
    if sweep or sweep_machines:
        _refuse(given, ("--figure", "--out"), "a sweep is many games")
        games = _games(name, epsilon, sweep, sweep_machines, size)
        if plot is not None:
            check_plot(plot)
        report_growth(Growth([opponent.play(one, anyway) for one in games]), plot, as_json)
        return
    _refuse(given, ("--plot",), "it draws a sweep")
    if figure is not None:
        check_plot(figure)
    finished = opponent.play(game(name, _needed(epsilon), size), anyway)
    if out is not None:
        save(out, to_text(finished.certificate))
    if figure is not None:
        draw_steps(finished.contest, figure)
    report(finished, out, as_json)


def _refuse(given: Mapping[str, str | None], options: Sequence[str], reason: str) -> None:
    for option in options:
        if given[option] is not None:
            raise InvalidInput(Problem(option, reason, str(given[option]), "no such option here", f"omit {option}"))


def _needed(epsilon: Fraction | None) -> Fraction:
    if epsilon is None:
        raise InvalidInput(Problem("--epsilon", "missing", "nothing", "a share such as 1/16", "give --epsilon"))
    return epsilon


def _games(
    name: str,
    epsilon: Fraction | None,
    sweep: tuple[Fraction, ...] | None,
    sweep_machines: str | None,
    size: Mapping[str, int],
) -> Iterator[Game]:
    """The games of a sweep, all made before any is played."""
    if name not in AXES:
        expected = f"one of {', '.join(AXES)}"
        raise InvalidInput(Problem("--sweep", "no sweep of this game", name, expected, "play it once"))
    if sweep and (sweep_machines or epsilon is not None):
        beside = "--sweep-machines" if sweep_machines else "--epsilon"
        fix = f"omit {beside}, or --sweep"
        raise InvalidInput(Problem("--sweep", "says epsilon already", f"{beside} too", "--sweep alone", fix))
    if sweep:
        return iter([game(name, one, size) for one in sweep])
    machines = [_machines(one) for one in str(sweep_machines).split(",")]
    return iter([game(name, _needed(epsilon), {**size, "machines": one}) for one in machines])


def _machines(text: str) -> int:
    if not text.strip().isdecimal():
        raise InvalidInput(
            Problem("--sweep-machines", "no number", repr(text), "whole numbers such as 8,32,128", "correct it")
        )
    return int(text)


def report(finished: Finished, path: str | None, as_json: bool) -> None:
    """Print the result; a promise that is not reached, or a certificate that is not accepted, is a false claim.

    Raises: `FalseClaim`.
    """
    if as_json:
        emit(finished.to_document())
    else:
        for table in game_tables(finished.to_document(), finished.verdict, path):
            out().print(table)
    _judge([finished])


def report_growth(growth: Growth, plot: str | None, as_json: bool) -> None:
    """Print a sweep, and draw it; judged as each of its games is.

    Raises: `FalseClaim`.
    """
    document = growth.to_document()
    if plot is not None:
        draw_growth(document, plot)
    if as_json:
        emit(document)
    else:
        for table in growth_tables(document):
            out().print(table)
    _judge(growth.games)


def _judge(games: Sequence[Finished]) -> None:
    for finished in games:
        where = f"{finished.contest.game.title}, epsilon {exact.text(finished.contest.game.epsilon)}"
        if finished.verdict.verdict != "accepted":
            raise FalseClaim(f"the checker did not accept the certificate of this game: {where}", printed=True)
        if finished.contest.verdict == NOT_REACHED:
            raise FalseClaim(f"the game did not reach what its proof promises: {where}", printed=True)
        if finished.contest.over_budget is not None:
            raise FalseClaim(f"{finished.contest.over_budget}; the certificate claims no budget: {where}", printed=True)
