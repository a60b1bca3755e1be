"""What things are: plain values without input, output or a clock."""
