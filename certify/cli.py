"""The command line. Exit codes: 0 fine, 1 a claim is false, 2 bad input, 3 a limit was reached."""

from __future__ import annotations

import io
import os
import sys
from importlib.metadata import version
from typing import Any

import click

from certify.commands.common import JSON, emit
from certify.commands.lazy import LazyGroup
from online.errors import DualfitError, Incomplete, InvalidInput, Unproven
from online.printable import printable
from online.readers import schema_text

COMMANDS = {
    "run": "certify.commands.run",
    "check": "certify.commands.check",
    "bound": "certify.commands.bound",
    "adversary": "certify.commands.adversary",
    "lp": "certify.commands.lp",
    "export": "certify.commands.export",
    "diagnose": "certify.commands.diagnose",
    "ledger": "certify.commands.ledger",
    "report": "certify.commands.report",
    "drift": "certify.commands.energy.drift",
    "stochastic": "certify.commands.energy.stochastic",
    "compare": "certify.commands.compare",
    "demo": "certify.commands.demo",
    "generate": "certify.commands.generate",
    "search": "certify.commands.search",
    "constants": "certify.commands.constants",
    "audit": "certify.commands.audit",
    "regress": "certify.commands.regress",
    "plot": "certify.commands.plot",
}
"""The modules of the commands."""


@click.group(
    cls=LazyGroup,
    lazy=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(version("dualfit"), prog_name="dualfit")
def dualfit() -> None:
    """Certify online scheduling runs by LP duality, in exact arithmetic.

    Exit codes: 0 fine, 1 a claim is false, 2 bad input, 3 a limit was reached.
    """


@dualfit.command("schema")
@JSON
def schema_command(as_json: bool) -> None:
    """Print the JSON Schema of dualfit's own instance format (with or without --json, as it is JSON)."""
    click.echo(schema_text(), nl=False)


def main() -> None:
    """Run the command line; every refusal ends in a message and its exit code, never in a traceback."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """The exit code of a command line."""
    sys.path.append(os.getcwd())  # so that --algorithm finds a module of the user's own
    if sys.stdout is None:  # closed by the caller
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - open to the end
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # names that the terminal cannot show
    return _run(arguments)


def _nobody_reads() -> int:
    """Keep Python from complaining at exit about output that it still holds."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return 141


def _run(arguments: list[str]) -> int:
    try:
        code = dualfit.main(arguments, prog_name="dualfit", standalone_mode=False)
        sys.stdout.flush()
    except click.Abort:
        click.echo("interrupted", err=True)
        return 130
    except click.ClickException as refused:
        refused.show()
        _as_json(arguments, {"error": refused.format_message()})
        return 2
    except DualfitError as failed:
        click.echo("\n".join(map(printable, f"{_kind(failed)}: {failed}".split("\n"))), err=True)
        _as_json(arguments, _document(failed))
        return failed.exit_code
    except (BrokenPipeError, SystemExit):  # click exits by itself when the reader of our output has left
        return _nobody_reads()
    except OSError as failed:
        click.echo(f"bad input: standard output cannot be written: {failed.strerror or failed}", err=True)
        return 2
    return code if isinstance(code, int) else 0


def _kind(failed: DualfitError) -> str:
    if isinstance(failed, Incomplete):
        return "incomplete audit"
    if isinstance(failed, Unproven):
        return "open"
    return {1: "false claim", 2: "bad input", 3: "limit reached"}[failed.exit_code]


def _document(failed: DualfitError) -> dict[str, Any] | None:
    if failed.printed:
        return None
    if isinstance(failed, InvalidInput):
        return {"error": str(failed), "problems": [vars(problem) for problem in failed.problems]}
    return {"error": str(failed)}


def _as_json(arguments: list[str], document: dict[str, Any] | None) -> None:
    """With --json a refusal is one JSON object too; not if the result was printed already."""
    if "--json" in arguments and document is not None:
        emit(document)


if __name__ == "__main__":
    main()
