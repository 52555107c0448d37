"""The ledger of every claim over many instances, for `dualfit audit`."""
