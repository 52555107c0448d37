"""Real logs, where they are at hand."""

from __future__ import annotations

import gzip

import pytest
from reader_inputs import DATA, eligible, times

from online.readers import Reading, ReadOptions, read

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the real logs are not here")


def data(name: str, **options: object) -> Reading:
    """Read a real log."""
    return read(DATA / name, ReadOptions(**options))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "kind", "machines", "read_", "used"),
    [
        ("accasim-25-crlf.swf", "swf", 1, 25, 25),
        ("hpc2n-3170.swf", "swf", 1, 3170, 3145),
        ("wagap-2013-ext21-3000.swf", "swf", 1, 3002, 3000),
        ("access-1000.clf.log", "clf", 1, 1000, 1000),
        ("example_workload_hpc_seed1_jobs250.json", "batsim", 128, 250, 250),
        ("test_same_submit_time.json", "batsim", 1, 18, 18),
        ("openb-gpuspec33-24nodes.csv", "csv", 24, 1500, 1500),
        ("ra-hurink-edata-la01.csv", "csv", 5, 50, 50),
        ("ra-hurink-vdata-la40.csv", "csv", 15, 225, 225),
        ("wagap-2013-68nodes.csv", "csv", 68, 3000, 3000),
    ],
)
def test_real_files_are_read(name: str, kind: str, machines: int, read_: int, used: int) -> None:
    """Each file is known by its content, and every job is used or dropped as counted here."""
    reading = data(name)
    assert (reading.format, reading.instance.machines) == (kind, machines)
    assert (reading.read, reading.used) == (read_, used)


def test_the_two_forms_of_one_log_agree() -> None:
    """The SWF log and the table made from it have the same run times, and submits that differ by one shift."""
    log, table = (data(name).instance for name in ("wagap-2013-ext21-3000.swf", "wagap-2013-68nodes.csv"))
    assert log.ids == table.ids
    assert log.size.tolist() == table.size.tolist()
    assert log.shifted(int(log.release[0])).release.tolist() == table.release.tolist()


def test_run_times_that_were_never_measured() -> None:
    """The 25 jobs of unknown run time have requested times, so asking for those uses every job."""
    reading = data("hpc2n-3170.swf", missing="requested")
    assert reading.used == 3170
    assert "unknown run times, replaced by the requested time: 25" in reading.notes


def test_partitions_of_a_grid() -> None:
    """All 170 declared sites are machines, named in the header; every job runs at its own site."""
    reading = data("lcg-2005-first20000.swf.gz", eligible_by="partition")
    assert (reading.instance.machines, reading.used) == (170, 20000)
    assert reading.instance.machine_names is not None
    assert reading.instance.machine_names[1] == "2 lancs.ac.uk"
    lines = gzip.decompress((DATA / "lcg-2005-first20000.swf.gz").read_bytes()).decode().splitlines()
    sites = {int(f[0]): int(f[15]) for f in map(str.split, lines) if f and f[0].isdigit()}
    assert eligible(reading.instance) == {job: [site] for job, site in sites.items()}


def test_sites_of_an_organisation() -> None:
    """By group, jobs are eligible at several sites; sizes and releases are those of the derived table."""
    log = data("lcg-2005-first20000.swf.gz", eligible_by="group").instance
    table = data("lcg-2005-vo-sites-2000.csv").instance
    assert times(log)[:2000] == times(table)
    derived = eligible(table)
    assert all(
        1 < len(log.job(j).eligible) <= len(derived[log.ids[j]]) for j in range(2000) if len(derived[log.ids[j]]) > 2
    )


def test_equal_submit_times_keep_the_order_of_the_file() -> None:
    """Jobs submitted together stand in file order, though their ids do not."""
    assert data("test_same_submit_time.json").instance.ids[3:9] == (20, 22, 21, 31, 30, 32)
