"""Champions of the original contest (Prologin 2012) as programs of the bot protocol, unmodified.

A champion in Python is run by `python_host/`, one in C or C++ is built with the library of `native/`. Both speak the
bot protocol for it, in a Casus Belli with the preset `final`: whoever plays programs need not know what they are.
"""

from quincunx.champions.building import build
from quincunx.champions.commands import command_of

__all__ = ["build", "command_of"]
