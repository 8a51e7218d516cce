"""Search: both gears think alike, alpha-beta gives minimax's value, MCTS finds what is forced, budgets are kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from cases import long_journey, travel
from quincunx.core import contract, hints
from quincunx.core.words import Refused
from quincunx.games import Game, Observation, World, cards, load
from quincunx.games.casus_belli.field import SEAL
from quincunx.games.khet import rules as khet
from quincunx.players import make
from quincunx.players import mcts as mcts_player
from quincunx.players.budget import Budget
from quincunx.players.line import read
from quincunx.players.mcts import MctsPlayer
from quincunx.players.minimax import ExactPlayer, MinimaxPlayer
from quincunx.search import mcts
from quincunx.search.history import MAX_PLY
from quincunx.search.value import WIN

SPECS = ["random", "greedy", "minimax:depth=1", "alphabeta:depth=2,nodes=4000", "mcts:simulations=40", "level:2"]
OPEN_GAMES = [card.id for card in cards() if card.open]


def positions(game: Game, count: int, **options: Any) -> list[World]:
    """Positions of random games, where somebody is to act."""
    found: list[World] = []
    seed = 0
    while len(found) < count:
        seed += 1
        world = game.new(seed=seed, **options)
        for n, _ in enumerate(travel(world, long_journey(seed, 60), seed)):
            if n % 4 == seed % 4 and game.turn(world) >= 0:
                found.append(game.clone(world))
    return found[:count]


def look(world: World) -> Observation:
    return world.game.view(world, world.game.turn(world))


@pytest.mark.parametrize(
    "id, count, depth, options",
    [
        ("connect_four", 1500, 4, {}),
        ("connect_four", 300, 4, {"misere": True}),
        ("cultist", 500, 3, {}),
        ("cultist", 300, 3, {"preset": "codingame"}),
        ("cultist", 200, 3, {"neutrals": "wander"}),
        ("cultist", 100, 3, {"turns": 20, "destructible": True}),
        ("khet", 700, 2, {}),
        ("khet", 60, 3, {"setup": "dynasty"}),
        ("khet", 200, 2, {"setup": "imhotep", "pharaoh_rotates": False}),
    ],
)
def test_alphabeta_gives_the_value_of_minimax(id: str, count: int, depth: int, options: dict[str, Any]) -> None:
    game = load(id, "compiled")
    full = MinimaxPlayer(game, 0, Budget(depth=depth))
    quick = ExactPlayer(game, 0, Budget(depth=depth))
    nodes = [0, 0]
    for world in positions(game, count, **options):
        full.choose(look(world))
        quick.choose(look(world))
        assert quick.info.value == full.info.value
        nodes[0] += full.info.nodes
        nodes[1] += quick.info.nodes
    assert nodes[1] < nodes[0]


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("id", [card.id for card in cards()])
def test_a_player_chooses_the_same_legal_action_in_both_gears(id: str, spec: str) -> None:
    slow, fast = (load(id, gear) for gear in ("interpreted", "compiled"))
    for a, b in zip(positions(slow, 6), positions(fast, 6), strict=True):
        chosen = make(spec, slow, seed=5).choose(look(a))
        assert slow.check(a, slow.turn(a), chosen) is None
        assert make(spec, fast, seed=5).choose(look(b)) == chosen


@pytest.mark.parametrize("spec", ["alphabeta:nodes=3000", "mcts:simulations=300", "minimax:nodes=500"])
@pytest.mark.parametrize("id", OPEN_GAMES)
def test_a_player_is_deterministic_for_a_seed_and_a_budget(id: str, spec: str) -> None:
    game = load(id, "compiled")
    for world in positions(game, 4):
        one, two = make(spec, game, seed=9), make(spec, game, seed=9)
        assert one.choose(look(world)) == two.choose(look(world))
        assert one.info.nodes == two.info.nodes


@pytest.mark.parametrize(
    "spec, most", [("alphabeta:nodes=777", 777), ("minimax:nodes=777", 777), ("mcts:simulations=77", 77)]
)
def test_a_budget_of_nodes_is_kept(spec: str, most: int) -> None:
    game = load("khet", "compiled")
    player = make(spec, game)
    player.choose(look(game.new()))
    assert 0 < player.info.nodes <= most


def test_a_budget_of_time_ends_the_thought() -> None:
    """With no other limit, only the alarm can end it; the deepest search of Khet would take years."""
    game = load("khet", "compiled")
    for spec in ("alphabeta:time=0.05", "mcts:time=0.05", "minimax:time=0.05"):
        player = make(spec, game)
        world = game.new()
        assert game.check(world, 0, player.choose(look(world))) is None


def test_threads_find_what_one_finds_and_play_by_the_rules() -> None:
    game = load("khet", "compiled")
    for world in positions(game, 6):
        player = make("alphabeta:nodes=20000,threads=2,table=1", game)
        assert game.check(world, game.turn(world), player.choose(look(world))) is None
        assert player.info.nodes > 0
    won = load("connect_four", "compiled")
    world = won.new(position="7/7/7/7/rrr4/yyy4")
    assert won.text(world, 0, make("alphabeta:depth=6,threads=3", won).choose(look(world))) == "d"


def test_khet_is_in_check_where_the_beam_says_so() -> None:
    """In_check saves itself the beam that has just been fired."""
    game = load("khet", "interpreted")
    for world in positions(game, 200):
        seat, state = game.turn(world), world.rows[0]
        hit = khet.fire(state, 1 - seat)
        expected = hit >= 0 and hit == state.pharaohs[seat]
        assert game.gear.bind(hints.in_check)(world.terms[0], state, seat) == expected


def test_a_player_that_begins_anew_remembers_nothing() -> None:
    game = load("khet", "compiled")
    player = make("alphabeta:nodes=4000", game)
    world = game.new()
    seen = []
    for _ in range(2):
        player.begin(3)
        seen.append((player.choose(look(world)), player.info.nodes, player.info.value))
    assert seen[0] == seen[1]


def test_the_actions_that_khet_calls_noisy_are_those_that_destroy_an_enemy() -> None:
    game = load("khet", "interpreted")
    for world in positions(game, 60):
        seat, state = game.turn(world), world.rows[0]
        out, marks = game.gear.ints(game.rules.MAX_LEGAL), game.gear.ints(game.rules.MAX_LEGAL)
        n = game.gear.bind(hints.noisy_actions)(world.terms[0], state, seat, out, marks)
        listed, before = set(out[:n]), _enemies(game, world, seat)
        takes = {a for a in game.legal(world) if _enemies(game, _after(game, world, seat, a), seat) < before}
        assert len(listed) == n
        assert listed <= takes
        assert bool(listed) == bool(takes)


def test_what_khet_counts_as_it_goes_is_what_stands_on_the_board() -> None:
    game = load("khet", "compiled")
    for world in positions(game, 200):
        played, read = game.state(world), game.state(game.new(position=game.position(world)))
        assert (played.pharaohs, played.pyramids, played.anubis) == (read.pharaohs, read.pyramids, read.anubis)


WINS = [  # a win at once, or a loss that only one move prevents
    ("connect_four", "7/7/7/7/rrr4/yyy4", "d"),
    ("connect_four", "7/7/7/7/7/rryyy2", "f"),
]


@pytest.mark.parametrize("spec", ["minimax:depth=2", "alphabeta:depth=3", "mcts:simulations=4000"])
@pytest.mark.parametrize("id, position, answer", WINS)
def test_what_is_forced_is_found(id: str, position: str, answer: str, spec: str) -> None:
    game = load(id, "compiled")
    world = game.new(position=position)
    assert game.text(world, game.turn(world), make(spec, game, seed=1).choose(look(world))) == answer


@pytest.mark.parametrize("spec", ["greedy", "minimax:depth=1", "alphabeta:depth=3", "mcts:simulations=4000"])
def test_a_beam_that_wins_at_once_is_fired(spec: str) -> None:
    game = load("khet", "compiled")
    won = 0
    for world in positions(game, 400):
        seat = game.turn(world)
        wins = {a for a in game.legal(world) if _score_after(game, world, seat, a) == 1}
        if wins:
            won += 1
            assert make(spec, game, seed=1).choose(look(world)) in wins
    assert won >= 10


def _after(game: Game, world: World, seat: int, action: int) -> World:
    after = game.clone(world)
    game.apply(after, seat, action)
    return after


def _enemies(game: Game, world: World, seat: int) -> int:
    return sum(piece != 0 and piece >> 5 != seat for piece in world.rows[0].board)


def _score_after(game: Game, world: World, seat: int, action: int) -> int:
    after = game.clone(world)
    game.apply(after, seat, action)
    return game.score(after, seat)


def test_a_quick_win_is_worth_more_than_a_slow_one() -> None:
    game = load("connect_four", "compiled")
    world = game.new(position="7/7/7/7/rrr4/yyy4")
    for depth in (1, 2, 3, 4, 5):
        player = make(f"alphabeta:depth={depth}", game)
        player.choose(look(world))
        assert player.info.value == WIN + MAX_PLY - 1
        exact = ExactPlayer(game, 0, Budget(depth=depth))
        exact.choose(look(world))
        assert exact.info.value == WIN + depth - 1


def test_the_stronger_player_wins() -> None:
    """A ladder of the first players, over Connect Four: each beats the one before it clearly."""
    from quincunx.tournament import Series
    from quincunx.tournament.series import points_of_first

    for weak, strong in (("random", "greedy"), ("greedy", "alphabeta:depth=4"), ("random", "mcts:simulations=200")):
        series = Series("connect_four", (strong, weak), games=40, seed=3)
        assert sum(points_of_first(series, bout.outcome, bout.number) for bout in series.run()) >= 28


@pytest.mark.parametrize(
    "spec",
    ["", "chess", "random:depth=1", "alphabeta:depth=0", "alphabeta:depth=x", "alphabeta:simulations=3", "mcts:time=-1",
     "mcts:time=nan", "minimax:depth", "alphabeta:depth=65", "alphabeta:threads=0",
     "alphabeta:table=0", "mcts:table=8", "mcts:simulations=1e3"],
)  # fmt: skip
def test_a_player_that_cannot_be_is_refused(spec: str) -> None:
    with pytest.raises(Refused, match=r"^This needs "):
        make(spec, load("khet", "interpreted"))


@pytest.mark.parametrize("spec", SPECS)
def test_a_seat_that_is_asked_together_with_others_gives_its_own_orders(spec: str) -> None:
    """The lowest seat that has not sealed is `turn`; the player of another one must not answer for it."""
    game = load("casus_belli", "compiled")
    asked = 0
    for world in positions(game, 12, setup="pit", seats=3):
        for seat in range(3):
            if seat != game.turn(world) and game.to_act(world, seat):
                asked += 1
                action = make(spec, game, seed=3).choose(game.view(world, seat))
                assert game.check(world, seat, action) is None
    assert asked >= 6


@pytest.mark.slow
@pytest.mark.parametrize(
    "id, least, options", [("connect_four", 60, {}), ("cultist", 20, {"turns": 20}), ("khet", 8, {})]
)
def test_what_a_tree_proves_is_so(id: str, least: int, options: dict[str, Any]) -> None:
    """Won or lost for good: an exact search of some depth says the same, or has not seen the end yet."""
    game = load(id, "compiled")
    player, exact = MctsPlayer(game, 1, Budget(simulations=3000)), ExactPlayer(game, 0, Budget(depth=4))
    agreed = 0
    for world in positions(game, 400, **options):
        seat = game.turn(world)
        action = player.choose(look(world))
        proven = read(game, player._nodes, 0, "proven")
        exact.choose(look(world))
        value = exact.info.value or 0
        if proven and abs(value) >= WIN:
            assert (value > 0) == (proven > 0)
            agreed += 1
            if proven > 0:
                then = game.clone(world)
                game.apply(then, seat, action)
                if not game.over(then):
                    exact.choose(look(then))
                    assert (exact.info.value or 0) < WIN
    assert agreed >= least


@pytest.mark.slow
def test_a_full_tree_proves_no_more_than_it_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is room for a win in three actions and for none in five: what is proven, a search of depth four sees."""
    monkeypatch.setattr(mcts_player, "NODES", 150)
    game = load("khet", "compiled")
    player, exact = MctsPlayer(game, 1, Budget(simulations=3000)), ExactPlayer(game, 0, Budget(depth=4))
    proofs = 0
    for world in positions(game, 400):
        player.choose(look(world))
        if proven := read(game, player._nodes, 0, "proven"):
            proofs += 1
            exact.choose(look(world))
            assert (exact.info.value or 0) * proven >= WIN
    assert proofs >= 8


