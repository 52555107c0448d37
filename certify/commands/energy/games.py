"""`dualfit adversary`, the games of [S]: routing without migration costs m^(1 - 1/alpha) times the optimum."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import click

from certify import check
from certify.build import to_text
from certify.commands.common import EXACT, JSON, OUT, present, save, working
from certify.commands.energy.options import SharedGames, power_from
from certify.commands.energy.unit_migration import NAME, unit_migration_command
from certify.energy_build import certify_game
from certify.energy_plots import draw_growth
from certify.energy_show import game_tables, growth_tables
from certify.evidence import Document
from certify.plots import Page, check_plot
from online import exact
from online.errors import FalseClaim, InvalidInput, LimitReached, Problem
from online.speed.games import GAMES, Game, growth
from online.speed.sums import power_lower

PLAYED = {
    "least-loaded": ("greedy", "least-loaded"),
    "historically-least-loaded": ("greedy", "historically-least-loaded"),
    "round-robin": ("round-robin", "round-robin"),
    "non-migratory-srpt": ("staying-srpt", "staying-srpt"),
}
"""The games of [S]: the instances, and the policy that is played against."""

REPLAYED = 2000
"""Up to so many jobs the policy's own code routes them too."""


MOST_MACHINES = 315
"""A game lists a job for each server, and every job is looked at on every server."""


@dataclass(frozen=True)
class Played:
    """A game, its certificate, and the checker's verdict on that."""

    name: str
    policy: str
    game: Game
    replayed: bool
    certificate: Document
    verdict: check.Verdict

    @classmethod
    def of(cls, name: str, machines: int, alpha: Fraction, rounds: int | None) -> Played:
        """Make the game, prove where the policy must send the jobs, and certify both costs.

        Raises: `FalseClaim` if a job goes elsewhere, `LimitReached` for a game that is too large to be checked.
        """
        if machines > MOST_MACHINES:
            raise LimitReached(f"a game of {machines} servers; the limit is {MOST_MACHINES}")
        instances, policy = PLAYED[name]
        game = GAMES[instances](machines, alpha, rounds)
        with working(f"playing against {policy} on {machines} servers"):
            game.prove(policy)
            if game.jobs <= REPLAYED:
                game.replay(policy)
            certificate = certify_game(game, policy)
            verdict = check.check_document(certificate)
            if verdict.verdict == "malformed":
                raise LimitReached(f"a game that takes too long to check: {machines} servers, {game.rounds} rounds")
            return cls(name, policy, game, game.jobs <= REPLAYED, certificate, verdict)

    @property
    def order(self) -> Fraction:
        """m^(1 - 1/alpha), rounded down: what the ratio tends to."""
        return power_lower(Fraction(self.game.machines), 1 - 1 / self.game.alpha)

    def to_document(self) -> Document:
        """The result as one JSON object; costs in mu0 ticks, mu0 the least cost of a tick of work."""
        game = self.game
        return {
            "name": self.name,
            "policy": self.policy,
            "alpha": exact.text(game.alpha),
            "machines": game.machines,
            "rounds": game.rounds,
            "jobs": game.jobs,
            "policy_lower": exact.text(game.policy_lower),
            "optimum_upper": exact.text(game.optimum_upper),
            "ratio": exact.text(game.ratio_lower),
            "order": exact.text(self.order),
            "replayed": self.replayed,
            "verdict": self.verdict.verdict,
        }


@dataclass(frozen=True)
class Growth:
    """The same game on several numbers of servers."""

    games: Sequence[Played]

    @property
    def exponent(self) -> Fraction | None:
        """The slope of log ratio over log m; None for less than two sizes."""
        points = [(one.game.machines, one.game.ratio_lower) for one in self.games]
        return growth(points) if len({m for m, _ in points}) > 1 else None

    def to_document(self) -> Document:
        """One JSON object; the exponent is for reading, to nine places."""
        first, exponent = self.games[0], self.exponent
        return {
            "name": first.name,
            "policy": first.policy,
            "alpha": exact.text(first.game.alpha),
            "rows": [one.to_document() for one in self.games],
            "exponent": None if exponent is None else exact.text(Fraction(round(exponent * 10**9), 10**9)),
            "theory": exact.text(1 - 1 / first.game.alpha),
        }


