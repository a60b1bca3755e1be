"""The history of the sample vault: what a team that weighs olives learned, got wrong and corrected in two years."""
