"""What a path asks for, and what is answered: the endpoints of the original server.

    /getToken[/name]                                      a seat: {"player":"A","token":"…"}
    /view/<player>/<token>                                what it sees; also when it is not its turn
    /move/<player>/<kind>/<y>/<x>/<ny>/<nx>/<token>       a unit C or M to a cell beside it
    /build/<player>/<y>/<x>/<kind>/<token>                a unit C, M or B
    /farm/<player>/<y>/<x>/<token>   /autofarm/<player>/<token>   /endturn/<player>/<token>
    /getwinner/<player>/<token>   /alive                  of its later editions

All with GET. What is done is answered with `ok`. What is refused changes nothing and is answered with one sentence and
status 500, the only one that the original knew for it, so that no client takes it for a yes; a path that means nothing
with 404. Everybody may see everything, as there: in a private match only when it is over, and then with any token.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from urllib.parse import unquote

from quincunx.core.words import Language, Refused, Words, expected
from quincunx.telecom.drawing import KINDS, SIDES, encoded
from quincunx.telecom.http import Answer, Request, plain
from quincunx.telecom.table import ALL, Table

NOBODY_SITS = Words("Aucune partie n’est ouverte.", "No match is open.")
NO_PLAYER = Words("A ou B", "A or B")
WRONG_TOKEN = Words("Ce jeton n’est pas celui du joueur {}.", "This is not the token of player {}.")
PRIVATE = Words(
    "Cette partie est privée : elle se montre à sa fin.", "This match is private: it is shown when it is over."
)  # fmt: skip
OFF_MAP = Words(
    "La carte va de 0 à {} pour y et de 0 à {} pour x.", "The map goes from 0 to {} for y and from 0 to {} for x."
)
NOT_BESIDE = Words(
    "Une unité ne va que sur l’une des 4 cases voisines.", "A unit moves only to one of the 4 cells beside it."
)
NEVER_MOVES = Words("Un bâtiment ne se déplace pas.", "A building never moves.")
NO_SUCH_PATH = Words("Cette adresse n’existe pas ici.", "There is no such address here.")
ONLY_GET = Words("Ce serveur ne répond qu’à GET.", "This server answers GET only.")
FROM_ELSEWHERE = Words(
    "La page d’un autre site ne joue pas ici.", "The page of another site does not play here."
)  # fmt: skip

STEPS = {(-1, 0): "north", (0, 1): "east", (1, 0): "south", (0, -1): "west"}
OK = Answer(200, b"ok", "text/html; charset=utf-8")

Page = tuple[bytes, str]  # a file and its media type


class _Unknown(Exception):
    """No endpoint has this path."""


class Door:
    """Answers requests for the table that is open; `now` is the time of that match, in milliseconds."""

    def __init__(
        self,
        now: Callable[[], int],
        language: Language,
        private: bool = False,
        pages: Mapping[str, Page] | None = None,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        self.table: Table | None = None
        self.last: Table | None = None  # the one before: its clients may still ask how it ended
        self._now = now
        self._language: Language = language
        self._private = private
        self._pages = pages or {}
        self._changed = changed  # is called when something was played, or somebody came

    def answer(self, request: Request) -> Answer:
        try:
            if request.method not in ("GET", "HEAD"):
                return plain(405, self._say(ONLY_GET))
            if request.headers.get("sec-fetch-site") == "cross-site":
                return plain(403, self._say(FROM_ELSEWHERE))
            page = self._pages.get("/index.html" if request.path == "/" else unquote(request.path))
            if page is not None:
                return Answer(200, *page)
            if request.method == "HEAD":
                return plain(405, self._say(ONLY_GET))
            return self._endpoint([unquote(word) for word in request.path.split("/")[1:]])
        except _Unknown:
            return plain(404, self._say(NO_SUCH_PATH))
        except Refused as refused:
            return plain(500, self._say(refused.words))

    def _say(self, words: Words) -> str:
        return words.of(self._language) + "\n"

    def _endpoint(self, words: list[str]) -> Answer:
        if not all(words):
            raise _Unknown
        match words:
            case ["getToken"]:
                return self._join("Unknown")
            case ["getToken", name]:
                return self._join(name)
            case ["alive"]:
                return _json({"response": "ok"})
            case ["view", player, token]:
                return self._view(player, token)
            case ["getwinner", player, token]:
                return self._winner(player, token)
            case ["move", player, kind, y, x, ny, nx, token]:
                numbers = _numbers(y, x, ny, nx)
                return self._play(player, token, lambda table: _move(table, kind, *numbers))
            case ["build", player, y, x, kind, token]:
                numbers = _numbers(y, x)
                return self._play(player, token, lambda table: _build(table, kind, *numbers))
            case ["farm", player, y, x, token]:
                numbers = _numbers(y, x)
                return self._play(player, token, lambda table: f"harvest {_cell(table, *numbers)}")
            case ["autofarm", player, token]:
                return self._play(player, token, None)
            case ["endturn", player, token]:
                return self._play(player, token, lambda table: "end")
        raise _Unknown

    # -- each endpoint -------------------------------------------------------------------------------------------

    def _join(self, name: str) -> Answer:
        table = self._open()
        seat, token = table.join(name, self._now())
        self._changed()
        return _json({"player": SIDES[seat], "token": token})

    def _view(self, player: str, token: str) -> Answer:
        table = self._open()
        table.expire(self._now())
        if player == "all" and self._private and not table.over:
            raise Refused("private", PRIVATE)
        try:
            table, seat = self._sitting(player, token)
        except Refused:
            if player != "all" and not table.over:
                raise
            return _drawn(table.view(ALL))
        table.expire(self._now())
        if not table.over:
            return _drawn(table.view(seat))
        table.unaware.discard(seat)
        return _drawn(table.view(ALL))

    def _winner(self, player: str, token: str) -> Answer:
        table, seat = self._sitting(player, token)
        table.expire(self._now())
        if table.over:
            table.unaware.discard(seat)
        return _json({"winner": table.winner})

    def _play(self, player: str, token: str, order: Callable[[Table], str] | None) -> Answer:
        """An order, or, without one, everything that can be harvested."""
        table, seat = self._sitting(player, token)
        if order is None:
            table.harvest_all(seat, self._now())
        else:
            table.act(seat, order(table), self._now())
        self._changed()
        return OK

    # -- who asks ------------------------------------------------------------------------------------------------

    def _open(self) -> Table:
        table = self.table or self.last
        if table is None:
            raise Refused("closed", NOBODY_SITS)
        return table

    def _sitting(self, player: str, token: str) -> tuple[Table, int]:
        """The table and the seat that a token is for."""
        if player not in ("A", "B"):
            raise expected(NO_PLAYER, player)
        seat = SIDES.index(player)
        for table in (self.table, self.last):
            if table is not None and table.holds(seat, token):
                return table, seat
        raise Refused("wrong_token", WRONG_TOKEN.format(player))


def _json(said: object) -> Answer:
    return _drawn(encoded(said))


def _drawn(body: bytes) -> Answer:
    return Answer(200, body, "application/json")


def _numbers(*words: str) -> tuple[int, ...]:
    if not all(word.isascii() and word.isdecimal() and len(word) < 10 for word in words):
        raise _Unknown
    return tuple(map(int, words))


# -- orders in our notation -------------------------------------------------------------------------------------------


def _kind(kind: str) -> str:
    if len(kind) != 1 or kind not in KINDS:
        raise expected(Words("C, M ou B", "C, M or B"), kind)
    return {"C": "civilian", "M": "military", "B": "building"}[kind]


def _cell(table: Table, y: int, x: int) -> str:
    height, width = table.size
    if y >= height or x >= width:
        raise Refused("off_map", OFF_MAP.format(height - 1, width - 1))
    return f"{x},{y}"


def _move(table: Table, kind: str, y: int, x: int, ny: int, nx: int) -> str:
    unit, cell = _kind(kind), _cell(table, y, x)
    if unit == "building":
        raise Refused("never_moves", NEVER_MOVES)
    if (ny - y, nx - x) not in STEPS:
        raise Refused("not_beside", NOT_BESIDE)
    _cell(table, ny, nx)
    return f"move {unit} {cell} {STEPS[ny - y, nx - x]}"


def _build(table: Table, kind: str, y: int, x: int) -> str:
    unit, cell = _kind(kind), _cell(table, y, x)
    return f"build {cell}" if unit == "building" else f"recruit {unit} {cell}"
