"""What a seat is shown, in the JSON of the original server, to the byte.

    {"gold":{"A":25},"height":9,"map":[[…]],"player":"A","score":{"A":0,"B":0},"width":16,"winner":""}

`map[y][x]` is `{}` where nothing is seen, else `{"A":{"B":0,"C":3,"Cm":true,"M":0},"B":{…},"G":36}`: civilians,
military, buildings, gold; `Cm`, `Mm`, `Bm` stand beside one's own that can still act. Keys are sorted, nothing is
indented, and a line feed ends it, as Flask writes. All comes from the view of the seat; what it only remembers, the
original did not know of, and is left out.
"""

from __future__ import annotations

from typing import Any

import msgspec

SIDES = "AB"
KINDS = "CMB"  # civilians, military, buildings
NO_ONE = "No one"  # wins when the scores are equal

_encode = msgspec.json.Encoder(order="sorted").encode


def encoded(said: Any) -> bytes:
    return _encode(said) + b"\n"


def seat_view(shown: Any, seat: int, winner: str) -> bytes:
    """For a seat, from what our game shows it."""
    flags = shown.player == seat
    return encoded({**_common(shown, winner), "map": _map(shown, flags), "gold": {SIDES[seat]: shown.purse}})


def whole_view(everything: Any, seats: tuple[Any, Any], winner: str) -> bytes:
    """For those who may see all: what our game shows of the whole map, and to each seat."""
    gold = {side: shown.purse for side, shown in zip(SIDES, seats, strict=True)}
    sights = {
        f"view{side}": {f"{place.y}_{place.x}": 1 for place in shown.places if place.seen}
        for side, shown in zip(SIDES, seats, strict=True)
    }
    return encoded({**_common(everything, winner), "map": _map(everything, False), "gold": gold, **sights})


def _common(shown: Any, winner: str) -> dict[str, Any]:
    return {
        "player": SIDES[shown.turn % 2],
        "height": shown.height,
        "width": shown.width,
        "score": dict(zip(SIDES, shown.points, strict=True)),
        "winner": winner,
    }


def _map(shown: Any, flags: bool) -> list[list[dict[str, Any]]]:
    rows: list[list[dict[str, Any]]] = [[{} for _ in range(shown.width)] for _ in range(shown.height)]
    for place in shown.places:
        if place.seen:
            stacks = {stack.owner: stack for stack in place.stacks}
            units = {side: _units(stacks.get(owner), flags) for owner, side in enumerate(SIDES)}
            rows[place.y][place.x] = {"G": place.gold, **units}
    return rows


def _units(stack: Any, flags: bool) -> dict[str, Any]:
    if stack is None:
        return dict.fromkeys(KINDS, 0)
    numbers = dict(zip(KINDS, (stack.civilians, stack.military, stack.buildings), strict=True))
    able = zip(KINDS, stack.ready, strict=True) if flags and stack.ready is not None else ()
    return {**numbers, **{f"{kind}m": True for kind, ready in able if ready}}