@pytest.mark.parametrize("id", [card.id for card in cards()])
def test_no_constant_of_a_game_is_taken_for_one_of_the_search(id: str) -> None:
    """What a game says about simulation is found by name: another number under that name would be taken for it."""
    habits = MctsPlayer(load(id, "interpreted"), 1, Budget(simulations=1))._habits
    assert min(habits.values()) >= 0 and habits["eager"] >= 1 and 0 < habits["exploration"] <= 2


def test_dice_prove_nothing() -> None:
    """Before they fall, nobody has won, and what comes of a throw says nothing about the next one."""
    for chosen_by, proven in ((0, 1), (1, -1), (contract.CHANCE, 0)):
        node = mcts.Node()
        node.seat = chosen_by
        mcts.prove(node, 0, 1)
        assert node.proven == proven


def test_proofs_change_no_judgement_of_dice() -> None:
    game = load("garden", "compiled")
    proving, plain = (MctsPlayer(game, 1, Budget(simulations=2000), certain=certain) for certain in (1, 0))
    proofs = 0
    for world in _ends(game, 8):
        for player in (proving, plain):
            player.choose(look(world))
        proofs += read(game, proving._nodes, 0, "proven") != 0
        assert abs((proving.info.value or 0) - (plain.info.value or 0)) < 0.1
    assert proofs >= 10


