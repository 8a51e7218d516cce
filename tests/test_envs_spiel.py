"""Our games in OpenSpiel: its simulation tests, its search, its equilibria; and that no state tells a secret."""

from __future__ import annotations

import pickle
from collections import Counter
from itertools import product
from typing import Any

import pyspiel
import pytest

import quincunx.envs
from cases import long_journey, next_step
from env_cases import GAMES, PRESETS, settings
from quincunx.core.contract import CHANCE
from quincunx.envs.spiel import TINY_CHARTICHAUD, short_name
from quincunx.games import World, cards, load

DICE = [card.id for card in cards() if card.dice and card.id in GAMES]
THROWN = {"cultist": {"neutrals": "wander"}}  # where a game has dice only if somebody asks for them


@pytest.mark.parametrize("id, preset", PRESETS)
def test_random_simulations(id: str, preset: str) -> None:
    game = quincunx.envs.openspiel(id, longest=60, **settings(id, preset))
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.slow
@pytest.mark.parametrize("id, preset", PRESETS)
def test_random_simulations_of_whole_matches(id: str, preset: str) -> None:
    game = quincunx.envs.openspiel(id, **settings(id, preset))
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


def test_three_players_and_a_setup_by_name() -> None:
    war = pyspiel.load_game(f"{short_name('casus_belli')}(seats=3,width=11,height=11,longest=40)")
    assert war.num_players() == 3
    pyspiel.random_sim_test(war, num_sims=1, serialize=True, verbose=False)
    khet = pyspiel.load_game(f"{short_name('khet')}(setup=imhotep)")
    assert str(khet.new_initial_state()) == load("khet").new(setup="imhotep").position


@pytest.mark.parametrize("id", GAMES)
def test_it_is_the_same_game(id: str) -> None:
    """The texts of what is legal, and where each action leads."""
    given = settings(id) | THROWN.get(id, {})
    game, state = load(id, "compiled"), quincunx.envs.openspiel(id, seed=3, **given).new_initial_state()
    world = game.new(seed=3, **given)
    for choice in long_journey(5, 60):
        if state.is_terminal():
            break
        if state.is_chance_node():
            action, _ = state.chance_outcomes()[choice % len(state.chance_outcomes())]
            game.apply(world, CHANCE, game.odds(world)[action][0])
        else:
            player = state.current_player()
            assert player == world.turn
            texts = {state.action_to_string(player, n): n for n in state.legal_actions()}
            assert sorted(texts) == sorted(world.legal())
            text = sorted(texts)[choice % len(texts)]
            action = texts[text]
            world.play(text)
        state.apply_action(action)
        assert str(state) == world.position
    assert state.is_terminal() == world.over


def test_states_are_pickled_and_cloned_without_the_world_behind_them() -> None:
    state = quincunx.envs.openspiel("cultist", turns=10, neutrals="wander").new_initial_state()
    state.apply_action(state.legal_actions()[0])
    twin, copy = state.clone(), pickle.loads(pickle.dumps(state))
    before = str(state)
    state.apply_action(0)
    assert str(twin) == str(copy) == before != str(state)


# -- algorithms ------------------------------------------------------------------------------------------------------


def test_its_search_finds_the_winning_move() -> None:
    from open_spiel.python.algorithms import mcts

    state = quincunx.envs.openspiel("connect_four").new_initial_state()
    for column in (3, 0, 3, 0, 3, 0):
        state.apply_action(column)
    bot = mcts.MCTSBot(state.get_game(), 1.4, 60, mcts.RandomRolloutEvaluator(1))
    assert bot.step(state) == 3
    state.apply_action(3)
    assert state.returns() == [1, -1]


def test_its_search_throws_dice() -> None:
    from open_spiel.python.algorithms import mcts

    state = quincunx.envs.openspiel("cultist", turns=6, neutrals="wander").new_initial_state()
    bot = mcts.MCTSBot(state.get_game(), 1.4, 20, mcts.RandomRolloutEvaluator(1))
    action = bot.step(state)
    assert action in state.legal_actions()
    assert after(state, action).is_chance_node()


def test_regrets_lead_to_an_equilibrium_of_a_tiny_chartichaud() -> None:
    """Exploitability falls to a tenth of what playing at random gives away."""
    from open_spiel.python.algorithms import cfr, exploitability
    from open_spiel.python.policy import TabularPolicy

    game = quincunx.envs.openspiel("chartichaud", **TINY_CHARTICHAUD)
    uniform = TabularPolicy(game)
    assert len(uniform.states) == 103
    solver = cfr.CFRPlusSolver(game)
    for _ in range(8):
        solver.evaluate_and_update_policy()
    at_random = exploitability.exploitability(game, uniform)
    assert at_random == pytest.approx(0.5)
    assert exploitability.exploitability(game, solver.average_policy()) < at_random / 10


