"""Playing in the terminal: people at one keyboard, or against computer players."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.columns import Columns
from rich.text import Text

from quincunx.cli import programs
from quincunx.cli.choices import Options, Preset, Seed, SetupName, load_compiled, new_world
from quincunx.cli.drawing import owner_style, print_board
from quincunx.cli.inspect import show_outcome
from quincunx.cli.speech import complain, language, out, say, tr
from quincunx.cli.telling import Teller
from quincunx.core.board import Event
from quincunx.core.words import Refused, Words
from quincunx.games import load
from quincunx.match import Match, Seat, encode
from quincunx.players import Player
from quincunx.players.programs.flight import FlightRecorder, free_file
from quincunx.players.programs.limits import Limits
from quincunx.players.programs.naming import check_rules, preset_for
from quincunx.players.programs.program import Program, closing_programs
from quincunx.players.roster import sit_down
from quincunx.players.table import Table

THINKING = 60.0  # seconds that a program may think, against a person

HELP = Words(
    "Tapez un coup, par exemple {}, ou : coups (les coups possibles), annuler, abandon, sauver FICHIER, quitter.",
    "Type a move, for example {}, or: moves (the legal ones), undo, resign, save FILE, quit.",
)
ORDERS = {
    "coups": "moves",
    "moves": "moves",
    "?": "help",
    "aide": "help",
    "help": "help",
    "annuler": "undo",
    "undo": "undo",
    "abandon": "resign",
    "resign": "resign",
    "quitter": "quit",
    "quit": "quit",
    "exit": "quit",
    "sauver": "save",
    "save": "save",
}


def play(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help=tr("le jeu", "the game"))] = "khet",
    against: Annotated[
        list[str] | None,
        typer.Option(
            help=tr("un joueur artificiel, comme alphabeta:depth=4", "a computer player, such as alphabeta:depth=4")
        ),
    ] = None,
    seat: Annotated[
        int, typer.Option(min=1, help=tr("votre place, contre l’ordinateur", "your seat, against the computer"))
    ] = 1,
    preset: Preset = None,
    setup: SetupName = None,
    option: Options = None,
    seed: Seed = None,
    save: Annotated[Path | None, typer.Option(help=tr("où garder la partie", "where to keep the record"))] = None,
    isolate: programs.Isolate = False,
    log: programs.Log = None,
) -> None:
    bound = load_compiled(game) if against else load(game)
    world = new_world(bound, preset or preset_for(against or []), setup, option, seed)
    options: dict[str, Any] = dict(world.options)
    check_rules(against or [], bound, options)
    match = Match(bound, position=bound.position(world), seed=seed, **options)
    n = bound.seats(world)
    if seat > n:
        raise Refused("no_such_seat", Words("Il y a {} places.", "There are {} seats.").format(n))
    players: list[Player | Program | None] = [None] * n
    if against:
        others = [other for other in range(n) if other != seat - 1]
        for k, s in enumerate(others):
            players[s] = sit_down(against[k % len(against)], bound, s, Limits(turn=THINKING, isolate=isolate))
    match.seats = [
        Seat(bound.card.seat_name(s).of(language())) if player is None else Seat(player.name, player.name)
        for s, player in enumerate(players)
    ]
    with closing_programs(players), FlightRecorder(log and free_file(log, bound.card.id)) as recorder:
        TerminalMatch(match, players, save, recorder).sit()


class TerminalMatch:
    """One match at one keyboard."""

    def __init__(
        self, match: Match, players: list[Player | Program | None], save: Path | None, recorder: FlightRecorder
    ) -> None:
        self.match = match
        self.players = players
        self.path = save
        self.table = Table(match, players, recorder=recorder)
        self._handed_to = -1
        self._teller = Teller(match.game.card)

    def sit(self) -> None:
        self._help()
        self.table.welcome()
        while not self.match.over:
            seat = self.match.turn
            if self.players[seat] is not None:
                self._computer_acts(seat)
            elif not self._person_acts(seat):
                return self._save()
        self.table.farewell()
        self._show(max(self._handed_to, 0))
        show_outcome(self.match)
        self._save()

    def _computer_acts(self, seat: int) -> None:
        name = self.match.seats[seat].name
        with self._telling(seat, self._only_person()), out.status(tr(f"{name} réfléchit…", f"{name} is thinking…")):
            self.table.step()

    def _only_person(self) -> int:
        people = [s for s, player in enumerate(self.players) if player is None]
        return people[0] if len(people) == 1 else -2

    @contextmanager
    def _telling(self, seat: int, observer: int) -> Iterator[None]:
        """Those at the keyboard are told what they may see of what is played meanwhile."""
        game, before, played = self.match.game, self.match.game.clone(self.match.world), self.match.length
        yield
        watched = observer if game.card.fog else seat
        events: list[Event] = []
        for number, (who, what) in enumerate(self.match.standing[played:], played):  # the dice that follow it, too
            events += game.apply_and_tell(before, who, what, watched, number)
        self._teller.tell(events)

    def _person_acts(self, seat: int) -> bool:
        """False when the players leave."""
        if self.match.game.card.fog and self._only_person() < 0 and self._handed_to != seat:
            out.clear()
            if (
                self._ask(tr(f"À {self._name(seat)} : appuyez sur Entrée. ", f"{self._name(seat)}: press Enter. "))
                is None
            ):
                return False
        self._handed_to = seat
        self._show(seat)
        while True:
            line = self._ask(f"{self._name(seat)} > ", owner_style(seat))
            if line is None:
                return False
            word, _, rest = line.partition(" ")
            order = ORDERS.get(word.lower())
            if order == "quit":
                return False
            try:
                if order is None and line:
                    for action in self.match.game.expand(self.match.world, seat, line):
                        with self._telling(seat, seat):
                            self.table.act(seat, action)
                    return True
                if self._obey(order or "help", seat, rest):
                    return True
            except Refused as refused:
                complain(refused.words)

    def _ask(self, prompt: str, style: str = "") -> str | None:
        """What somebody types, or None when they leave: with the end of the input, or with Ctrl-C."""
        try:
            return out.input(Text(prompt, style=style)).strip()
        except (EOFError, KeyboardInterrupt):
            return None

    def _obey(self, order: str, seat: int, rest: str) -> bool:
        """An order that is not a move; True if it may be somebody else's turn now."""
        if order == "moves":
            out.print(Columns([Text(move) for move in self.match.legal(seat)], padding=(0, 2)))
        elif order == "save":
            self._save(Path(rest or "quincunx-match.json"))
        elif order == "undo":
            self._undo(seat)
            return True
        elif order == "resign":
            self.match.resign(seat, at=self.table.now())
            return True
        else:
            self._help()
        return False

    def _help(self) -> None:
        """With a move that can be played now, for whoever has not seen this game's notation yet."""
        asked = max(self.match.turn, 0)
        legal = self.match.legal(asked)
        say(HELP.format(legal[len(legal) // 2] if legal else "?"))

    def _undo(self, seat: int) -> None:
        """Back to the last decision of a person."""
        self.match.undo(seat=seat, at=self.table.now())
        while self.players[self.match.turn] is not None and self.match.length:
            self.match.undo(seat=seat, at=self.table.now())

    def _name(self, seat: int) -> str:
        return self.match.seats[seat].name

    def _show(self, seat: int) -> None:
        print_board(self.match.game.board(self.match.game.view(self.match.world, seat)))

    def _save(self, path: Path | None = None) -> None:
        path = path or self.path
        if path is None:
            return
        try:
            path.write_bytes(encode(self.match.record()))
        except OSError as error:
            words = Words("{} ne peut pas être écrit ({}).", "{} cannot be written ({}).")
            raise Refused("unwritable", words.format(path, error.strerror)) from None
        say(Words("Partie gardée dans {}.", "The match is kept in {}.").format(path))
