"""Writes tests/encodings.json: digests of what every number, plane and scalar of an encoding means.

    python tests/make_encodings.py

Agents are trained on an encoding: where one of the digests changes, weights that were trained before mean nothing.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from cases import long_journey, travel
from env_cases import GAMES
from quincunx.envs.encoding import Encoding
from quincunx.games import load

KEPT = Path(__file__).parent / "encodings.json"
MATCHES, LENGTH = 3, 200


def described(id: str) -> dict[str, Any]:
    """The versions of rules and encoding, a digest of the names, and one of what was seen and numbered in matches."""
    game = load(id, "compiled")
    encoding = Encoding(game)
    seen = sha256()
    for seed in range(MATCHES):
        world = game.new(seed=seed)
        for k, (seat, action) in enumerate(travel(world, long_journey(seed, LENGTH), seed)):
            if seat >= 0 and k % 5 == 0:
                planes, scalars = encoding.observe(world.view(seat))
                seen.update(planes.tobytes() + scalars.tobytes() + encoding.mask(world, seat).tobytes())
                seen.update(str(encoding.number(world, seat, action)).encode())
    versions = [game.card.version, encoding.version]
    return {"versions": versions, "names": encoding.digest, "matches": seen.hexdigest()[:16]}


if __name__ == "__main__":
    found = {id: described(id) for id in GAMES}
    KEPT.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
