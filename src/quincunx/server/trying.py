"""What an action would do, told to the seat that is about to play it: on a copy, and never stored.

Only where everybody could work it out: nothing is hidden, nobody decides in secret, and no dice fall.
"""

from __future__ import annotations

from quincunx.core.contract import CHANCE, NOT_TO_ACT
from quincunx.core.words import Refused, Words
from quincunx.match.wire import Tried, Try
from quincunx.server.live import LiveMatch

SECRET = Words("Dans ce jeu, un coup ne s’essaie pas.", "In this game an action cannot be tried out.")
DICE = Words("Les dés décident de la suite de ce coup.", "Dice decide what this action leads to.")


def attempt(live: LiveMatch, word: Try) -> Tried | Refused:
    match, game = live.match, live.match.game
    if not game.card.open:
        return Refused("secret", SECRET)
    if match.over or not game.to_act(match.world, word.seat):
        return game.refusal(NOT_TO_ACT)
    try:
        action = game.parse(match.world, word.seat, word.action)
    except Refused as refused:
        return refused
    refusal = game.check(match.world, word.seat, action)
    if refusal:
        return refusal
    after = game.clone(match.world)
    story = game.apply_and_tell(after, word.seat, action, word.seat, match.length)
    if game.turn(after) == CHANCE:
        return Refused("dice", DICE)
    return Tried(word.id, game.show(game.view(after, word.seat)), tuple(story))
