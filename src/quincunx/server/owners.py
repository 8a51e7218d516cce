"""Who asks: the header `X-Owner`, a long random word that a browser made and keeps. The store has its hash.

It says whose setups these are, and, once its owner has a name, who they are (people.py). It is never in an address.
"""

from __future__ import annotations

from typing import Annotated

from litestar.params import HeaderParameter

from quincunx.core.words import Refused, Words
from quincunx.server.tokens import hash_of

WHO = Words("Il manque l’en-tête X-Owner, qui dit qui demande.", "The header X-Owner, which says who asks, is missing.")

Owner = Annotated[str | None, HeaderParameter(name="X-Owner", pattern="^[A-Za-z0-9_-]{16,128}$")]


def owner_hash(owner: str | None) -> str:
    if owner is None:
        raise Refused("no_owner", WHO)
    return hash_of(owner)
