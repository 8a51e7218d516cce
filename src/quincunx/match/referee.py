"""The referee of one match: who may do what, and when. It has no clock and no dice of its own, and writes nothing.

Each question (`submit`, `resign`, `offer_draw` …) is answered with the entries that would follow, or with a refusal;
nothing has changed yet. Whoever asked stores the entries, and then the referee takes them (`take`). What was stored is
therefore all there is: a referee that takes the stored entries of a match stands where the one before it stood.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence

from quincunx.core.contract import CHANCE, NOBODY
from quincunx.core.words import Refused, Words
from quincunx.games import Game
from quincunx.match.clock import Clock, ClockRule
from quincunx.match.match import Dice, Match, Step
from quincunx.match.record import Entry, Happened, Outcome, Played

Ruling = list[Entry] | Refused
Entropy = Callable[[], int]  # 63 fresh bits from the operating system

OVER = Refused("over", Words("La partie est finie.", "The match is over."))
TOO_LATE = Refused("too_late", Words("Le temps est écoulé.", "The time is up."))
NO_SEAT = Refused("no_such_seat", Words("Ce n’est pas une place de cette partie.", "This match has no such seat."))
NO_OFFER = Refused("no_offer", Words("Rien n’a été proposé.", "Nothing was offered."))
OFFERED = Refused("already_offered", Words("C’est déjà proposé.", "That is offered already."))
NOTHING_TO_TAKE_BACK = Refused("nothing_to_undo", Words("Il n’y a rien à annuler.", "There is nothing to take back."))
SHOWN = Refused(
    "shown",
    Words(
        "On n’annule ni un lancer de dés, ni ce qui a été vu.",
        "A roll of the dice, or what was seen, cannot be taken back.",
    ),
)
UNDER_WAY = Refused(
    "under_way",
    Words(
        "La partie est engagée : on ne peut plus que l’abandonner.", "The match is under way: you can only resign now."
    ),
)


class Referee:
    """Rules on a match, and keeps its clocks and offers."""

    def __init__(self, match: Match, rule: ClockRule | None = None, at: int = 0) -> None:
        self.match = match
        self.game = match.game
        self.seats = match.game.seats(match.world)
        self.clocks = [Clock(rule or ClockRule()) for _ in range(self.seats)]
        self.draw_offers: set[int] = set()
        self.draw_declined: int | None = None  # by whom, until somebody acts or offers again
        self.take_back_asked: int | None = None
        self.take_back_declined: int | None = None  # likewise
        self._waited: set[int] = set()  # seats that the game waited for, when clocks were wound last
        self._steps: list[Step] = []  # of the last ruling, from where the match stands
        self._wind(at)

    # -- questions -----------------------------------------------------------------------------------------------

    def submit(self, seat: int, action: int | str, at: int, entropy: Entropy) -> Ruling:
        """An action or its text, and the dice that fall after it."""
        refusal = self._may_speak(seat)
        if refusal:
            return refusal
        if self._is_late(seat, at):
            return TOO_LATE
        if isinstance(action, str):
            try:
                action = self.game.parse(self.match.world, seat, action)
            except Refused as refused:
                return refused
        return self.game.check(self.match.world, seat, action) or self._played(seat, action, at, entropy)

    def first_dice(self, at: int, entropy: Entropy) -> Ruling:
        """The dice of a match that begins with them."""
        return self._foreseen(self.match.foresee_dice(self.match.world, at, self._dice(entropy)))

    def expire(self, at: int, entropy: Entropy) -> list[Entry]:
        """What follows from flags that have fallen, and from seats that are gone: one seat at a time."""
        if self.match.over:
            return []
        for seat, clock in enumerate(self.clocks):
            if not self.game.to_act(self.match.world, seat):
                continue
            deadline = clock.deadline()
            if seat in self.match.gone or (deadline is not None and deadline <= at):
                action = self.game.fallback(self.match.world, seat)
                if action is not None:
                    return self._played(seat, action, at, entropy)
                return [Happened("time_out", at, seat)]
        return []

    def resign(self, seat: int, at: int) -> Ruling:
        return self._may_speak(seat) or [Happened("resign", at, seat)]

    def forfeit(self, seat: int, reason: str, at: int, detail: tuple[str, ...] = (), notes: str = "") -> Ruling:
        return self._may_speak(seat) or [Happened("forfeit", at, seat, reason, detail=detail, notes=notes)]

    def abort(self, seat: int, at: int) -> Ruling:
        """Before every seat has acted once."""
        refusal = self._may_speak(seat)
        if refusal is None and len({who for who, _ in self.match.standing if who != CHANCE}) == self.seats:
            return UNDER_WAY
        return refusal or [Happened("abort", at, seat)]

    def offer_draw(self, seat: int, at: int) -> Ruling:
        """Offers a draw, or accepts the others' offer: the last one who agrees ends the match."""
        refusal = self._may_speak(seat)
        if refusal is None and seat in self.draw_offers:
            return OFFERED
        agreed = self.draw_offers | self.match.gone | {seat}
        return refusal or [Happened("draw" if len(agreed) == self.seats else "draw_offered", at, seat)]

    def decline_draw(self, seat: int, at: int) -> Ruling:
        refusal = self._may_speak(seat)
        if refusal is None and not self.draw_offers - {seat}:
            return NO_OFFER
        return refusal or [Happened("draw_declined", at, seat)]

    def ask_take_back(self, seat: int, at: int, alone: bool = False) -> Ruling:
        """Asks the others to take back the last action of a seat; `alone`, against computers, needs no consent."""
        refusal = self._may_speak(seat)
        if refusal is None and self.take_back_asked is not None:
            return OFFERED
        kept = self._kept_without(seat)
        if refusal or isinstance(kept, Refused):
            return refusal or kept  # type: ignore[return-value]
        return [Happened("take_back", at, seat, kept=kept) if alone else Happened("take_back_asked", at, seat)]

    def answer_take_back(self, seat: int, yes: bool, at: int) -> Ruling:
        refusal = self._may_speak(seat)
        if refusal is None and self.take_back_asked in (None, seat):
            return NO_OFFER
        if refusal or self.take_back_asked is None:
            return refusal or NO_OFFER
        kept = self._kept_without(self.take_back_asked)
        if isinstance(kept, Refused):
            return kept
        return [Happened("take_back", at, seat, kept=kept) if yes else Happened("take_back_declined", at, seat)]

    def outcome_after(self, ruling: Sequence[Entry]) -> Outcome | None:
        """How the match would stand, without touching it."""
        if self._steps and self._steps[-1].entry is ruling[-1] and not self.game.over(self._steps[-1].world):
            return None
        draft = copy.copy(self.match)
        draft.world = self.game.clone(self.match.world)
        draft.entries, draft.standing, draft.left = [], list(self.match.standing), list(self.match.left)
        for entry in ruling:
            draft.take(entry)
        return draft.outcome

    # -- taking what was stored ----------------------------------------------------------------------------------

    def foresaw(self, entry: Entry) -> bool:
        """Was it tried out? Then the match goes on in the world where that was, and the one before stays as it is."""
        return bool(self._steps) and self._steps[0].entry is entry

    def take(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            step = self._steps.pop(0) if self.foresaw(entry) else None
            if step is None:
                self._steps.clear()  # the match goes another way
            if isinstance(entry, Played):
                self.match.take(entry, step)
                if entry.seat != CHANCE:
                    self.draw_offers.discard(entry.seat)
                    self.draw_declined = None
                    self.take_back_asked = None
                    self.take_back_declined = None
            else:
                self._take_event(entry)
            self._wind(entry.at)

    def _take_event(self, entry: Happened) -> None:
        if entry.event == "draw_offered" and entry.seat is not None:
            self.draw_offers.add(entry.seat)
            self.draw_declined = None
        elif entry.event == "draw_declined":
            self.draw_offers.clear()
            self.draw_declined = entry.seat
        elif entry.event == "take_back_asked":
            self.take_back_asked = entry.seat
            self.take_back_declined = None
        elif entry.event in ("take_back", "take_back_declined"):
            self.take_back_asked = None
            self.take_back_declined = entry.seat if entry.event == "take_back_declined" else None
        elif entry.event == "time_out" and entry.seat is not None:
            self.clocks[entry.seat].fall()
        self.match.take(entry)

    def shift(self, game: Game) -> None:
        """Goes on in another gear of the same game."""
        self.match.shift(game)
        self.game = game
        self._steps.clear()

    # -- inside --------------------------------------------------------------------------------------------------

    def _may_speak(self, seat: int) -> Refused | None:
        if not 0 <= seat < self.seats or seat in self.match.gone:
            return NO_SEAT
        return OVER if self.match.over else None

    def _is_late(self, seat: int, at: int) -> bool:
        deadline = self.clocks[seat].deadline()
        return deadline is not None and deadline < at

    def _played(self, seat: int, action: int, at: int, entropy: Entropy) -> list[Entry]:
        return self._foreseen(self.match.foresee(seat, action, at, self._dice(entropy)))

    def _foreseen(self, steps: list[Step]) -> list[Entry]:
        """What is to be stored; when that comes back, it need not be played again."""
        self._steps = steps
        return [step.entry for step in steps]

    def _dice(self, entropy: Entropy) -> Dice:
        return lambda: self.game.random(entropy())

    def _kept_without(self, seat: int) -> int | Refused:
        """How many actions stand if the last one of a seat, and all that followed, is taken back."""
        standing = self.match.standing
        kept = next((k for k in range(len(standing) - 1, -1, -1) if standing[k][0] == seat), None)
        if kept is None:
            return NOTHING_TO_TAKE_BACK
        if self.game.card.fog or any(who == CHANCE for who, _ in standing[kept:]):
            return SHOWN
        return kept

    def _wind(self, at: int) -> None:
        """Clocks run for the seats that the game waits for; while dice fall, none starts and none stops.

        Where it waits for others than before, what went before is over: whoever seals last may be asked again at once,
        and its new turn is as long as the others'."""
        turn = self.game.turn(self.match.world)
        if turn == CHANCE and not self.match.over:
            return
        goes_on = not self.match.over and turn != NOBODY
        waited = {s for s in range(self.seats) if goes_on and self.game.to_act(self.match.world, s)}
        anew = not waited <= self._waited
        for seat, clock in enumerate(self.clocks):
            if anew or seat not in waited:
                clock.end(at)
            if seat in waited:
                clock.begin(at)
        self._waited = waited
