"""Where things are kept: the ledger port and its adapters."""
