"""The commands on flow time plus energy: `--problem energy`, `dualfit drift`, and the games of [S]."""
