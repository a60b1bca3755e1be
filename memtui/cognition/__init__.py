"""How memory behaves: pure functions over the model."""