def _ends(game: Game, matches: int) -> Iterator[World]:
    """The last actions of random matches."""
    for seed in range(matches):
        world = game.new(seed=seed)
        worlds = [game.clone(world) for _ in travel(world, long_journey(seed, 1000), seed)]
        yield from (world for world in worlds[-12:] if game.turn(world) >= 0)


def test_a_full_tree_goes_on_learning(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every round goes through one of the root's actions, also when there is no room for another node."""
    monkeypatch.setattr(mcts_player, "NODES", 40)
    game = load("khet", "compiled")
    player, world = MctsPlayer(game, 1, Budget(simulations=2000)), game.new()
    player.choose(look(world))
    children = [player._child(0, [action])[0] for action in game.legal(world)]
    assert sum(read(game, player._nodes, child, "visits") for child in children if child) == 2000


def test_trust_in_ranks_goes_to_the_promising_and_fades() -> None:
    """After few rounds the tree believes what a rank says, after many only what came of it."""
    game, trust = load("connect_four", "compiled"), 1000.0  # its ranks are small
    world, rank = game.new(), game.gear.bind(hints.rank)
    ranks = [rank(world.terms[0], world.rows[0], 0, action) for action in game.legal(world)]
    tried = []
    for rounds in (28, 40_000):
        believing, plain = (MctsPlayer(game, 1, Budget(simulations=rounds), trust=t) for t in (trust, 0.0))
        for player in (believing, plain):
            player.choose(look(world))
        tried.append([_rank_tried(player, ranks) for player in (believing, plain)])
    few, many = tried
    assert few[0] > few[1] + 0.1
    assert abs(many[0] - many[1]) < (few[0] - few[1]) / 2


def _rank_tried(player: MctsPlayer, ranks: list[int]) -> float:
    """The mean rank of what the root tried."""
    children = [player._child(0, [action])[0] for action in range(len(ranks))]
    visits: list[int] = [read(player.game, player._nodes, child, "visits") for child in children]
    return sum(n * rank for n, rank in zip(visits, ranks, strict=True)) / sum(visits)


@pytest.mark.parametrize("id", [card.id for card in cards()])
def test_a_tree_grows_from_some_allowed_actions_each_once(id: str) -> None:
    game = load(id, "compiled")
    offers, out = game.gear.bind(mcts.offers), game.gear.ints(game.rules.MAX_LEGAL)
    for world in positions(game, 60):
        seat = game.turn(world)
        offered = [int(action) for action in out[: offers(world.terms, world.rows, seat, out)]]
        assert offered
        assert len(set(offered)) == len(offered)
        assert [action for action in offered if game.check(world, seat, action) is not None] == []


def test_it_does_not_matter_to_a_thought_whether_others_have_sealed() -> None:
    """Nobody knows what they sealed: it is thought that they order as they would now, not that they do nothing."""
    game = load("casus_belli", "compiled")
    met = 0
    for world in positions(game, 30, seats=2, width=11, height=11):
        if game.turn(world) != 0:
            continue
        met += 1
        before = make("mcts:simulations=30", game, seed=4).choose(game.view(world, 1))
        game.apply(world, 0, SEAL)
        assert make("mcts:simulations=30", game, seed=4).choose(game.view(world, 1)) == before
    assert met >= 8


@pytest.mark.parametrize(
    "id, spec, options",
    [
        ("garden", "mcts:simulations=1000", {}),
        pytest.param(
            "casus_belli",
            "mcts:simulations=30",
            {"seats": 2, "width": 11, "height": 11, "turns": 21},
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "chartichaud", "mcts:simulations=60", {"width": 8, "height": 6, "turns": 40}, marks=pytest.mark.slow
        ),
    ],
)
def test_who_plays_on_in_thought_beats_who_takes_what_looks_best(id: str, spec: str, options: dict[str, Any]) -> None:
    from quincunx.tournament import Series
    from quincunx.tournament.series import points_of_first

    series = Series(id, (spec, "greedy"), games=8, seed=11, options=options)
    assert sum(points_of_first(series, bout.outcome, bout.number) for bout in series.run()) >= 5.5
