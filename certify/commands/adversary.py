"""`dualfit adversary`: play a lower bound of the paper against an algorithm, and certify what came out."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from fractions import Fraction
from typing import NoReturn

import click

from certify.build import to_text
from certify.commands.common import EXACT, JSON, OUT, Several, present, save, working
from certify.commands.energy.games import PLAYED, energy_adversary_command
from certify.commands.energy.options import SharedGames
from certify.commands.energy.unit_migration import NAME as UNIT_MIGRATION
from certify.commands.run import constants_of, constants_options
from certify.game import Finished
from certify.game_growth import AXES, Growth
from certify.game_plots import draw_growth, draw_steps
from certify.game_view import game_tables, growth_tables
from certify.plots import Page, check_plot
from certify.problems.registry import TRACKS
from online import exact
from online.adversary.contest import NOT_REACHED, contest
from online.adversary.game import Game
from online.adversary.registry import GAMES, game
from online.algorithm import Algorithm, find
from online.errors import FalseClaim, InvalidInput, Problem


@dataclass(frozen=True)
class Opponent:
    """The algorithm to play against, and how; `guess` is in the input's units."""

    algorithm: type[Algorithm]
    name: str
    guess: Fraction | None
    options: Mapping[str, Fraction]

    @classmethod
    def of(
        cls,
        name: str,
        against: str | None,
        problem: str | None,
        guess: Fraction | None,
        options: Mapping[str, Fraction],
    ) -> Opponent:
        """Whom to play against; by default the game's own choice, or that of the problem.

        Raises: `InvalidInput` for a problem that the game is not about, and as `find`.
        """
        chosen = GAMES[name]
        if problem not in (None, *chosen.problems):
            expected = " or ".join(chosen.problems)
            raise InvalidInput(
                Problem("--problem", f"{name} is not about it", str(problem), expected, "choose another")
            )
        if against is None:
            against = chosen.against if problem in (None, find(chosen.against).problem) else str(problem)
        return cls(find(against, problem, "--against"), against, guess, options)

    def play(self, chosen: Game, anyway: bool) -> Finished:
        """Play, certify and check.

        Raises: `InvalidInput` for an algorithm that the claim is not about, but if it is to be played `anyway`.
        """
        reason = chosen.uncovered(self.algorithm, self.guess) if chosen.adaptive and not anyway else None
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
@click.option(
    "--against",
    help="A short name of an algorithm, or package.module:Class of your own; by default "
    + ", ".join(f"{one.against} for {name}" for name, one in GAMES.items())
    + ", or that of --problem.",
)
@click.option("--problem", type=click.Choice(list(TRACKS)), help="The objective, of an algorithm that has several.")
@click.option(
    "--guess",
    type=EXACT,
    help="A guess of the offline optimum; without it, guess and double, but for section-4: 2, the optimum.",
)
@click.option("--anyway", is_flag=True, help="Play against an algorithm that the claim is not about.")
@constants_options
@click.option(
    "--machines", type=click.IntRange(min=2), help="Size of lemma-8.1 (by default 4/epsilon) and theorem-8.2 (128)."
)
@click.option(
    "--delta", type=click.IntRange(min=2), help="Size of lemma-8.3: so many machines, by default 1/epsilon + 1."
)
@click.option("--time", type=click.IntRange(min=1), help="Size of section-4: jobs arrive until then; by default 240.")
@click.option("--sweep", type=Several(EXACT), help="Play for each of these epsilons, such as 1/4,1/8, and fit a line.")
@click.option(
    "--sweep-machines",
    type=Several(click.IntRange(min=2)),
    help="Play on each of these numbers of machines, such as 8,32,128, and fit a line.",
)
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
    sweep_machines: tuple[int, ...] | None,
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
    theorem-8.2  load, any sizes, for algorithms that reject at once only, epsilon <= 1/8:
                 ratio log4(machines) / 4; for a larger epsilon less is guaranteed, as the result says
    lemma-8.3    flow time, unit jobs: ratio 1/(18 epsilon) at least, 1/(2 epsilon) where hardly anything is rejected
    section-4    one instance: shortest sizes first on queues per size rejects time/2 + 3 - 1/epsilon of
                 3 time/2 + 8 jobs, although it knows T*; epsilon < 1/3, and --time long enough

    Against routing without migration, flow time plus energy (see dualfit adversary round-robin --help):

    \b
    least-loaded, historically-least-loaded, round-robin, non-migratory-srpt
                 ratio of order m^(1 - 1/alpha)
    unit-migration
                 one instance: round robin on unit jobs is not optimal among schedules that migrate
    """
    opponent = Opponent.of(name, against, problem, guess, constants_of(alpha, offset, segment, period))
    size = {option: value for option, value in sizes.items() if value is not None}
    given = {"--plot": plot, "--figure": figure, "--out": out}
    if sweep is not None or sweep_machines is not None:
        _refuse(given, ("--figure", "--out"), "a sweep is many games")
        games = _games(name, epsilon, sweep, sweep_machines, size)
        if plot is not None:
            check_plot(plot)
        report_growth(Growth([opponent.play(one, anyway) for one in games]), plot, as_json)
        return
    _refuse(given, ("--plot",), "it draws a sweep")
    if figure is not None:
        check_plot(figure, "--figure")
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
    sweep_machines: tuple[int, ...] | None,
    size: Mapping[str, int],
) -> Iterator[Game]:
    """The games of a sweep, all made before any is played."""
    if name not in AXES:
        expected, option = f"one of {', '.join(AXES)}", "--sweep-machines" if sweep is None else "--sweep"
        raise InvalidInput(Problem(option, "no sweep of this game", name, expected, "play it once"))
    if sweep is not None and sweep_machines is not None:
        _contradict("--sweep-machines", "--sweep", "two sweeps")
    if sweep is not None:
        if epsilon is not None:
            _contradict("--sweep", "--epsilon", "says epsilon already")
        return iter([game(name, one, size) for one in sweep])
    if "machines" in size:
        _contradict("--sweep-machines", "--machines", "says the machines already")
    return iter([game(name, _needed(epsilon), {**size, "machines": one}) for one in sweep_machines or ()])


def _contradict(option: str, beside: str, reason: str) -> NoReturn:
    raise InvalidInput(Problem(option, reason, f"{beside} too", "one of the two", f"omit {beside}, or {option}"))


def report(finished: Finished, path: str | None, as_json: bool) -> None:
    """Print the result; a promise that is not reached, or a certificate that is not accepted, is a false claim.

    Raises: `FalseClaim`.
    """
    present(finished.to_document(), lambda: game_tables(finished.to_document(), finished.verdict, path), as_json)
    _judge([finished])


def report_growth(growth: Growth, plot: str | None, as_json: bool) -> None:
    """Print a sweep, and draw it; judged as each of its games is.

    Raises: `FalseClaim`.
    """
    document = growth.to_document()
    if plot is not None:
        draw_growth(document, Page(plot))
    present(document, lambda: growth_tables(document), as_json)
    _judge(growth.games)


def _judge(games: Sequence[Finished]) -> None:
    """Raises: `FalseClaim` naming every game that is not as it should be."""
    wrong = [f"{reason}: {_where(one)}" for one in games if (reason := _wrong(one)) is not None]
    if wrong:
        raise FalseClaim("; ".join(wrong), printed=True)


def _wrong(finished: Finished) -> str | None:
    if finished.verdict.verdict != "accepted":
        return "the checker did not accept the certificate of this game"
    if finished.contest.verdict == NOT_REACHED:
        return "the game did not reach what its proof promises"
    over = finished.contest.over_budget
    return None if over is None else f"{over}; the certificate claims no budget"


def _where(finished: Finished) -> str:
    game = finished.contest.game
    return f"{game.title}, epsilon {exact.text(game.epsilon)}, {game.machines} machines"
