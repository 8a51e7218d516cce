"""What environments are tried on: every game with every preset, on boards small enough for seconds."""

from __future__ import annotations

from typing import Any

from quincunx.games import cards, load

SMALL: dict[str, dict[str, Any]] = {
    "casus_belli": {"seats": 2, "width": 9, "height": 9, "placement": 1, "turns": 21},
    "chartichaud": {"width": 6, "height": 5, "turns": 10},
    "cultist": {"turns": 40},
    "garden": {"rounds": 5},
}
GAMES = [card.id for card in cards() if load(card.id, "interpreted").encoding is not None]
PRESETS = [(id, preset.name) for id in GAMES for preset in load(id, "interpreted").presets]
SIMULTANEOUS = [card.id for card in cards() if card.id in GAMES and card.simultaneous]


def settings(id: str, preset: str | None = None) -> dict[str, Any]:
    return {"preset": preset} | SMALL.get(id, {})
