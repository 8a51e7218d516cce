"""Programs in any language as players: processes that are told what their seat knows, and answer in text.

    program:COMMAND      speaks our protocol, JSON on stdin and stdout (dialogue.py)
    codingame:COMMAND    speaks the text protocol of Cultist Wars (codingame.py)
    champion:FILE        a champion of Casus Belli's contest, in Python, C or C++ (quincunx.champions)
    bot:NAME             one of these under a name of the user's (bots.py)

A `Program` has a process (process.py) under a warden (warden.py) within limits (limits.py); a table (players/table.py)
plays with it.
"""
