"""The levels are those of its kind; a puzzle is looked for with more thought than usual."""

EFFORT = 12_000
