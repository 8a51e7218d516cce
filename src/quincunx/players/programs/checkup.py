"""The odd situations that a program must cope with, one after the other; each says what to mend.

A situation is a function that plays with a `Partner` and raises `Wrong`. Each has a process of its own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from quincunx.core.words import Words
from quincunx.games import Game
from quincunx.players.programs.partner import Partner, Wrong

FEW, MANY = 4, 400  # actions of the program
LEAVING = 3.0  # seconds in which a program ends whose input ended


class Situation(NamedTuple):
    name: Words
    advice: Words  # what to mend
    play: Callable[[Partner], None]


class Finding(NamedTuple):
    number: int
    situation: Situation
    wrong: Words | None  # None: it copes
    seconds: float


def _whole_match(partner: Partner) -> None:
    partner.begin()
    partner.play_on(MANY)
    partner.end()


def _second_seat(partner: Partner) -> None:
    partner.begin(seat=partner.game.seats(partner.game.new()) - 1)
    partner.play_on(FEW)


def _slow_start(partner: Partner) -> None:
    time.sleep(1.5)
    partner.begin()
    partner.play_on(FEW)


def _several_matches(partner: Partner) -> None:
    for seed in range(1, 4):
        partner.begin(seed=seed, seat=seed % 2)
        partner.play_on(FEW)
        if not partner.match.over:
            partner.match.resign(1 - seed % 2)
        partner.end()


def _long_match(partner: Partner) -> None:
    """Many turns, in as many matches as that takes, in one process."""
    left, seed = MANY, 1
    while left > 0:
        partner.begin(seed=seed)
        left -= max(1, partner.play_on(left))
        seed += 1


def _refusal(partner: Partner) -> None:
    partner.begin()
    for _ in range(2):
        partner.ask()
        partner.refuse()
        partner.act(partner.answer())


def _single_action(partner: Partner) -> None:
    partner.begin()
    only = partner.match.legal(partner.seat)[-1]
    said = partner.ask(legal=[only])
    if said != only:
        raise Wrong(Words("Réponse {} au lieu de {}.", "It answered {} instead of {}.").format(said, only))


def _clock_nearly_out(partner: Partner) -> None:
    partner.begin()
    partner.play_on(1)
    clocks = [100 if seat == partner.seat else None for seat in range(len(partner.match.seats))]
    for _ in range(3):
        if not partner.match.over:
            partner.act(partner.ask(seconds=0.1, clocks=clocks))


def _others_turn(partner: Partner) -> None:
    """An update that does not ask it anything is not answered; the question after it is."""
    partner.begin()
    partner.say(partner.update(to_act=[], legal=[]))
    if not partner.is_silent(0.3):
        raise Wrong(Words("Réponse sans qu’on ait demandé.", "It answered without being asked."))
    partner.play_on(FEW)


def _unknown(partner: Partner) -> None:
    partner.begin(colour="mauve", nested={"deep": [1, {"x": None}]})
    partner.say({"type": "weather", "forecast": ["rain", 0.5, "«é»"]})
    partner.play_on(FEW, mood="good", later={"more": [True, None, "ünï"]})


def _closed_pipes(partner: Partner) -> None:
    partner.begin()
    partner.play_on(1)
    code = partner.process.finish(LEAVING)
    if code is None:
        words = Words("Toujours là {} s après la fin de son entrée.", "Still there {} s after its input ended.")
        raise Wrong(words.format(LEAVING))
    if code != 0:
        raise Wrong(Words("Code de sortie {} au lieu de 0.", "Exit code {} instead of 0.").format(code))


SITUATIONS = (
    Situation(
        Words("une partie entière", "a whole match"),
        Words("Répondez une ligne « play » à chaque « update » où vous êtes dans to_act, puis videz le tampon (flush).",
              "Answer one “play” line to every “update” with your seat in to_act, and flush the output."),
        _whole_match,
    ),
    Situation(
        Words("l’autre place", "the other seat"),
        Words("Votre place est yours[0] du message « welcome », pas toujours 0.",
              "Your seat is yours[0] of the “welcome”, and not always 0."),
        _second_seat,
    ),
    Situation(
        Words("départ tardif", "a slow start"),
        Words("Attendez les messages sans limite de temps et n’écrivez rien avant.",
              "Wait for messages without a time limit, and write nothing before."),
        _slow_start,
    ),
    Situation(
        Words("plusieurs parties", "several matches"),
        Words("Un nouveau « welcome » commence une partie neuve : oubliez la précédente, relisez yours[0].",
              "A new “welcome” begins a new match: forget the one before, and read yours[0] again."),
        _several_matches,
    ),
    Situation(
        Words("longue partie", "a long match"),
        Words("Ne gardez pas tout en mémoire, et que votre temps de réponse ne grandisse pas.",
              "Do not keep everything, and let your time to answer not grow."),
        _long_match,
    ),
    Situation(
        Words("coup refusé", "a refused action"),
        Words("Après « refused », répondez à nouveau : un autre « play », sous un autre id.",
              "After “refused” answer again: another “play” under another id."),
        _refusal,
    ),
    Situation(
        Words("un seul coup possible", "one legal action"),
        Words("Choisissez dans legal quand lists_all est vrai.", "Choose from legal where lists_all is true."),
        _single_action,
    ),
    Situation(
        Words("pendule presque à zéro", "a clock that is nearly out"),
        Words("Lisez clocks[place], en millisecondes, et répondez plus vite quand il reste peu.",
              "Read clocks[seat], in milliseconds, and answer sooner when little is left."),
        _clock_nearly_out,
    ),
    Situation(
        Words("le tour d’un autre", "somebody else’s turn"),
        Words("Ne répondez que si votre place est dans to_act.", "Answer only if your seat is in to_act."),
        _others_turn,
    ),
    Situation(
        Words("champs et messages inconnus", "unknown fields and messages"),
        Words("Ignorez ce que vous ne connaissez pas : le protocole grandira.",
              "Ignore what you do not know: the protocol will grow."),
        _unknown,
    ),
    Situation(
        Words("fin de l’entrée", "closed pipes"),
        Words("À la fin de stdin, terminez avec le code 0.", "When stdin ends, leave with exit code 0."),
        _closed_pipes,
    ),
)  # fmt: skip


def check_up(game: Game, command: Sequence[str], folder: Path | None = None) -> Iterator[Finding]:
    """What comes of every situation, as it is known."""
    for number, situation in enumerate(SITUATIONS, 1):
        partner, began = Partner(game, command, folder), time.monotonic()
        wrong = None
        try:
            partner.process.wait_until_started()
            situation.play(partner)
        except Wrong as found:
            wrong = found.words
        finally:
            partner.process.close(at_once=True)
        yield Finding(number, situation, wrong, time.monotonic() - began)
