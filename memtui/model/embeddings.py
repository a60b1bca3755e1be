"""Embeddings: what is known of a vector space without loading any model."""

from __future__ import annotations

WIDTHS = (384, 512, 768, 1024, 1536, 3072)
"""Widths of vectors that stores have tables for; another needs a migration."""
