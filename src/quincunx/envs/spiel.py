"""OpenSpiel's games: every game of ours as `python_quincunx_khet` and the like, so that its algorithms run on them.

    import quincunx.envs
    game = quincunx.envs.openspiel("chartichaud", width=5, height=5, turns=4)
    state = game.new_initial_state()

or, after `import quincunx.envs.spiel`, by OpenSpiel's own `pyspiel.load_game("python_quincunx_khet(setup=classic)")`.

Actions are the numbers of the encoding. Dice are chance nodes with their exact odds. The start is no chance node: the
parameter `seed` draws it. A seat's information state is all that it was shown and told since the match began, and what
it did; nothing is added to it by what it could not notice. Where seats decide in secret at the same time, they act one
after the other here, and no information state tells what the others have ordered.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b
from importlib import import_module
from typing import Any

import numpy as np
import pyspiel

from quincunx.core.card import Card
from quincunx.core.contract import CHANCE, NOBODY
from quincunx.core.words import Words, expected
from quincunx.envs.encoding import Encoding
from quincunx.envs.rewards import rewards_of
from quincunx.games import World, cards, package
from quincunx.games import load as load_game

Options = tuple[tuple[str, Any], ...]

# A game that tabular algorithms solve in seconds: a soldier looks for a civilian that would like to harvest; neither
# sees the other until they are two cells apart. 103 information states.
TINY_CHARTICHAUD = {
    "setup": "5 5;gold 3 2 9;unit A military 0 2 1;unit B civilian 3 2 1",
    "turns": 3,
    "fresh_units_act": False,
}
LONGEST = 100_000  # OpenSpiel wants a bound on the length of every game; a match that reaches it is a draw


class Rules:
    """What all states of one OpenSpiel game share."""

    def __init__(self, id: str, longest: int, options: Options) -> None:
        self.asked = id, longest, options
        self.game = load_game(id, "compiled")
        self.encoding = Encoding(self.game, dict(options))
        self.longest = longest
        self.start = Instant(self, self.game.new(**dict(options)), 0, ())
        self.seats = self.game.seats(self.start.world)
        self.start.told = tuple(self._sees(self.start.world, seat) for seat in range(self.seats))

    def after(self, at: Instant, action: int) -> Instant:
        """The next instant; the one before stays as it is, so that states may share it."""
        seat = self.game.turn(at.world)
        if seat == CHANCE:
            return self._played(at, seat, at.odds()[action][0], "")
        return self._played(at, seat, self.encoding.action(at.world, seat, action), str(action))

    def _played(self, at: Instant, seat: int, action: int, said: str) -> Instant:
        steps = at.steps + (seat >= 0)
        if self.game.card.open:  # everybody sees everything: what was played says it all
            world = self.game.clone(at.world)
            self.game.apply(world, seat, action)
            return Instant(self, world, steps, at.told)
        told = []
        for observer in range(self.seats):
            world = self.game.clone(at.world)
            story = self.game.apply_and_log(world, seat, action, observer)
            before, seen = at.told[observer], self._sees(world, observer)
            news = (said if seat == observer else "", story, seen[0] if seen[0] != before[0] else "")
            known = blake2b(f"{before[1]}{news}".encode(), digest_size=16).hexdigest() if any(news) else before[1]
            told.append((seen[0], known))
        return Instant(self, world, steps, tuple(told))

    def _sees(self, world: World, seat: int) -> tuple[str, str]:
        """What it sees, and all that it knows so far. Views are large and hashed often: blake2b is the quicker one."""
        view = self.game.memory.to_bytes(self.game.view(world, seat).rows)
        digest = blake2b(view, digest_size=16).hexdigest()
        return digest, digest


class Instant:
    """A world that is not changed any more, and what each seat was told until then: its view, and all of it."""

    __slots__ = ("rules", "steps", "told", "world")

    def __init__(self, rules: Rules, world: World, steps: int, told: tuple[tuple[str, str], ...]) -> None:
        self.rules = rules
        self.world = world
        self.steps = steps
        self.told = told

    def __deepcopy__(self, memo: Any) -> Instant:
        """OpenSpiel clones states so; nobody changes an instant."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """And writes them down so."""
        data = self.rules.game.to_bytes(self.world)
        return _instant, (self.rules.asked, self.world.options, data, self.steps, self.told)

    def odds(self) -> list[tuple[int, float]]:
        return self.rules.game.odds(self.world)

    def player(self) -> int:
        turn = NOBODY if self.steps >= self.rules.longest else self.rules.game.turn(self.world)
        if turn == NOBODY:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if turn == CHANCE else turn

    def returns(self) -> list[float]:
        game = self.rules.game
        return rewards_of(game.scores(self.world)) if game.over(self.world) else [0.0] * self.rules.seats


rules_of = lru_cache(64)(Rules)


def _instant(asked: tuple[str, int, Options], options: Any, data: bytes, steps: int, told: Any) -> Instant:
    rules = rules_of(*asked)
    return Instant(rules, rules.game.from_bytes(options, data), steps, told)


class State(pyspiel.State):  # type: ignore[misc]
    """One match, as OpenSpiel asks for it."""

    def __init__(self, game: Any, at: Instant) -> None:
        super().__init__(game)
        self.at = at

    def current_player(self) -> int:
        return self.at.player()

    def is_terminal(self) -> bool:
        return self.at.player() == int(pyspiel.PlayerId.TERMINAL)

    def _legal_actions(self, player: int) -> list[int]:
        numbers: list[int] = self.at.rules.encoding.mask(self.at.world, player).nonzero()[0].tolist()
        return numbers

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(k, chance) for k, (_, chance) in enumerate(self.at.odds())]

    def _apply_action(self, action: int) -> None:
        self.at = self.at.rules.after(self.at, action)

    def _action_to_string(self, player: int, action: int) -> str:
        game, world = self.at.rules.game, self.at.world
        if player == pyspiel.PlayerId.CHANCE:
            return game.text(world, CHANCE, self.at.odds()[action][0])
        meant = self.at.rules.encoding.action(world, player, action)
        return game.text(world, player, meant) if meant >= 0 else self.at.rules.encoding.name(action)

    def returns(self) -> list[float]:
        return self.at.returns()

    def __str__(self) -> str:
        return self.at.rules.game.position(self.at.world)


class SeatObserver:
    """What a seat sees now: planes and scalars; or, with perfect recall and in writing only, all that it ever saw."""

    def __init__(self, rules: Rules, recall: bool) -> None:
        self._recall = recall
        planes, scalars = int(np.prod(rules.encoding.shape)), len(rules.encoding.scalars)
        self.tensor = None if recall else np.zeros(planes + scalars, np.float32)
        self.dict: dict[str, Any] = {}
        if self.tensor is not None:
            self.dict["planes"] = self.tensor[:planes].reshape(rules.encoding.shape)
            self.dict["scalars"] = self.tensor[planes:]

    def set_from(self, state: State, player: int) -> None:
        if self.tensor is not None:
            rules = state.at.rules
            planes, scalars = rules.encoding.observe(rules.game.view(state.at.world, player))
            self.dict["planes"][:] = planes
            self.dict["scalars"][:] = scalars

    def string_from(self, state: State, player: int) -> str:
        rules = state.at.rules
        if not self._recall:
            view = rules.game.view(state.at.world, player)
            return f"{view}\n{rules.game.digest(view)}"
        if rules.game.card.open:
            return ",".join(map(str, state.history()))
        return f"p{player} {state.at.told[player][1]}"


class Game(pyspiel.Game):  # type: ignore[misc]
    """One game of ours with its options settled."""

    def __init__(self, id: str, type_: Any, given: dict[str, Any]) -> None:
        usual = type_.parameter_specification
        chosen = {name: value for name, value in given.items() if value != usual.get(name)}
        options = {name: value for name, value in chosen.items() if name != "longest"}
        if "setup" in options:
            options["setup"] = options["setup"].replace(";", "\n")
        rules = rules_of(id, int(given.get("longest", LONGEST)), tuple(sorted(options.items())))
        info = pyspiel.GameInfo(
            num_distinct_actions=rules.encoding.actions,
            max_chance_outcomes=rules.game.most_outcomes(),
            num_players=rules.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=rules.longest,
        )
        super().__init__(type_, info, chosen)
        self.rules = rules

    def new_initial_state(self) -> State:
        return State(self, self.rules.start)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SeatObserver:
        if params:
            raise expected(Words("aucun paramètre d’observation", "no parameters of an observation"), params)
        return SeatObserver(self.rules, bool(iig_obs_type and iig_obs_type.perfect_recall))


def short_name(id: str) -> str:
    return f"python_quincunx_{id}"


def _type_of(card: Card) -> Any:
    """What a game is like, without its rules; its parameters are `Game.new`'s, with the defaults of the options."""
    setup = import_module(f"{package(card.id).__name__}.setup")
    parameters = {"preset": setup.PRESETS[0].name, "setup": "", "seed": 0, "longest": LONGEST}
    kinds = pyspiel.GameType
    return kinds(
        short_name=short_name(card.id),
        long_name=f"Quincunx: {card.name.en}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if card.dice else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION if card.open else kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=card.seats[1],
        min_num_players=card.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters | {option.name: option.default for option in setup.OPTIONS},
    )


def load(id: str, **options: Any) -> Any:
    """The game with these options, as `Game.new` takes them, and `longest`."""
    given = {name: value for name, value in options.items() if value is not None}
    return pyspiel.load_game(short_name(package(id).CARD.id), given)


def _register(card: Card) -> None:
    """A class for each game: OpenSpiel holds on to it until after Python's end, which only a class survives."""
    type_ = _type_of(card)

    def begin(self: Game, given: dict[str, Any] | None = None) -> None:
        Game.__init__(self, card.id, type_, dict(given or {}))

    pyspiel.register_game(type_, type(f"Game_{card.id}", (Game,), {"__init__": begin}))


for each in cards():
    _register(each)
