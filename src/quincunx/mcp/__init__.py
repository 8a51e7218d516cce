"""Matches of a server as tools of a language model, over the Model Context Protocol (the extra `quincunx[mcp]`).

    tools.py     the tools: games, rules, new matches, a seat, the view, the legal actions, playing
    table.py     a seat of one match over its WebSocket: what it was told, and what it says
    lobby.py     the server over REST
    telling.py   a view and its story as text
    rules.py     the rules as text

It is a client like any other: it knows what its seat is shown, its clock runs, and the server's limits hold.
"""
