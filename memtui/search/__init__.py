"""How things are found: postings, scores, ranking, explanation."""
