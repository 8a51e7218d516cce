"""The plan of a tournament: everything that decides which matches are played, read from a TOML file.

    name = "Autumn cup"
    game = "cultist"
    players = ["level:3", "level:4", { name = "Rusher", player = "program:./rusher" }]
    format = "swiss"
    rounds = 5
    matches = 4                          # of a pairing: every start once from every chair, then again

    [[starts]]                           # taken in turn
    name = "cross"
    setup = "cross"

    [time]
    turn = 0.5                           # seconds of a program for one turn

Two plans that say the same are the same tournament, whoever runs them and wherever: its id is made of what it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from math import ceil
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from quincunx.core.options import Value, settle
from quincunx.core.words import Refused, Words, expected
from quincunx.games import Game, load
from quincunx.players.programs.limits import Limits
from quincunx.players.roster import sit_down
from quincunx.players.table import Adjudication, Late
from quincunx.tournament.series import Series
from quincunx.tournament.sprt import parse_sprt
from quincunx.tournament.starts import EXPERIMENTS

Format = Literal["round_robin", "swiss", "gauntlet", "knock_out", "arena"]
Pacing = Literal["free", "rounds"]  # who makes the meetings of an arena: the server, or somebody who starts rounds
Admission = Literal["open", "approved"]  # who plays in an arena: whoever enters, or those who were accepted

MOST_PLAYERS = 1000
MOST_MATCHES = 1_000_000  # of one pairing
OPENING = 4  # actions at random, where matches would otherwise begin alike
EXTENSIONS = 4  # how often a knock-out pairing that is level is prolonged, by one match from each chair
LARGEST_SEED = 2**53 - 1  # what every reader of JSON keeps exactly
LONGEST_NAME = 60
MB = 1 << 20

NOT_A_PLAN = Words(
    "Le fichier {} n’est pas le plan d’un tournoi : {}.", "The file {} is not the plan of a tournament: {}."
)
SAME_NAME = Words("Deux joueurs s’appellent {} : donnez-leur des noms.", "Two players are called {}: give them names.")
TOO_FEW = Words(
    "Une partie réunit {} joueurs, et le tournoi n’en a que {}.", "A match needs {} players, and there are only {}."
)
ONE_SIZE = Words(
    "Toutes les parties d’un tournoi réunissent autant de joueurs : les départs {} et {} en demandent {} et {}.",
    "All matches of a tournament have as many seats: the starts {} and {} want {} and {}.",
)
A_NAME = Words("un nom (name) de {} lettres au plus", "a name of at most {} letters").format(LONGEST_NAME)
TWO_ONLY = Words("Un tournoi « {} » se joue à deux par partie.", "A tournament “{}” is for matches of two.")
OTHER_SEATS = Words(
    "Le plan dit {} places (seats), et les départs en demandent {}.", "The plan says {} seats, and its starts want {}."
)
UNREACHED = Words(
    "Avec {} parties par rencontre (matches), le départ {} ne serait jamais joué : il en faut {}.",
    "With {} matches of a pairing the start {} would never be played: it takes {}.",
)
NO_USE = Words("Un tournoi « {} » n’a que faire de {}.", "A tournament “{}” has no use for {}.")
NO_PLAYERS = Words("il n’a pas de joueurs (players)", "it has no players")
AN_ARENA = Words(
    "{} est une arène, pas un tournoi : un serveur la tient, et ses parties s’y jouent (quincunx arena).",
    "{} is an arena, not a tournament: a server keeps it, and its matches are played there (quincunx arena).",
)
NOT_AN_ARENA = Words("{} n’est pas une arène.", "{} is not an arena.")
ALONE = Words("Une partie d’arène réunit au moins deux joueurs.", "A match of an arena has at least two players.")

T = TypeVar("T")


class Entrant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who takes part: a player, and the name under which it stands in tables and records."""

    player: str  # level:3, mcts:time=0.1, program:COMMAND, bot:NAME …
    name: str = ""


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """From where matches begin: a preset, a setup, options; what is not said is the game's default."""

    name: str = ""
    preset: str | None = None
    setup: str | None = None
    options: dict[str, Value] = {}


