"""Learning that plays here: positions from self-play, a small net trained on them, a file that search reads.

selfplay.py    matches of a player against itself, as positions with what became of them
lessons.py     what the net sees of each, and what it is to say
training.py    the net in fractions, and how it learns
plan.py        what a training is to do, and its log
recipes.py     each game's own
run.py         all of it, in a folder, from wherever it was ended
proving.py     is the net better, at equal time?
"""