@click.command("adversary", cls=SharedGames, energy=unit_migration_command, games=(NAME,))
@click.argument("name", metavar="GAME", type=click.Choice([*PLAYED, NAME]))
@click.option("--alpha", type=EXACT, required=True, help="P(s) = s^ALPHA, such as 2 or 3/2; more than 1.")
@click.option("--machines", type=click.IntRange(min=2), help=f"So many servers, at most {MOST_MACHINES}.")
@click.option("--rounds", type=click.IntRange(min=1), help="So many rounds of jobs; by default enough for the ratio.")
@click.option("--sweep-machines", "swept", help="On each of these numbers of servers, such as 4,8,16, and fit a line.")
@click.option("--plot", type=click.Path(dir_okay=False), help="Of a sweep: the ratios as svg, png or pdf.")
@OUT
@JSON
def energy_adversary_command(
    name: str,
    alpha: Fraction,
    machines: int | None,
    rounds: int | None,
    swept: str | None,
    plot: str | None,
    out: str | None,
    as_json: bool,
) -> None:
    """Play a lower bound of [S] against routing without migration, flow time plus energy, and certify it.

    All jobs come at time 0, one after another, and stay where the policy sends them. Whatever its speeds and the order
    on each server, it costs at least `policy`; a schedule of all jobs costs at most `optimum`. Both are closed forms,
    rounded outward, in units of mu0, the least cost of a tick of work. The ratio grows like m^(1 - 1/alpha).

    \b
    least-loaded               to the server with the least work left
    historically-least-loaded  to the server that was sent the least work so far
    round-robin                to the servers in turn
    non-migratory-srpt         to a server all of whose jobs are longer, while none is idle

    One more has options of its own: dualfit adversary unit-migration --help.
    """
    power_from(alpha, None)
    if swept is None:
        _refuse("--plot", plot, "it draws a sweep")
        played = Played.of(name, _needed(machines), alpha, rounds)
        if out is not None:
            save(out, to_text(played.certificate))
        report(played, out, as_json)
        return
    _refuse("--out", out, "a sweep is many games")
    _refuse("--machines", machines, "--sweep-machines says how many")
    if plot is not None:
        check_plot(plot)
    report_growth(Growth([Played.of(name, m, alpha, rounds) for m in _numbers(swept)]), plot, as_json)


def _refuse(option: str, given: object, reason: str) -> None:
    if given is not None:
        raise InvalidInput(Problem(option, reason, str(given), "no such option here", f"omit {option}"))


def _needed(machines: int | None) -> int:
    if machines is None:
        expected, fix = "--machines or --sweep-machines", "give --machines 8, say"
        raise InvalidInput(Problem("--machines", "missing", "nothing", expected, fix))
    return machines


def _numbers(text: str) -> list[int]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and part.isascii() and int(part) > 1 for part in parts):
        raise InvalidInput(
            Problem("--sweep-machines", "no numbers", repr(text), "whole numbers over 1 such as 4,8,16", "correct it")
        )
    return [int(part) for part in dict.fromkeys(parts)]


def report(played: Played, path: str | None, as_json: bool) -> None:
    """Print the result. Raises: `FalseClaim` for a certificate that is not accepted."""
    present(played.to_document(), lambda: game_tables(played.to_document(), path), as_json)
    _judge([played])


def report_growth(found: Growth, plot: str | None, as_json: bool) -> None:
    """Print a sweep, and draw it. Raises: as `report`."""
    document = found.to_document()
    if plot is not None:
        draw_growth(document, Page(plot))
    present(document, lambda: growth_tables(document), as_json)
    _judge(found.games)


def _judge(games: Sequence[Played]) -> None:
    for one in games:
        if one.verdict.verdict != "accepted":
            where = f"{one.name}, {one.game.machines} servers"
            raise FalseClaim(f"the checker did not accept the certificate of this game: {where}", printed=True)
