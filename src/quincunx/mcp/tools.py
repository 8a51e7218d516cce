"""The tools that a language model is offered: games, rules, matches, a seat, its view, its legal actions, its moves.

What is refused comes back as an error with the server's own sentence. A tool without `match` means the match in which
the model sat down last.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Annotated, Any, Literal
from urllib.parse import parse_qs, urlsplit

from mcp.server import MCPServer
from mcp.types import CallToolResult, TextContent
from pydantic import Field

from quincunx import __version__
from quincunx.core.card import Card
from quincunx.core.words import Language, Refused, Words, expected
from quincunx.games import cards
from quincunx.mcp.lobby import Lobby
from quincunx.mcp.rules import rules_of
from quincunx.mcp.table import Table
from quincunx.mcp.telling import told

LONGEST_WAIT = 600.0  # seconds
MOST_LISTED = 400  # legal actions in one answer
MOST_TABLES = 20
PLAYER = "level:3"

INSTRUCTIONS = Words(
    "Jouez à des jeux de stratégie sur un serveur Quincunx. Lisez rules, puis new_match ou sit_down ; look montre la "
    "partie, legal_actions les coups, play les joue, wait_for_turn attend votre tour. Seul ce que votre place voit "
    "vous est montré, et la pendule tourne.",
    "Play turn-based strategy games on a Quincunx server. Read rules, then new_match or sit_down; look shows the "
    "match, legal_actions what may be played, play plays it, wait_for_turn waits for your turn. You are shown what "
    "your seat sees and nothing else, and the clock runs.",
)
DESCRIPTIONS = {
    "list_games": Words(
        "Les jeux du serveur : options, préréglages et joueurs artificiels de chacun.",
        "The games of the server: options, presets and computer players of each.",
    ),
    "rules": Words("Les règles d’un jeu et sa notation, en texte.", "The rules of a game and its notation, as text."),
    "new_match": Words(
        "Ouvre une partie et s’y installe, contre un joueur artificiel, ou avec une place ouverte à qui a le lien.",
        "Makes a match and sits down in it, against a computer player, or with a seat open to whoever has the link.",
    ),
    "sit_down": Words(
        "S’installe dans une partie qui existe : avec un lien, ou avec l’identifiant et le jeton d’une place.",
        "Sits down in a match that exists: with a link, or with its id and the token of a seat.",
    ),
    "look": Words(
        "Ce que votre place voit : plateau, tour, pendule, et ce qui s’est passé depuis le dernier coup d’œil.",
        "What your seat sees: board, turn, clock, and what happened since you last looked.",
    ),
    "legal_actions": Words("Ce que vous pouvez jouer maintenant.", "What you may play now."),
    "play": Words(
        "Joue une action ou plusieurs à la suite, en notation ; s’arrête à la première qui est refusée.",
        "Plays an action, or several in a row, in notation; stops at the first that is refused.",
    ),
    "wait_for_turn": Words(
        "Attend que ce soit à vous de jouer, ou que la partie soit finie.",
        "Waits until it is your turn, or the match is over.",
    ),
    "resign": Words("Abandonne la partie.", "Resigns the match."),
}
NOWHERE = Words(
    "Vous n’êtes assis nulle part : new_match ou sit_down d’abord.", "You sit nowhere: new_match or sit_down first."
)
NOT_THERE = Words("Vous n’êtes pas assis dans la partie {}.", "You do not sit in the match {}.")
OTHER_SERVER = Words(
    "Ce lien mène à {}, et non au serveur {} : voir quincunx mcp --server.",
    "This link leads to {}, not to the server {}: see quincunx mcp --server.",
)
TOO_MANY = Words("Au plus {} parties à la fois.", "{} matches at a time at most.")
NO_SUCH_SEAT = Words("une place de 0 à {}", "a seat from 0 to {}")
LINK = Words("le lien d’une partie, ou match et token", "the link of a match, or match and token")
MATCH = Words("l’identifiant ou le code d’une partie", "the id or the code of a match")
OTHERS_TOO = Words("D’autres actions de la notation sont permises.", "Other actions of the notation are allowed, too.")
MORE = Words("… et {} autres : précisez containing.", "… and {} more: use containing.")
NONE = Words("Rien à jouer maintenant.", "Nothing to play now.")

GAME = Words(
    "{id} : {name}. {summary}\n  places : {fewest} à {most}\n  préréglages (preset) : {presets}\n"
    "  départs (setup) : {setups}\n  options : {options}\n  joueurs (against) : {players}",
    "{id}: {name}. {summary}\n  seats: {fewest} to {most}\n  presets: {presets}\n"
    "  setups: {setups}\n  options: {options}\n  players (against): {players}",
)

Match = Annotated[str | None, Field(description="id of the match; the one where you sat down last if left out")]


class Tools:
    """One model, and the seats that it holds."""

    def __init__(self, base: str, language: Language, name: str) -> None:
        self.lobby = Lobby(base)
        self._language: Language = language
        self._name = name
        self._tables: dict[str, Table] = {}

    def server(self) -> MCPServer[Any]:
        found: MCPServer[Any] = MCPServer(
            "quincunx", instructions=INSTRUCTIONS.of(self._language), version=__version__, log_level="WARNING"
        )
        for name, words in DESCRIPTIONS.items():
            tool = self._in_words(getattr(self, name))
            found.tool(name, description=words.of(self._language), structured_output=False)(tool)
        return found

    def close(self) -> None:
        for table in self._tables.values():
            table.leave()

    # -- games ---------------------------------------------------------------------------------------------------

    async def list_games(self) -> str:
        return "\n\n".join(self._game(game) for game in await self.lobby.games())

    async def rules(
        self,
        game: Annotated[str, Field(description="id of the game, such as connect_four")],
        language: Annotated[Literal["fr", "en"] | None, Field(description="fr or en")] = None,
    ) -> str:
        return rules_of(_card(game).id, language or self._language)

    # -- sitting down --------------------------------------------------------------------------------------------

    async def new_match(
        self,
        game: Annotated[str, Field(description="id of the game, such as connect_four")],
        against: Annotated[
            str | None, Field(description="a computer player such as level:3 or greedy; null: others join by the link")
        ] = PLAYER,
        seat: Annotated[int, Field(ge=0, lt=100, description="yours, from 0: the one that begins in most games")] = 0,
        seats: Annotated[int | None, Field(ge=2, le=100, description="how many, where a game leaves it open")] = None,
        preset: Annotated[str | None, Field(description="a preset of the game")] = None,
        setup: Annotated[str | None, Field(description="a named start of the game")] = None,
        options: Annotated[dict[str, Any] | None, Field(description="options of the game by name")] = None,
        seconds_per_turn: Annotated[float | None, Field(gt=0, description="the clock; none if left out")] = None,
        public: Annotated[bool, Field(description="listed in the lobby")] = False,
    ) -> str:
        start: dict[str, Any] = {"preset": preset, "setup": setup, "options": dict(options or {})}
        if seats is not None:
            start["options"].setdefault("seats", seats)
        number = await self.lobby.seats_of(_card(game).id, start)
        if seat >= number:
            raise expected(NO_SUCH_SEAT.format(number - 1), seat)
        other = {"kind": "open"} if against is None else {"kind": "computer", "player": against}
        mine = {"kind": "program", "name": self._name}
        wanted = {"game": game, "seats": [mine if n == seat else other for n in range(number)], "public": public}
        if seconds_per_turn is not None:
            wanted["clock"] = {"kind": "move", "turn": round(1000 * seconds_per_turn)}
        made = await self.lobby.make({**wanted, **start})
        return await self._sit(made["id"], made["seats"][0]["token"])

    async def sit_down(
        self,
        link: Annotated[str | None, Field(description="of a match, with or without the token of a seat")] = None,
        match: Annotated[str | None, Field(description="id or code of a match, instead of a link")] = None,
        token: Annotated[str | None, Field(description="of the seat; without one, an open seat is taken")] = None,
        seat: Annotated[int | None, Field(ge=0, lt=100, description="which open seat; any if left out")] = None,
    ) -> str:
        if link is not None:
            match, token = self._read_link(link, token)
        if match is None:
            raise expected(LINK, "")
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", match):
            raise expected(MATCH, match)
        id = (await self.lobby.find(match))["id"]
        if token is None:
            token = (await self.lobby.join(id, self._name, seat))["token"]
        return await self._sit(id, token)

    # -- at the table --------------------------------------------------------------------------------------------

    async def look(
        self,
        match: Match = None,
        format: Annotated[Literal["text", "json"], Field(description="json: the game's own struct")] = "text",
    ) -> str:
        table = self._table(match)
        return self._told(table) if format == "text" else _as_json(table)

    async def legal_actions(
        self,
        match: Match = None,
        containing: Annotated[str, Field(description="only those with this text in them")] = "",
    ) -> str:
        table = self._table(match)
        legal = table.update["legal"] if table.to_act else []
        found = [action for action in legal if containing in action]
        lines = found[:MOST_LISTED]
        if len(found) > len(lines):
            lines.append(MORE.format(len(found) - len(lines)).of(self._language))
        if table.to_act and not table.welcome.get("lists_all", True):
            lines.append(OTHERS_TOO.of(self._language))
        return "\n".join(lines) or NONE.of(self._language)

    async def play(
        self,
        actions: Annotated[list[str] | str, Field(description='in notation: "d", or ["harvest 0,0", "end"]')],
        match: Match = None,
    ) -> str:
        table = self._table(match)
        wanted = [actions] if isinstance(actions, str) else actions
        for number, action in enumerate(wanted):
            try:
                await table.play(action)
            except Refused as refused:
                where = Words(f"Action {number + 1} ({action}) : ", f"Action {number + 1} ({action}): ")
                words = Words(where.fr + refused.words.fr, where.en + refused.words.en)
                raise Refused(refused.code, words) from None
        return self._told(table)

    async def wait_for_turn(
        self,
        seconds: Annotated[float, Field(ge=0, le=LONGEST_WAIT, description="at most")] = 30.0,
        match: Match = None,
    ) -> str:
        table = self._table(match)
        await table.wait(seconds)
        return self._told(table)

    async def resign(self, match: Match = None) -> str:
        table = self._table(match)
        await table.resign()
        return self._told(table)

    # -- inside --------------------------------------------------------------------------------------------------

    def _in_words(self, tool: Callable[..., Awaitable[str]]) -> Callable[..., Awaitable[str | CallToolResult]]:
        """What is refused is an error that the model reads, as the one sentence that it is."""

        @wraps(tool)
        async def answer(*given: Any, **named: Any) -> str | CallToolResult:
            try:
                return await tool(*given, **named)
            except Refused as refused:
                words = TextContent(type="text", text=refused.words.of(self._language))
                return CallToolResult(content=[words], is_error=True)

        return answer

    def _game(self, game: dict[str, Any]) -> str:
        card, language = game["card"], self._language
        options = ", ".join(f"{option['name']}={json.dumps(option['default'])}" for option in game["options"])
        told = GAME.format(
            id=card["id"],
            name=card["name"][language],
            summary=card["summary"][language],
            fewest=card["seats"][0],
            most=card["seats"][1],
            presets=", ".join(preset["name"] for preset in game["presets"]),
            setups=", ".join(setup["name"] for setup in game["setups"]) or "–",
            options=options,
            players=", ".join(player["spec"] for player in game["players"]),
        )
        return told.of(language)

    async def _sit(self, id: str, token: str) -> str:
        if id not in self._tables and len(self._tables) >= MOST_TABLES:
            self._forget()
        table = Table(self.lobby.base, id, token)
        await table.sit()
        if id in self._tables:
            self._tables.pop(id).leave()
        self._tables[id] = table
        return f"match={id} seat={table.seat} token={token}\n{self._link(table)}\n\n{self._told(table)}"

    def _forget(self) -> None:
        """A match that is over makes room."""
        over = next((id for id, table in self._tables.items() if table.over), None)
        if over is None:
            raise Refused("too_many", TOO_MANY.format(MOST_TABLES))
        self._tables.pop(over).leave()

    def _table(self, match: str | None) -> Table:
        if not self._tables:
            raise Refused("nowhere", NOWHERE)
        if match is None:
            return next(reversed(self._tables.values()))
        if match not in self._tables:
            raise Refused("not_there", NOT_THERE.format(match))
        return self._tables[match]

    def _read_link(self, link: str, token: str | None) -> tuple[str, str | None]:
        """The match of a link, and the token if it carries one: …/match/ID#seat=0&token=…"""
        parts = urlsplit(link if "://" in link else f"http://{link}")
        base = re.escape(urlsplit(self.lobby.base).path)
        found = re.fullmatch(base + r"/match/([A-Za-z0-9_-]{1,64})/?", parts.path)
        if not found:
            raise expected(LINK, link)
        if parts.netloc != urlsplit(self.lobby.base).netloc:
            raise Refused("other_server", OTHER_SERVER.format(parts.netloc, self.lobby.base))
        return found[1], token or parse_qs(parts.fragment).get("token", [None])[0]

    def _link(self, table: Table) -> str:
        return f"{self.lobby.base}/match/{table.welcome.get('code') or table.match}"

    def _told(self, table: Table) -> str:
        return told(table, _card(table.welcome["game"]), self._link(table), self._language)


def _card(game: str) -> Card:
    known = {card.id: card for card in cards()}
    if game not in known:
        raise expected(Words("un jeu parmi {}", "one of the games {}").format(", ".join(known)), game)
    return known[game]


def _as_json(table: Table) -> str:
    update = table.update
    said = {name: update[name] for name in ("shown", "to_act", "seats", "outcome", "why")}
    more = {"match": table.match, "seat": table.seat, "clocks": table.clocks(), "story": table.take_story()}
    return json.dumps({**more, **said}, ensure_ascii=False)


async def serve(base: str, language: Language, name: str) -> None:
    """Over stdin and stdout, until the input ends."""
    tools = Tools(base, language, name)
    try:
        await tools.server().run_stdio_async()
    finally:
        tools.close()
        await asyncio.sleep(0)
