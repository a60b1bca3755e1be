"""The verbs and `Memory`, the one application core that every door calls."""
