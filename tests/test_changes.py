"""What changed between two updates, said shorter, makes the same update; a ripple is what every eye would see."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from cases import Step, long_journey
from quincunx.core.board import Ripple
from quincunx.core.contract import PUBLIC
from quincunx.games import Game, World, cards, load
from quincunx.match.changes import patch, patched
from quincunx.match.wire import write

RIPPLING = [card.id for card in cards() if hasattr(load(card.id, "interpreted").view_of, "ripple")]

ADA, BOB = ({"name": name, "kind": "person"} for name in ("Ada", "Bob"))


def test_a_patch_is_short_and_exact() -> None:
    old = (False,) * 100
    assert patch(old, (*old[:5], True, *old[6:])) == {"5": True}
    assert patch((1, 2), (3, 4)) == (3, 4) and patch("a", "b") == "b" and patch((1, 2), (1,)) == (1,)


def test_what_is_not_said_stays_and_time_runs() -> None:
    update = {
        "type": "update", "n": 3, "shown": {"rows": [1, 2], "sealed": [False] * 4}, "story": ["old"], "legal": ["a"],
        "to_act": [0, 2], "clocks": [9000, 500, 100], "seats": [ADA, BOB], "recap": True,
    }  # fmt: skip
    said = {"type": "changed", "n": 4, "shown": {"sealed": {"2": True}}, "acted": [2], "clocks": {"2": 700}}
    after = patched(update, said, passed=1000)
    assert after["shown"] == {"rows": [1, 2], "sealed": [False, False, True, False]}
    assert after["clocks"] == [8000, 500, 700] and after["to_act"] == [0]
    assert after["story"] == [] and after["legal"] == ["a"] and after["type"] == "update" and not after["recap"]
    assert patched(update, {"n": 4, "seats": {"1": ADA}, "to_act": [1], "legal": []})["seats"] == [ADA, ADA]


@pytest.mark.parametrize("kind", ["open", "awaited"])
def test_no_clock_runs_while_somebody_is_still_to_come(kind: str) -> None:
    update = {"shown": {}, "to_act": [0], "clocks": [9000, 9000], "seats": [ADA, {**BOB, "kind": kind}]}
    come = patched(update, {"seats": {"1": BOB}}, passed=4000)
    assert come["clocks"] == [9000, 9000]
    assert patched(come, {"draw_offers": [0]}, passed=1000)["clocks"] == [8000, 9000]


@pytest.mark.parametrize("id", RIPPLING)
def test_a_ripple_is_what_every_eye_would_have_seen(id: str) -> None:
    """Without a look: all others are shown, told and allowed exactly this."""
    game = load(id)
    world, ripples = game.new(seed=2), 0
    for choice in long_journey(2, 90):
        before, seat = game.clone(world), game.turn(world)
        actions = game.legal(world)
        action = actions[-1 if choice % 3 == 0 else choice % len(actions)]  # the last one ends a turn
        game.apply(world, seat, action)
        ripple = game.ripple(before, world)
        if ripple is None:
            continue
        ripples += 1
        for eye in (PUBLIC, *range(game.seats(world))):
            if eye != seat or ripple.own:
                check(game, before, world, Step(seat, action), eye, ripple)
    assert 20 < ripples < 90


def check(game: Game, before: World, after: World, step: Step, eye: int, ripple: Ripple) -> None:
    now: dict[str, Any] = msgspec.structs.asdict(game.show(game.view(before, eye)))
    assert all(now[name] == was for name, (was, _) in ripple.shown.items())
    now |= {name: new for name, (_, new) in ripple.shown.items()}
    assert json.loads(write(now)) == json.loads(write(game.show(game.view(after, eye))))
    told, heard = (game.apply_and_log(game.clone(before), *step, who) for who in (PUBLIC, eye))
    assert game.tell(after, eye, heard) == game.tell(after, PUBLIC, told)
    if eye >= 0 and game.to_act(after, eye):
        assert game.legal(after, eye) == game.legal(before, eye)