class Time(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a program may use."""

    turn: float = 5.0  # seconds for one turn
    start: float = 10.0  # more for its first answer
    late: Late = "lose"
    memory: int = 1024  # MB
    isolate: bool = False

    @property
    def limits(self) -> Limits:
        return Limits(turn=self.turn, start=self.start, memory=self.memory * MB, isolate=self.isolate)


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    game: str
    players: tuple[Entrant | str, ...] = ()  # none in an arena: they come and go
    name: str = ""
    format: Format = "round_robin"
    matches: int = 0  # of a pairing; 0: every start once from every chair
    rounds: int = 0  # swiss, and round robins of many for three and more seats; 0: as many as it takes
    challengers: int = 1  # gauntlet: so many of the first players meet all others
    seats: int = 0  # of a match, where the game leaves it open; 0: two, or what the options say
    seed: int = EXPERIMENTS
    opening: int = 0  # actions drawn at random before the players begin
    starts: tuple[Start, ...] = (Start(),)
    time: Time = Time()
    adjudication: Adjudication | None = None
    sprt: str = ""  # two players: stop when it is known whether the second is better, as in "elo0=0 elo1=10"
    pacing: Pacing = "free"  # arena
    admission: Admission = "open"  # arena

    @property
    def entrants(self) -> tuple[Entrant, ...]:
        """With their names."""
        whole = (Entrant(each) if isinstance(each, str) else each for each in self.players)
        return tuple(e if e.name else Entrant(e.player, e.player.removeprefix("bot:")) for e in whole)

    @property
    def id(self) -> str:
        """Of what it says: a readable beginning, and a digest."""
        words = re.sub(r"[^a-z0-9]+", "-", self.called.lower()).strip("-")[:30].rstrip("-")
        said = _unusual(msgspec.structs.replace(self, players=self.entrants))
        digest = sha256(msgspec.json.encode(said, order="deterministic")).hexdigest()[:10]
        return f"{words or self.game}-{digest}"

    @property
    def called(self) -> str:
        return self.name or self.game

    def matches_of_pairing(self, size: int) -> int:
        """`size`: seats of a match."""
        return self.matches or size * len(self.starts)

    def repeats(self, size: int) -> bool:
        """Would players that always answer alike play the same few matches again and again, which count as many?"""
        game = load(self.game, "interpreted")
        if self.opening or self.matches <= size * len(self.starts) or game.card.dice:
            return False
        return any(len({game.digest(self._new(game, start, n)) for n in range(3)}) == 1 for start in self.starts)

    def series(self, number: int, players: tuple[int, ...], start: int) -> Series:
        """The matches of one pairing, from one of the starts. What is drawn, each pairing draws for itself: whoever
        likes the start of one has no luck in the others (docs/ratings.md)."""
        drawn = ceil(self.matches_of_pairing(len(players)) / len(players)) + EXTENSIONS
        who = [self.entrants[each] for each in players]
        begin = self.starts[start]
        return Series(
            self.game, tuple(e.player for e in who), seed=self.seed + number * drawn, preset=begin.preset,
            setup=begin.setup, options=self._options(begin), opening=self.opening, limits=self.time.limits,
            late=self.time.late, names=tuple(e.name for e in who), salt=number + 1, adjudication=self.adjudication,
        )  # fmt: skip

    def settled(self, start: Start) -> dict[str, Value]:
        """All options of a match from this start."""
        game = load(self.game, "interpreted")
        return settle(game.options, game.presets, start.preset, self._options(start))

    def _options(self, start: Start) -> dict[str, Any]:
        """A match has as many seats as the plan says, where its game leaves that open."""
        game, options = load(self.game, "interpreted"), dict[str, Any](start.options)
        if any(option.name == "seats" for option in game.options):
            options.setdefault("seats", self.seats or 2)
        return options

    def table_size(self) -> int:
        """Seats of a match; Refused if starts differ in it."""
        game = load(self.game, "interpreted")
        sizes = [game.seats(self._new(game, start)) for start in self.starts]
        for start, size in zip(self.starts, sizes, strict=True):
            if size != sizes[0]:
                raise Refused("other_size", ONE_SIZE.format(self.starts[0].name, start.name, sizes[0], size))
        return sizes[0]

    def _new(self, game: Game, start: Start, number: int = 0) -> Any:
        return game.new(start.preset, setup=start.setup, seed=self.seed + number, **self._options(start))

    def check_arena(self) -> None:
        """Refuses an arena in which no match could be played."""
        if self.format != "arena":
            raise Refused("not_an_arena", NOT_AN_ARENA.format(self.called))
        _between("time.turn", self.time.turn, 0.05, 3600)
        self._check_names()
        size = self.table_size()
        if size < 2:
            raise Refused("too_few_players", ALONE)
        if self.seats and size != self.seats:
            raise Refused("other_size", OTHER_SEATS.format(self.seats, size))

    def check(self) -> None:
        """Refuses what cannot be played, before anything is."""
        if self.format == "arena":
            raise Refused("arena", AN_ARENA.format(self.called))
        self._check_numbers()
        self._check_names()
        size = self.table_size()
        if self.seats and size != self.seats:
            raise Refused("other_size", OTHER_SEATS.format(self.seats, size))
        if size > len(self.players):
            raise Refused("too_few_players", TOO_FEW.format(size, len(self.players)))
        self._check_format(size)
        game = load(self.game, "interpreted")
        for e in self.entrants:
            sit_down(e.player, game)

    def _check_numbers(self) -> None:
        _between("matches", self.matches, 0, MOST_MATCHES)
        _between("players", len(self.players), 2, MOST_PLAYERS)
        _between("rounds", self.rounds, 0, 10_000)
        _between("challengers", self.challengers, 1, len(self.players) - 1)
        _between("seed", self.seed, 0, LARGEST_SEED)
        _between("opening", self.opening, 0, 100)
        _between("starts", len(self.starts), 1, 1000)
        _between("time.turn", self.time.turn, 0.001, 3600)
        _between("time.start", self.time.start, 0, 3600)
        _between("time.memory", self.time.memory, 1, 1 << 20)
        if self.adjudication:
            self.adjudication.check()

    def _check_names(self) -> None:
        names = [e.name for e in self.entrants]
        for name in [self.name, *names]:
            if len(name) > LONGEST_NAME and not name.startswith(("program:", "codingame:", "champion:")):
                raise expected(A_NAME, name)
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise Refused("same_name", SAME_NAME.format(twice))

    def _check_format(self, size: int) -> None:
        if size != 2 and self.format in ("gauntlet", "knock_out"):
            raise Refused("two_only", TWO_ONLY.format(self.format))
        if self.rounds and self.format != "swiss" and size == 2:
            raise Refused("no_use", NO_USE.format(self.format, f"rounds = {self.rounds}"))
        if self.challengers > 1 and self.format != "gauntlet":
            raise Refused("no_use", NO_USE.format(self.format, f"challengers = {self.challengers}"))
        enough = size * (len(self.starts) - 1) + 1  # then the last of them is played
        if self.matches_of_pairing(size) < enough:
            first = self.starts[(self.matches - 1) // size + 1]
            raise Refused("unreached_start", UNREACHED.format(self.matches, first.name or "?", size * len(self.starts)))
        if self.sprt:
            parse_sprt(self.sprt)
            if size != 2 or len(self.players) != 2:
                raise Refused("two_only", TWO_ONLY.format("sprt"))


def _unusual(value: Any) -> Any:
    """What a plan says besides what goes without saying: a field that plans get later does not change it."""
    if isinstance(value, tuple):
        return [_unusual(each) for each in value]
    if not isinstance(value, msgspec.Struct):
        return value
    said = {}
    for field in msgspec.structs.fields(value):
        usual = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
        found = getattr(value, field.name)
        if found != usual:
            said[field.name] = _unusual(found)
    return said


def varied(plan: Plan) -> Plan:
    """With an opening at random where matches would otherwise repeat each other: for a plan that says nothing of it."""
    return msgspec.structs.replace(plan, opening=OPENING) if plan.repeats(plan.table_size()) else plan


def read_plan(file: Path) -> Plan:
    """Refused with one sentence that names the file and what is wrong in it."""
    try:
        said = msgspec.toml.decode(file.read_bytes())
        plan = msgspec.convert(said, Plan)
    except OSError as error:
        words = Words("Le fichier {} ne peut pas être lu ({}).", "The file {} cannot be read ({}).")
        raise Refused("unreadable_file", words.format(file, error.strerror)) from None
    except (msgspec.DecodeError, ValueError) as error:
        raise Refused("not_a_plan", NOT_A_PLAN.format(file, str(error).rstrip("."))) from None
    if not plan.players and plan.format != "arena":
        raise Refused("not_a_plan", NOT_A_PLAN.format(file, NO_PLAYERS))
    return plan if "opening" in said else varied(plan)


def _between(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise expected(Words("{} de {} à {}", "{} from {} to {}").format(name, low, high), value)


def written_plan(plan: Plan) -> str:
    """As a file that reads back as the same plan, and invites to go on."""
    players = "".join(f"    {_toml(each)},\n" for each in plan.players)
    seldom = {"seats": 0, "challengers": 1, "sprt": ""}
    lines = [
        f"name = {_toml(plan.called)}",
        f"game = {_toml(plan.game)}",
        f'players = [\n{players}]  # also {{ name = "Rusher", player = "program:./rusher" }}',
        f"format = {_toml(plan.format)}  # round_robin, swiss, gauntlet, knock_out",
        f"matches = {plan.matches}  # of a pairing; 0: every start once from every chair",
        f"rounds = {plan.rounds}  # of a Swiss tournament; 0: as many as it takes",
        f"seed = {plan.seed}  # starts, dice and players draw from it",
        f"opening = {plan.opening}  # actions drawn at random before the players begin",
        *(f"{name} = {_toml(getattr(plan, name))}" for name, usual in seldom.items() if getattr(plan, name) != usual),
        *(_starts(plan) if plan.starts != (Start(),) else NO_STARTS),
        "",
        "[time]  # of a program",
        f"turn = {plan.time.turn}  # seconds for one turn",
        f"start = {plan.time.start}  # more for its first answer",
        f"late = {_toml(plan.time.late)}  # lose, fallback",
        f"memory = {plan.time.memory}  # MB",
        f"isolate = {_toml(plan.time.isolate)}",
        *(_table("[adjudication]", plan.adjudication) if plan.adjudication else NO_ADJUDICATION),
    ]
    return "\n".join(lines) + "\n"


NO_STARTS = (
    "", "# [[starts]]  # taken in turn", '# name = "…"', '# preset = "…"', '# setup = "…"', "# options = {}"
)  # fmt: skip
NO_ADJUDICATION = (
    "", "# [adjudication]", "# actions = 400  # a match that lasts longer is judged", '# by = "score"  # or "draw"'
)  # fmt: skip


def _starts(plan: Plan) -> Iterator[str]:
    for start in plan.starts:
        yield from _table("[[starts]]", start)


def _table(heading: str, of: msgspec.Struct) -> list[str]:
    said = msgspec.to_builtins(of)
    return ["", heading, *(f"{key} = {_toml(value)}" for key, value in said.items())]


def _toml(value: Any) -> str:
    if isinstance(value, Entrant):
        value = msgspec.to_builtins(value) if value.name else value.player
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_toml(key)} = {_toml(each)}" for key, each in value.items()) + " }"
    return msgspec.json.encode(value).decode()  # a string of JSON is one of TOML
