"""`quincunx puzzles mine GAME` finds puzzles, `quincunx puzzles verify` looks at those that are shipped again.

quincunx puzzles mine khet --count 200 --minutes 10      # goes on where it stood
quincunx puzzles mine khet match.json other.json         # from records instead of matches between computers
quincunx puzzles verify                                  # all of them, with ten times the nodes
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Annotated, Any

import msgspec
import typer

from quincunx.cli.choices import GameId, Options, load_compiled, read_text
from quincunx.cli.speech import out, say, tr
from quincunx.cli.writing import write
from quincunx.core.options import find_setup, read_options
from quincunx.core.words import Refused, Words
from quincunx.games import Game, World, cards
from quincunx.match import decode
from quincunx.puzzles.mining import Miner, mine
from quincunx.puzzles.puzzle import Puzzle, file_of, line_of, read
from quincunx.puzzles.sources import of_record, positions

app = typer.Typer(
    no_args_is_help=True,
)


@app.command("mine", help=tr("Chercher des problèmes.", "Find puzzles."))
def mine_command(
    game: GameId,
    records: Annotated[list[Path] | None, typer.Argument(metavar="[RECORD]…")] = None,
    count: Annotated[int, typer.Option(min=1, help=tr("combien en tout", "how many in all"))] = 200,
    minutes: Annotated[
        float | None, typer.Option(min=0, help=tr("chercher tant de minutes", "look for so many minutes"))
    ] = None,
    setup: Annotated[list[str] | None, typer.Option(help=tr("départ, tour à tour", "a setup; several in turn"))] = None,
    option: Options = None,
    file: Annotated[Path | None, typer.Option(help=tr("où écrire", "where they are written"))] = None,
) -> None:
    played = load_compiled(game)
    place = file or file_of(game)
    have = read(place)
    began = monotonic()

    def enough() -> bool:
        return minutes is not None and monotonic() - began >= 60 * minutes

    if records:
        worlds = _from_records(played, records)
    else:
        values: dict[str, Any] = {**played.duel, **read_options(played.options, option or [])}
        setups = setup or ([] if played.card.drawn else [each.name for each in played.setups])
        for name in setups:
            find_setup(played.setups, name)
        worlds = positions(played, 1 + max((puzzle.source for puzzle in have), default=0), values, setups)
    with out.status("…") as status:
        for found in mine(played, have, count, enough, worlds):
            if isinstance(found, int):
                status.update(_progress(len(have), count, found, monotonic() - began))
                continue
            have.append(found)
            _append(place, found)
            if not out.is_terminal:
                say(_found(found, len(have)))
    say(Words("{} problèmes dans {}.", "{} puzzles in {}.").format(len(have), place))


@app.command("verify", help=tr("Regarder de plus près ceux qui sont livrés.", "Look closer at those that are shipped."))
def verify(
    games: Annotated[list[str] | None, typer.Argument(metavar="[GAME]…")] = None,
    times: Annotated[
        int,
        typer.Option(
            min=1, max=1000, help=tr("fois l’effort de la vérification", "times the effort that verified them")
        ),
    ] = 10,
    prune: Annotated[
        bool,
        typer.Option(
            "--prune", help=tr("ôter les autres, noter ce qui a tenu", "take the others out, note what has held")
        ),
    ] = False,
    new: Annotated[
        bool, typer.Option("--new", help=tr("seulement ce qui n’a pas encore tenu", "only what has not held before"))
    ] = False,
    file: Annotated[Path | None, typer.Option(help=tr("les problèmes d’un jeu", "the puzzles of one game"))] = None,
) -> int:
    wrong = 0
    for id in games or [card.id for card in cards() if file_of(card.id).is_file()]:
        wrong += _verify(load_compiled(id), file or file_of(id), times, prune, new)
    return 1 if wrong and not prune else 0


def _verify(game: Game, place: Path, times: int, prune: bool, new: bool) -> int:
    """How many do not hold."""
    puzzles = read(place)
    if not puzzles:
        raise Refused("no_puzzles", Words("Aucun problème dans {}.", "No puzzles in {}.").format(place))
    miner, kept, failed = Miner(game), list[Puzzle](), list[Puzzle]()
    with out.status("…") as status:
        for n, puzzle in enumerate(puzzles, 1):
            status.update(f"{game.card.id} {n}/{len(puzzles)}")
            if new and puzzle.held >= times:
                kept.append(puzzle)
            elif miner.holds(puzzle, times):
                kept.append(msgspec.structs.replace(puzzle, held=max(times, puzzle.held)))
            else:
                failed.append(puzzle)
    for puzzle in failed:
        say(Words("{} {} : pas sûr ({})", "{} {}: not certain ({})").format(game.card.id, puzzle.id, puzzle.answer))
    if prune and kept != puzzles:
        write(place, "".join(map(line_of, kept)))
    words = Words(
        "{} : {} problèmes sur {} tiennent ({} fois l’effort).", "{}: {} of {} puzzles hold ({} times the effort)."
    )
    say(words.format(game.card.id, len(kept), len(puzzles), times))
    return len(failed)


def _from_records(game: Game, files: list[Path]) -> Iterator[tuple[int, World]]:
    for number, file in enumerate(files):
        for world in of_record(game, decode(read_text(file).encode())):
            yield -number, world


def _append(file: Path, puzzle: Puzzle) -> None:
    try:
        with file.open("a", encoding="utf-8") as end:
            end.write(line_of(puzzle))
    except OSError as error:
        words = Words("Le fichier {} ne peut pas être écrit ({}).", "The file {} cannot be written ({}).")
        raise Refused("unwritable_file", words.format(file, error.strerror)) from None


def _progress(have: int, wanted: int, match: int, seconds: float) -> str:
    return tr(
        f"{have} problèmes sur {wanted}, partie {match}, {seconds:.0f} s",
        f"{have} of {wanted} puzzles, match {match}, {seconds:.0f} s",
    )


def _found(puzzle: Puzzle, number: int) -> Words:
    words = Words("{}. {} ({} points, partie {})", "{}. {} (rated {}, match {})")
    return words.format(number, puzzle.answer, puzzle.rating, puzzle.source)
