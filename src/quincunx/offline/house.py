"""All matches of one browser, and what its pages ask about them: the addresses and answers of the server's REST, as far
as they mean something where nobody else is."""

from __future__ import annotations

import re
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import msgspec

from quincunx.core.contract import NOT_TO_ACT, PUBLIC
from quincunx.core.options import settle
from quincunx.core.words import Refused, Words, expected
from quincunx.games import Game, cards, load
from quincunx.match import encode
from quincunx.match.wire import write
from quincunx.offline.client import Client, token_of
from quincunx.offline.table import Kept, Table, is_level
from quincunx.offline.thinking import Think, hint_of
from quincunx.server.frames import replayed
from quincunx.server.match_shapes import Held, Hinted, Listed, Made, NewMatch, Plea, Start, WantedSeat
from quincunx.server.offering import LEVELS, game_shown
from quincunx.server.placing import Known, known, offers
from quincunx.server.starting import drawn, looked, new_referee, new_seed, next_start
from quincunx.server.tokens import entropy, new_id
from quincunx.store import StoredMatch, StoredSeat

NO_MATCH = Words("Cette partie n’existe pas.", "There is no such match.")
NOT_HERE = Words("Cela n’est pas possible sans serveur.", "That is not possible without a server.")
RUNNING = Words("La partie n’est pas finie.", "The match is not over.")
ONLY_COMPUTERS = Words("vous, ou un ordinateur de niveau 1 à 8", "you, or a computer of level 1 to 8")
FRAMES = 100

KeepText = Callable[[str, str], None]
Asked = Mapping[str, str]


def milliseconds() -> int:
    return time.time_ns() // 1_000_000


