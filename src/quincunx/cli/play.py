"""Playing in the terminal: people at one keyboard, or against computer players."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import typer
from rich.columns import Columns
from rich.text import Text

from quincunx.cli.choices import Options, Preset, Seed, SetupName, new_world
from quincunx.cli.drawing import owner_style, print_board
from quincunx.cli.inspect import show_outcome
from quincunx.cli.speech import complain, language, out, say, tr
from quincunx.cli.telling import Teller
from quincunx.core.board import Event
from quincunx.core.words import Refused, Words
from quincunx.games import load
from quincunx.match import Match, Seat, encode
from quincunx.players import Player, make

HELP = Words(
    "Tapez un coup en notation, ou : coups (les coups possibles), annuler, abandon, sauver FICHIER, quitter.",
    "Type a move in notation, or: moves (the legal ones), undo, resign, save FILE, quit.",
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
) -> None:
    bound = load(game)
    world = new_world(bound, preset, setup, option, seed)
    options: dict[str, Any] = dict(world.options)
    match = Match(bound, position=bound.position(world), seed=seed, **options)
    n = bound.seats(world)
    if seat > n:
        raise Refused("no_such_seat", Words("Il y a {} places.", "There are {} seats.").format(n))
    computers: dict[int, Player] = {}
    if against:
        others = [other for other in range(n) if other != seat - 1]
        computers = {s: make(against[k % len(against)], bound, seed=s) for k, s in enumerate(others)}
    match.seats = [
        Seat(computers[s].name, computers[s].name) if s in computers else Seat(bound.card.seat_name(s).of(language()))
        for s in range(n)
    ]
    TerminalMatch(match, computers, save).sit()


class TerminalMatch:
    """One match at one keyboard."""

    def __init__(self, match: Match, computers: dict[int, Player], save: Path | None) -> None:
        self.match = match
        self.computers = computers
        self.path = save
        self._began = perf_counter()
        self._handed_to = -1
        self._teller = Teller(match.game.card)

    def sit(self) -> None:
        say(HELP)
        while not self.match.over:
            seat = self.match.turn
            if seat in self.computers:
                self._computer_acts(seat)
            elif not self._person_acts(seat):
                return self._save()
        self._show(max(self._handed_to, 0))
        show_outcome(self.match)
        self._save()

    def _now(self) -> int:
        return round(1000 * (perf_counter() - self._began))

    def _computer_acts(self, seat: int) -> None:
        player, game = self.computers[seat], self.match.game
        with out.status(tr(f"{player.name} réfléchit…", f"{player.name} is thinking…")):
            action = player.choose(game.view(self.match.world, seat))
        self._act(seat, action, self._only_person())

    def _only_person(self) -> int:
        people = [s for s in range(len(self.match.seats)) if s not in self.computers]
        return people[0] if len(people) == 1 else -2

    def _act(self, seat: int, action: int, observer: int) -> None:
        """Plays it, and tells those at the keyboard what they may see of it."""
        game, before, played = self.match.game, self.match.game.clone(self.match.world), self.match.length
        self.match.act(seat, action, at=self._now())
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
                        self._act(seat, action, seat)
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
            self.match.resign(seat, at=self._now())
            return True
        else:
            say(HELP)
        return False

    def _undo(self, seat: int) -> None:
        """Back to the last decision of a person."""
        self.match.undo(seat=seat, at=self._now())
        while self.match.turn in self.computers and self.match.length:
            self.match.undo(seat=seat, at=self._now())

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
