"""The course server that Chartichaud comes from, once more: its HTTP endpoints in front of a match.

    http.py      bytes on a connection: requests come in, answers go out, with limits
    door.py      what a path asks for, and what is answered; a refusal is one sentence and changes nothing
    table.py     one match: who holds which seat, whose clock runs, what a seat is shown
    drawing.py   a view of our game in the JSON of the original, to the byte
    course.py    match after match, until as many are played as were asked for

The clients and bots that were written for the original play here as they are.
"""