class House:
    def __init__(self, kept: Mapping[str, str], think: Think, keep: KeepText) -> None:
        """`kept` are the texts that `keep` was given in another life."""
        self._kept = dict(kept)
        self._think = think
        self._keep = keep
        self._tables: dict[str, Table] = {}
        self._doors: tuple[tuple[str, str, Callable[..., Awaitable[bytes]]], ...] = (
            ("GET", "/api/games", self._games),
            ("POST", "/api/games/([a-z0-9_]+)/preview", self._preview),
            ("GET", "/api/setups", self._setups),
            ("POST", "/api/matches", self._make),
            ("GET", "/api/matches/([A-Za-z0-9_-]+)", self._show),
            ("POST", "/api/matches/([A-Za-z0-9_-]+)/rematch", self._rematch),
            ("POST", "/api/matches/([A-Za-z0-9_-]+)/outlook", self._outlook),
            ("POST", "/api/matches/([A-Za-z0-9_-]+)/hint", self._hint),
            ("GET", "/api/matches/([A-Za-z0-9_-]+)/replay", self._replay),
            ("GET", "/api/matches/([A-Za-z0-9_-]+)/record", self._record),
        )

    def sit(self, id: str, say: Callable[[bytes], None]) -> Client | None:
        """A page looks at a match; None: there is none."""
        if id not in self._tables and id not in self._kept:
            return None
        table = self._table(id)
        table.begin()
        return Client(table, say)

    def rest(self, table: Table) -> None:
        """Nobody looks at it any more: its computers wait until somebody does."""
        if self._tables.get(table.live.id) is table:
            del self._tables[table.live.id]
        table.close()

    def learn(self, id: str, text: str | None) -> None:
        """Another page of this browser has played there; or, without a text, the match was forgotten."""
        if id in self._tables:
            self.rest(self._tables[id])
        if text is None:
            self._kept.pop(id, None)
        else:
            self._kept[id] = text

    async def answer(self, method: str, path: str, query: Asked, body: str) -> tuple[int, bytes]:
        """A status of HTTP, and JSON."""
        try:
            for wanted, pattern, door in self._doors:
                found = re.fullmatch(pattern, path)
                if found and method == wanted:
                    return 200, await door(*found.groups(), query=query, body=body)
            raise Refused("not_here", NOT_HERE)
        except Refused as refused:
            missing = refused.code in ("no_such_match", "not_here")
            told = {"code": refused.code, "words": refused.words, "field": refused.field}
            return 404 if missing else 400, write(told)

    # -- games ---------------------------------------------------------------------------------------------------

    async def _games(self, **_: Any) -> bytes:
        games = [load(card.id, "interpreted") for card in cards()]
        return write([game_shown(game, LEVELS, compiled=True, puzzles=0) for game in games])

    async def _preview(self, id: str, *, body: str, **_: Any) -> bytes:
        game, start = load(id, "interpreted"), msgspec.json.decode(body, type=Start)
        world = drawn(game, settle(game.options, game.presets, start.preset, start.options), start)
        return looked(game, game.preview(world))

    async def _setups(self, **_: Any) -> bytes:
        return write([])  # nobody can write any here

    # -- matches -------------------------------------------------------------------------------------------------

    async def _make(self, *, body: str, **_: Any) -> bytes:
        wanted = msgspec.json.decode(body, type=NewMatch)
        game = load(wanted.game, "interpreted")
        options: dict[str, Any] = {**settle(game.options, game.presets, wanted.preset, wanted.options)}
        seed = new_seed() if wanted.seed is None else wanted.seed
        world = drawn(game, options, Start(setup=wanted.setup, text=wanted.text, seed=seed))
        seats = tuple(_seat(game, n, seat) for n, seat in enumerate(wanted.seats))
        return self._begin(game, options, game.position(world), seats, seed)

    async def _rematch(self, id: str, **_: Any) -> bytes:
        """The same with the seats rotated; asked again, it is the match that was made."""
        stored = self._table(id).live.stored
        if stored.status != "over":
            raise Refused("running", RUNNING)
        start, seed = next_start(stored)
        seats = (*stored.seats[-1:], *stored.seats[:-1])
        return self._begin(load(stored.game, "interpreted"), dict(stored.options), start, seats, seed, id)

    def _begin(
        self, game: Game, options: dict[str, Any], start: str, seats: tuple[StoredSeat, ...], seed: int | None,
        rematch_of: str | None = None,
    ) -> bytes:  # fmt: skip
        now = milliseconds()
        stored = StoredMatch(
            new_id(), game.card.id, game.card.version, options, start, "", seats, now, seed, rematch_of=rematch_of,
            began=now, status="playing",
        )  # fmt: skip
        referee = new_referee(game, stored)
        stored = msgspec.structs.replace(stored, start_digest=game.position_digest(referee.match.world))
        dice = referee.first_dice(0, entropy)
        kept = Kept(stored, tuple(entropy() for _ in seats), dice if isinstance(dice, list) else [])
        self._kept[stored.id] = ""
        self._remember(kept)
        held = tuple(Held(n, token_of(n)) for n, seat in enumerate(seats) if seat.kind == "person")
        return write(Made(stored.id, "", held))

    async def _show(self, id: str, **_: Any) -> bytes:
        stored = self._table(id).live.stored
        names = tuple(seat.player if seat.kind == "computer" else seat.name for seat in stored.seats)
        kinds = tuple(seat.kind for seat in stored.seats)
        return write(
            Listed(stored.id, stored.game, stored.status, names, kinds, (), stored.created, stored.outcome, None, ())
        )

    async def _outlook(self, id: str, *, body: str, **_: Any) -> bytes:
        match, seat = self._table(id).live.match, msgspec.json.decode(body, type=Plea).seat
        if match.over or not match.game.to_act(match.world, seat):
            raise match.game.refusal(NOT_TO_ACT)
        outlook: Known | None = known(match.game, match.world, seat)
        return write({"known": outlook, "legal": offers(match.game, match.world, seat)})

    async def _hint(self, id: str, *, body: str, **_: Any) -> bytes:
        match, seat = self._table(id).live.match, msgspec.json.decode(body, type=Plea).seat
        if match.over or not match.game.to_act(match.world, seat):
            raise match.game.refusal(NOT_TO_ACT)
        world = match.game.clone(match.world)
        thought = await self._think(hint_of(match.game.view(world, seat), entropy()))
        return write(Hinted(match.game.text(world, seat, int(thought.action)), ()))

    async def _replay(self, id: str, *, query: Asked, **_: Any) -> bytes:
        table = self._table(id)
        eye, first = int(query.get("seat", PUBLIC)), int(query.get("from", 0))
        count = min(FRAMES, int(query.get("count", FRAMES)))
        stored, entries = table.live.stored, table.kept.entries
        if stored.status != "over":
            raise Refused("running", RUNNING)
        return replayed(stored, entries, eye, first, count, query.get("board") == "true")

    async def _record(self, id: str, **_: Any) -> bytes:
        table = self._table(id)
        return encode(table.live.stored.record(table.kept.entries))

    # -- inside --------------------------------------------------------------------------------------------------

    def _table(self, id: str) -> Table:
        if id not in self._tables:
            if id not in self._kept:
                raise Refused("no_such_match", NO_MATCH)
            kept = msgspec.json.decode(self._kept[id], type=Kept)
            self._tables[id] = Table(kept, milliseconds, self._think, self._remember)
        return self._tables[id]

    def _remember(self, kept: Kept) -> None:
        if kept.stored.id not in self._kept:
            return  # it was forgotten
        self._kept[kept.stored.id] = text = write(kept).decode()
        self._keep(kept.stored.id, text)


def _seat(game: Game, number: int, wanted: WantedSeat) -> StoredSeat:
    if wanted.kind == "here":
        return StoredSeat("person", wanted.name.strip() or game.card.seat_name(number).en)
    if wanted.kind == "computer" and is_level(wanted.player):
        return StoredSeat("computer", wanted.player, wanted.player)
    raise expected(ONLY_COMPUTERS, wanted.player or wanted.kind, "seats")
