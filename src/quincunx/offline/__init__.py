"""Matches without a server: what a page's worker runs, in a Python of its own in the browser (web/src/offline/).

A house (house.py) has the matches of one browser and answers what the pages ask over REST; at a table (table.py) sits
one client (client.py), who says the words of match/wire.py and hears them. Referee, feeds, views and stories are the
server's. Three things come from outside: somebody who thinks for computers (thinking.py), somebody who keeps what was
played, and the time. Nothing here starts a thread or a process, opens a file or a socket.
"""
