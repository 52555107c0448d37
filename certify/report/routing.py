"""The section about a game against routing without migration: where the jobs must go, and what that costs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from certify.report.canvas import INK, blank, undrawable
from certify.report.columns import drawn
from certify.report.scene import Scene
from certify.report.section import Section, render
from certify.report.servers_figures import told
from certify.report.shown import beside, exactly, nearly, share
from online import exact
from online.speed.games import Game, Sent
from online.speed.power_text import power_of
from online.speed.sums import power_lower, power_upper

if TYPE_CHECKING:
    from bokeh.plotting import figure

LISTED = 12
"""So many servers, and jobs of a round, are listed."""

RULES = {
    "least-loaded": "to the server with the least work left",
    "historically-least-loaded": "to the server that was sent the least work so far",
    "round-robin": "to the servers in turn",
    "staying-srpt": "to an idle server, else to one where all jobs have more left",
}
"""How each policy routes, in words."""


def routing(scene: Scene) -> Section | None:
    """The jobs of the game, where a policy must send them, and both costs; None for other problems."""
    if scene.problem != "routing":
        return None
    game, evidence = reopen_game(scene.document), scene.evidence[0]
    goal = max(scene.goals, key=lambda goal: exact.rational(goal["cost"]) / exact.rational(goal["opt"]))
    cost, opt = exact.rational(goal["cost"]) * game.tick, exact.rational(goal["opt"]) * game.tick
    values = {
        "game": game,
        "policy": evidence["policy"],
        "rule": RULES.get(evidence["policy"], ""),
        "power": str(power_of(scene.document["power"])),
        "cost": cost,
        "opt": opt,
        "order": (power_lower(Fraction(game.machines), r(game)), power_upper(Fraction(game.machines), r(game))),
        "exponent": exact.text(r(game)),
        "before": _listed(game.before, game),
        "each": _listed(game.each, game),
        "rows": [_row(k, game) for k in _dearest(game)],
        "costliest": share(max(game.servers_lower), game.policy_lower),
    }
    undrawn = undrawable(game.machines, [game.policy_lower * game.tick, game.optimum_upper * game.tick])
    html = render("routing", **values, undrawn=undrawn, exactly=exactly, beside=beside, nearly=nearly)
    models = {} if undrawn else {"routing-servers": _picture(game)}
    return Section("routing", "The game: all jobs stay where they are sent", html, models)


def reopen_game(document: dict[str, Any]) -> Game:
    """The game of a certificate that the checker accepted.

    Claim: its `policy_lower` is the cost that is claimed at most, its `optimum_upper` the optimum at least.
    """
    instance, evidence = document["instance"], document["evidence"][0]
    alpha = power_of(document["power"]).alpha
    assert alpha is not None
    before, each = (tuple(map(Sent, instance[part], evidence[part])) for part in ("before", "each"))
    tick = exact.rational(instance["tick"])
    policies = (evidence["policy"],)
    return Game(policies, instance["machines"], alpha, before, each, instance["rounds"], instance["falling"], tick)


def r(game: Game) -> Fraction:
    """1 - 1/alpha."""
    return 1 - 1 / game.alpha


def jobs_of(game: Game, server: int) -> tuple[int, int]:
    """How many jobs a server is sent, and their work in ticks."""
    first = [size for size, k in game.before if k == server]
    every = [size for size, k in game.each if k == server]
    fallen = game.falling * len(every) * game.rounds * (game.rounds - 1) // 2
    return len(first) + game.rounds * len(every), sum(first) + game.rounds * sum(every) - fallen


def _dearest(game: Game) -> list[int]:
    return sorted(range(game.machines), key=lambda k: (-game.servers_lower[k], k))[:LISTED]


def _row(server: int, game: Game) -> dict[str, Any]:
    count, work = jobs_of(game, server)
    costs = {"sent": game.servers_lower[server] * game.tick, "dealt": game.servers_upper[server] * game.tick}
    return {"server": server + 1, "jobs": count, "work": work * game.tick, **costs}


def _listed(jobs: Sequence[Sent], game: Game) -> dict[str, Any]:
    """The first jobs of a list, as sizes and servers, neighbours of a size on neighbouring servers as one."""
    runs: list[list[Any]] = []
    for size, server in jobs:
        if runs and runs[-1][0] == size * game.tick and runs[-1][2] == server:
            runs[-1][2] += 1
        else:
            runs.append([size * game.tick, server + 1, server + 1])
    return {"runs": runs[:LISTED], "more": len(runs) - LISTED, "count": len(jobs)}


def _picture(game: Game) -> figure:
    """What each server costs at least as the jobs are sent, beside an even deal."""
    from bokeh.models import BasicTicker, ColumnDataSource, DataRange1d, HoverTool, Legend, LegendItem, Range1d

    m = game.machines
    x = Range1d(1 / 2, m + 1 / 2, name="routing-x", min_interval=1)
    drawing = blank(x, 290, "server", "cost in units of μ0", y_range=DataRange1d(start=0))
    drawing.xaxis.ticker = BasicTicker(min_interval=1, desired_num_ticks=min(m, 20), num_minor_ticks=0)
    drawing.yaxis.formatter.use_scientific = False
    counted = [jobs_of(game, k) for k in range(m)]
    data: dict[str, Any] = {
        "left": drawn([Fraction(5 * k - 1, 5) for k in range(1, m + 1)]),
        "right": drawn([Fraction(5 * k + 1, 5) for k in range(1, m + 1)]),
        "sent": drawn(game.servers_lower, game.tick),
        "dealt": drawn(game.servers_upper, game.tick),
        "server": [str(k + 1) for k in range(m)],
        "jobs": [str(count) for count, _ in counted],
        "work": [told(work * game.tick) for _, work in counted],
        "cost": [told(value * game.tick, "down") for value in game.servers_lower],
        "even": [told(value * game.tick, "up") for value in game.servers_upper],
    }
    source = ColumnDataSource(data, name="routing-costs")
    style: dict[str, Any] = {"width": 2 / 5, "source": source, "line_color": INK, "line_width": 1 / 2 if m < 200 else 0}
    sent = drawing.vbar("left", top="sent", fill_color=INK, **style)
    even = drawing.vbar("right", top="dealt", fill_color="#9ecae1", **style)
    drawing.add_tools(HoverTool(renderers=[sent, even], tooltips=TIPS, description="servers"))
    items = [
        LegendItem(label="as sent, at least", renderers=[sent]),
        LegendItem(label="dealt evenly, at most", renderers=[even]),
    ]
    drawing.add_layout(Legend(items=items, border_line_alpha=0), "above")
    return drawing


TIPS = [
    ("server", "@server"),
    ("is sent", "@jobs jobs, @work of work"),
    ("costs at least", "@cost"),
    ("dealt evenly at most", "@even"),
]
"""What the pointer is told about a server."""
