"""Clients that play matches over the network, to see what a server bears: the inside of `quincunx load`.

socket.py    a WebSocket client with next to nothing in it
rest.py      a request, an answer
protocol.py  what is said to a server, and what its words mean; ours here, others in `benchmarks/`
clients.py   the matches at which the clients sit, and the times that are measured
host.py      the server that is looked at: started, its memory, its disk
"""
