"""The database engine, by the module in which it really lies.

The `duckdb` package around it asks `importlib.metadata` for its own version when it is imported, and makes what the
DB API prescribes: 40 ms, more than the engine itself takes and a tenth of a one-shot recall, for nothing that is used
here. Both come from the same distribution, whose version is pinned because of the extensions.
"""

from __future__ import annotations

import _duckdb as duckdb

__all__ = ["duckdb"]
