"""`dualfit demo`: the main job on a real trace, from input to checked certificate."""

from __future__ import annotations

import subprocess
import sys
from contextlib import ExitStack
from fractions import Fraction
from importlib import resources

import click

from certify import check
from certify.build import to_text
from certify.commands.common import JSON, load, save
from certify.commands.run import certified_run, report
from online.errors import FalseClaim
from online.flow_time.max_flow import LeastLoaded

TRACE = "openb-gpuspec33-24nodes.csv"
SIZE = "one:14400"
EPSILON = Fraction(1, 10)


@click.command("demo")
@click.option(
    "--out",
    "path",
    type=click.Path(dir_okay=False),
    default="demo.cert.json",
    show_default=True,
    help="Where the certificate goes.",
)
@JSON
def demo_command(path: str, as_json: bool) -> None:
    """Certify a run on the bundled GPU-cluster trace and have the certificate checked by a separate process.

    1 500 requests for 24 GPU nodes with their true eligible sets, each taken to last four hours; at most a tenth of
    them may be rejected. The offline optimum is unknown: the algorithm starts with a guess and doubles it.
    """
    with ExitStack() as stack:
        file = stack.enter_context(resources.as_file(resources.files("online.data") / TRACE))
        source = load(str(file), SIZE, False, {})
        outcome = certified_run(source, "max-flow", LeastLoaded, "max-flow", EPSILON, None, "auto")
    save(path, to_text(outcome.certified.document))
    report(outcome, path, as_json)
    command = [sys.executable, "-I", "-S", str(check.__file__), path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    click.echo("$ " + " ".join(["python", "-I", "-S", "certify/check.py", path]), err=as_json)
    click.echo(done.stdout, nl=False, err=as_json)
    if done.returncode != 0:
        raise FalseClaim("the separate checker did not accept the certificate: " + done.stderr, printed=True)
    click.echo("See every claim of the paper on this run:  dualfit ledger " + path, err=as_json)
