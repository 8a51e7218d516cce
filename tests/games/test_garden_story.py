"""Garden Tensions as players see it: the panel, the board, and a story that leaves nothing out."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from games.gardens import PAIRS, at_war, every_pair, game, garden, options, play, step
from quincunx.core.board import Event
from quincunx.core.contract import CHANCE, NOBODY, PUBLIC
from quincunx.core.random import seeded
from quincunx.games import World
from quincunx.games.garden import story
from quincunx.games.garden.view import Stock


def test_the_panel_says_all_that_a_player_needs() -> None:
    lawn = "a1=A1 a2=A1 b1=A1 b2=A1 c1=A2f2 d5=A1 d6=A1 e4=A1 e5=A1 c3=A1 b3=A3 c7=B2p2i1 d4=B1h"
    world = garden(lawn, a="points=9 food=1 metal=5 stone=2 stock=3", clan0="blacksmiths", turn="turn=6")
    shown = game.show(game.view(world, 0))
    me, other = shown.players
    assert (me.clan, me.stock, me.points, me.points_needed) == ("blacksmiths", 3, 9, 8)
    assert me.goods == Stock(food=1, metal=5, stone=2, wood=0)
    assert me.income == Stock(food=4, metal=4, stone=2, wood=4)
    assert me.specials == ("sky", "barbecue") and other.specials == ("candy",)
    assert [(zone.ground, zone.held, zone.total) for zone in me.zones] == [
        ("grass", 9, 10), ("sand", 0, 7), ("mud", 0, 8)]  # fmt: skip
    assert me.zones[0].missing == ("c7",) and me.next_reinforcement == 2
    hexes = {each.name: each for each in shown.hexes}
    assert (hexes["c7"].state, hexes["c7"].ticks, hexes["c7"].immobilised) == ("poisoned", 2, 1)
    assert (hexes["d4"].state, hexes["d4"].price, hexes["d4"].resource) == ("protected", 3, "food")
    assert hexes["c1"].forged == 2 and (shown.round, shown.rounds, shown.phase) == (4, 60, "conquest")
    powers = {power.name: power for power in shown.powers}
    assert set(powers) == {"sky", "barbecue", "pool", "candy", "pillage", "forge"}
    assert powers["sky"].available and powers["sky"].targets == ("c7",)  # no food for the candy
    assert (powers["barbecue"].code, powers["pool"].code, powers["candy"].code) == (
        "too_poor",
        "not_held",
        "wrong_phase",
    )
    assert powers["pillage"].targets == ("c7", "d4") and powers["pillage"].resource == "points"
    assert {power.code for power in game.show(game.view(world, 1)).powers} == {"not_to_act"}
    assert game.show(game.view(world, PUBLIC)).powers == shown.powers


@every_pair
def test_a_power_is_shown_as_available_where_it_is_legal(clans: tuple[str, str]) -> None:
    seen: Counter[str] = Counter()
    for seed in range(6):
        world = at_war(seed, clans)
        random, choice = game.random(seed), seeded(seed)
        for _ in range(40):
            seat = game.turn(world)
            if seat == NOBODY:
                break
            if seat != CHANCE:
                used = [text.split() for text in options(world)]
                for power in game.show(game.view(world, seat)).powers:
                    targets = {words[-1][-2:] for words in used if words[0] == power.name}
                    assert power.available == bool(targets) == (not power.why_not.fr)
                    assert set(power.targets) == (targets if power.name != "candy" else set())
                    seen[power.code] += 1
            game.apply(world, *step(world, random, choice))
    assert {"", "wrong_phase", "not_held", "used_up"} <= set(seen)


def seen_by(world: World, seat: int) -> dict[str, Any]:
    """All of a view that can change, by names."""
    shown: dict[str, Any] = msgspec.to_builtins(game.show(game.view(world, seat)))
    changing = ("owner", "creatures", "state", "ticks", "immobilised", "forged")
    return {
        "hexes": {each["name"]: {name: each[name] for name in changing} for each in shown["hexes"]},
        "players": [{name: each[name] for name in ("stock", "points", "goods")} for each in shown["players"]],
        **{name: shown[name] for name in ("player", "phase", "turn", "winner")},
    }


def retell(view: dict[str, Any], events: list[Any]) -> None:
    """What a client that only hears the story makes of its view."""
    normal = {"state": "normal", "ticks": 0}
    for e in events:
        hexes = [view["hexes"][name] for name in e.cells]
        player = view["players"][e.seat] if hasattr(e, "seat") else {}
        match e:
            case story.Entered():
                hexes[0]["creatures"] = 1
                hexes[1].update(owner=e.seat, creatures=e.creatures, immobilised=0, forged=e.forged)
                hexes[1].update({"state": "protected", "ticks": 0} if e.how == "sheltered" else {})
            case story.Repelled():
                hexes[0]["creatures"] -= e.lost
            case story.Point():
                player["points"] += e.points
            case story.Goods():
                for name, amount in e.amounts.items():
                    player["goods"][name] += amount
            case story.Ticked():
                hexes[0].update({"ticks": e.ticks} if e.ticks else normal)
            case story.Died():
                hexes[0]["creatures"] -= e.dead
                assert hexes[0]["creatures"] == e.left and hexes[0]["owner"] == e.seat
                hexes[0].update({} if e.left else {"owner": -1, "immobilised": 0, "forged": 0, **normal})
            case story.Absorbed():
                hexes[0].update(normal)
            case story.Used(power="poison"):
                hexes[0].update(state="poisoned", ticks=3)
            case story.Used(power="forge"):
                hexes[0]["forged"] = 2
            case story.Used(power="immobilise"):
                hexes[0]["immobilised"] = 2
            case story.Deported():
                player["stock"] += e.creatures
            case story.Stocked():
                player["stock"] += e.creatures
                view["phase"] = "reinforcement" if e.why == "reinforcement" else view["phase"]
            case story.Placed():
                player["stock"] -= e.creatures
                hexes[0]["creatures"] += e.creatures
            case story.Faded():
                hexes[0][e.state] = e.left
            case story.Passed():
                view.update(player=e.seat, turn=e.turns, phase="conquest")
            case story.Over():
                view["winner"] = e.winner


def test_the_story_tells_every_change_of_a_view() -> None:
    told: Counter[str] = Counter()
    for seed in range(28):
        world = at_war(seed, PAIRS[seed % 4], humans=True, rounds=40)
        random, choice = game.random(seed), seeded(seed)
        for _ in range(100):
            if game.over(world):
                break
            observer = (0, 1, PUBLIC)[seed % 3]
            view = seen_by(world, observer)
            events = game.tell(world, observer, game.apply_and_log(world, *step(world, random, choice), observer))
            retell(view, events)
            assert view == seen_by(world, observer)
            for event in events:
                told[f"{type(event).__name__} {getattr(event, 'power', getattr(event, 'what', ''))}".strip()] += 1
                assert "{" not in event.words.fr + event.words.en
    kinds = {kind.__name__ for kind in Event.__subclasses__() if kind.__module__ == story.__name__}
    assert kinds == {name.split()[0] for name in told}
    acts = ("barbecue", "pool", "candy", "pillage", "poison", "forge", "immobilise")
    assert {f"Used {power}" for power in acts} <= set(told)
    assert {f"Humans {what}" for what in ("quiet", "footstep", "lunch", "sweets")} <= set(told)


def test_a_fight_is_told_with_its_dice() -> None:
    world = play(garden("c1=A3 c2=B2 c7=B1"), "c1-c2")
    events = game.tell(world, 1, game.apply_and_log(world, CHANCE, game.parse(world, CHANCE, "426/31"), 1))
    fought = events[0]
    assert isinstance(fought, story.Fought) and fought.cells == ("c1", "c2")
    assert (fought.attack, fought.defence, fought.won) == ((4, 2, 6), (3, 1), True)
    assert fought.words.fr == "les dés\u00a0: 4 + 2 + 6 = 12 contre 3 + 1 = 4, l’attaque réussit"
    assert events[1].words.en == "2 creatures take c2 from c1"


def test_the_board_is_hexagonal() -> None:
    board = game.board(game.view(garden("c1=A3p2 c2=B2hi1f1 c7=B1"), 0))
    assert board.hexagonal and [len(row) for row in board.cells] == [5, 6, 7, 6, 5]
    assert board.cells[2][0].text == "gf2:A3*" and board.cells[2][1].text == "sw1:B2+!^"
    assert board.cells[2][2].ground == "barbecue" and board.cells[2][1].owner == 1


def test_no_turn_is_told_to_begin_after_the_last() -> None:
    for rounds, lines in ((5, ["the cooks win the match"]), (6, ["the cooks’ turn begins"])):
        world = garden("c1=A3 c7=B1", turn="turn=9 player=B phase=reinforcement", b="stock=1", rounds=rounds)
        told = game.apply_and_tell(world, 1, game.parse(world, 1, "c7+1"), 0, 0)
        kept = [(event.turn, event.by, event.words.en) for event in told if event.line != "never"]
        assert [words for *_, words in kept][1 : 1 + len(lines)] == lines
        assert all((turn, by) == (5, 1) for turn, by, _ in kept) == (rounds == 5)
