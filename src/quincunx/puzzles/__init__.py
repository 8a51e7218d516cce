"""Puzzles: positions with one action that is clearly better than all others, found, verified and graded by search.

puzzle.py       what a puzzle is, and the shelf of those that a game's folder ships (puzzles.jsonl)
judging.py      what actions are worth to a seat, by what that seat can know
sources.py      where positions come from: hasty matches between computers, and records
mining.py       finds puzzles, looks again with more effort, grades them
showing.py      a try: right or wrong, and what comes of it on the board
"""
