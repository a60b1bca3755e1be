"""How language is read: tokens, snippets, front matter, dates."""
