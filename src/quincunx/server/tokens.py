"""What is drawn from the operating system's entropy: dice, codes to join by, and seat tokens, 128 random bits for
whoever holds a seat, of which the store only has the hash."""

from __future__ import annotations

import hmac
import secrets
from base64 import urlsafe_b64encode
from hashlib import sha256

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"  # without I and O


def new_token() -> str:
    return secrets.token_urlsafe(16)


def seat_token(key: str, contest: str) -> str:
    """What holds the seats of whoever has this key, in one arena. The key cannot be worked out from it, and whoever
    shows the key again, after a crash say, gets the same one."""
    digest = hmac.new(key.encode(), contest.encode(), sha256).digest()
    return urlsafe_b64encode(digest[:18]).decode()


def hash_of(token: str) -> str:
    return sha256(token.encode()).hexdigest()


def new_code() -> str:
    """Six letters that can be read out over the telephone."""
    return "".join(secrets.choice(LETTERS) for _ in range(6))


def new_id() -> str:
    """A word of a command line, too: none begins like an option."""
    while (id := secrets.token_urlsafe(9)).startswith("-"):
        pass
    return id


def entropy() -> int:
    """For the dice of one roll."""
    return secrets.randbits(63)