# -- secrets ---------------------------------------------------------------------------------------------------------


def knows(state: Any, player: int) -> tuple[str, str, tuple[float, ...]]:
    seen = tuple(state.observation_tensor(player))
    return state.information_state_string(player), state.observation_string(player), seen


def after(state: Any, *actions: int) -> Any:
    twin = state.clone()
    for action in actions:
        twin.apply_action(action)
    return twin


def test_orders_are_secret_until_all_have_sealed() -> None:
    """Whatever the first has ordered, and however much of it, the second learns that it has sealed."""
    state = quincunx.envs.openspiel("casus_belli", **settings("casus_belli")).new_initial_state()
    first, second, third = state.legal_actions()[1:4]
    known = {knows(after(state, *orders, 0), 1) for orders in ((), (first,), (second,), (third,))}
    assert len(known) == 1
    assert len({knows(after(state, *orders, 0), 0) for orders in ((), (first,), (second,), (third,))}) == 4


def test_what_happens_out_of_sight_is_not_even_counted() -> None:
    state = quincunx.envs.openspiel("chartichaud", **TINY_CHARTICHAUD).new_initial_state()
    texts = {state.action_to_string(0, n): n for n in state.legal_actions()}
    north, south, east = (texts[f"move military 0,2 {way}"] for way in ("north", "south", "east"))
    end = texts["end"]
    stayed, went = knows(after(state, end), 1), knows(after(state, north, end), 1)
    assert stayed == went == knows(after(state, south, end), 1)
    assert knows(after(state, east, end), 1) != stayed  # two cells away: now it is seen


def test_who_remembers_more_knows_more() -> None:
    """Perfect recall: two ways to the same view are two information states."""
    state = quincunx.envs.openspiel("chartichaud", **TINY_CHARTICHAUD).new_initial_state()
    assert len({state.information_state_string(p) for p in (0, 1)}) == 2
    end = next(n for n in state.legal_actions() if state.action_to_string(0, n) == "end")
    later = after(state, end, end)
    assert later.information_state_string(0) != state.information_state_string(0)


# -- odds ------------------------------------------------------------------------------------------------------------


def chance_nodes(id: str, seed: int, length: int) -> list[World]:
    game = load(id, "compiled")
    world, random, found = game.new(seed=seed, **THROWN.get(id, {})), game.random(seed), []
    for choice in long_journey(seed, length):
        step = next_step(game, world, choice, random)
        if step is None:
            break
        if step.seat == CHANCE:
            found.append(game.clone(world))
        game.apply(world, *step)
    return found


@pytest.mark.parametrize("id", DICE)
def test_odds_are_those_of_the_dice(id: str) -> None:
    game = load(id, "compiled")
    nodes = [world for seed in range(3) for world in chance_nodes(id, seed, 400)]
    assert len(nodes) > 50
    throws = 300
    for k, world in enumerate(nodes[:: len(nodes) // 40]):
        odds = game.odds(world)
        assert sum(chance for _, chance in odds) == pytest.approx(1)
        assert len(odds) <= game.most_outcomes()
        assert all(game.check(world, CHANCE, action) is None for action, _ in odds)
        likely = {game.chance_outcome(world, action): chance for action, chance in odds}
        assert len(likely) == len(odds)
        random = game.random(k)
        fell = Counter(game.chance_outcome(world, game.roll(world, random)) for _ in range(throws))
        assert fell.keys() <= likely.keys()
        for outcome, chance in likely.items():
            assert abs(fell[outcome] / throws - chance) < 5 * (chance * (1 - chance) / throws) ** 0.5 + 0.01


@pytest.mark.parametrize("ours, theirs", [((1, 6), (1, 6)), ((2, 6), (1, 9)), ((2, 9), (2, 6)), ((3, 6), (2, 6))])
def test_odds_of_a_fight_by_counting_every_throw(ours: tuple[int, int], theirs: tuple[int, int]) -> None:
    from quincunx.games.garden.odds import _fight

    throws = list(product(*[range(1, ours[1] + 1)] * ours[0], *[range(1, theirs[1] + 1)] * theirs[0]))
    won = sum(sum(dice[: ours[0]]) > sum(dice[ours[0] :]) for dice in throws)
    assert next(iter(_fight(ours, theirs).values())) * len(throws) == won


@pytest.mark.parametrize("crowd", [1, 2, 3])
def test_odds_of_poison_by_counting_every_throw(crowd: int) -> None:
    from quincunx.games.garden.odds import _poison

    throws = list(product(range(1, 7), repeat=crowd + 1))
    dead = Counter(sum(die < dice[0] for die in dice[1:]) for dice in throws)
    assert [chance * len(throws) for chance in _poison(crowd).values()] == [dead[k] for k in range(crowd + 1)]
