"""The report of a tournament: one HTML file that needs nothing else, in French or English.

Ratings with their intervals, who made what of whom as a heat map, time of thought, why matches were lost before their
end, starts and seats, where matches were played, and every match with a link to its record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import NamedTuple

from quincunx.core.words import Language, Words
from quincunx.games import load
from quincunx.tournament.html import PAGE, STYLE, bars, heat, intervals, table
from quincunx.tournament.ratings import rate
from quincunx.tournament.results import Result
from quincunx.tournament.standings import Standings
from quincunx.tournament.tables import HeadToHead, Tally, by_seat, by_start, chairs, cross_table
from quincunx.tournament.tournament import Tournament

MOST_LISTED = 2000  # matches with a link each; more would make the file slow to open

Link = Callable[[Result], str | None]  # to the record of a match


class Played(NamedTuple):
    """All that a report is made of."""

    id: str
    tournament: Tournament
    results: Sequence[Result]
    places: Mapping[tuple[int, int], str]  # where each match, by pairing and number, was played


class Report:
    def __init__(self, played: Played, language: Language, link: Link = lambda result: None) -> None:
        self._played = played
        self._language = language
        self._link = link
        plan = played.tournament.plan
        self._standings = Standings([entrant.name for entrant in plan.entrants])
        for result in played.results:
            self._standings.add(result)
        self._card = load(plan.game, "interpreted").card
        self._lines = played.tournament.ordered(self._standings)
        self._ratings = rate(played.results, seats=True)

    def html(self) -> str:
        plan = self._played.tournament.plan
        game = self._card.name.of(self._language)
        sections = (
            self._head(game), self._table(), self._plot(), self._cross(), self._think_time(), self._troubles(),
            self._starts_and_seats(), self._where(), self._matches(),
        )  # fmt: skip
        return PAGE.format(
            language=self._language, title=escape(plan.name or game), style=STYLE, body="\n".join(sections)
        )

    def _t(self, fr: str, en: str) -> str:
        return fr if self._language == "fr" else en

    def _number(self, value: float, digits: int = 0) -> str:
        text = f"{value:,.{digits}f}".replace(",", "\u202f")
        return text.replace(".", ",") if self._language == "fr" else text

    def _share(self, share: float) -> str:
        return f"{self._number(100 * share, 1)}\u202f%"

    # -- sections ------------------------------------------------------------------------------------------------

    def _head(self, game: str) -> str:
        played = self._played
        plan, matches = played.tournament.plan, len(played.results)
        state = self._t("terminé", "finished") if played.tournament.over else self._t("en cours", "under way")
        players = len(self._standings.lines)
        facts = (
            game, FORMATS[plan.format].of(self._language), self._t(f"{players} joueurs", f"{players} players"),
            self._t(f"{self._number(matches)} parties", f"{self._number(matches)} matches"), state,
        )  # fmt: skip
        return f"<h1>{escape(plan.name or game)}</h1><p class=facts>{' · '.join(map(escape, facts))}</p>{self._test()}"

    def _test(self) -> str:
        test = self._played.tournament.test
        return f"<p class=answer>{escape(test.words.of(self._language))}</p>" if test else ""

    def _table(self) -> str:
        headings = (
            "#", self._t("joueur", "player"), "Elo", "±", self._t("score", "score"), self._t("parties", "matches"),
            self._t("gagnées", "wins"), self._t("nulles", "draws"), self._t("perdues", "losses"),
        )  # fmt: skip
        rows = []
        for place, line in enumerate(self._lines, 1):
            rating = self._ratings.players.get(line.name)
            elo = (self._signed(rating.elo), self._number(rating.error)) if rating else ("–", "")
            counts = (line.matches, line.wins, line.draws, line.losses)
            rows.append((str(place), line.name, *elo, self._share(line.share), *map(self._number, counts)))
        return self._section(self._t("Classement", "Standings"), table(headings, rows, names=1))

    def _signed(self, value: float) -> str:
        return ("+" if value > 0 else "−" if round(value) < 0 else "") + self._number(abs(value))

    def _plot(self) -> str:
        """A dot for each rating, and its interval as a line."""
        players = self._ratings.players
        if len(players) < 2:
            return ""
        note = self._t(
            "Écart à la moyenne ; l’intervalle contient la vraie valeur 95 fois sur 100.",
            "Distance from the mean; the interval holds the true value 95 times in 100.",
        )
        return self._section(self._t("Forces", "Ratings"), f"{intervals(players)}<p class=note>{escape(note)}</p>")

    def _cross(self) -> str:
        cells = {row.player: row.against for row in cross_table(self._played.results)}
        names = [line.name for line in self._lines]
        if len(names) > 60:
            return ""
        head = "".join(f"<th class=slanted><span>{escape(name)}</span>" for name in names)
        rows = []
        for name in names:
            row = "".join(self._cell(name, other, cells.get(name, {}).get(other)) for other in names)
            rows.append(f"<tr><th class=name>{escape(name)}{row}")
        note = self._t(
            "Part des points de la ligne contre la colonne ; sous le pointeur, place par place, et l’écart de force.",
            "The share of points of the row against the column; under the pointer, seat by seat, and how far apart.",
        )
        table = f"<div class=scroll><table class=cross><tr><td>{head}{''.join(rows)}</table></div>"
        return self._section(
            self._t("Chacun contre chacun", "Everybody against everybody"), f"{table}<p class=note>{note}</p>"
        )

    def _cell(self, name: str, other: str, met: HeadToHead | None) -> str:
        if name == other or met is None:
            return "<td class=none>"
        lines = [f"{name} – {other} : {self._score(met.all)}"]
        lines += [f"{self._seat(seat)} : {self._score(tally)}" for seat, tally in sorted(met.by_seat.items())]
        if name in self._ratings.players and other in self._ratings.players:
            apart, sure = self._ratings.difference(name, other), self._ratings.superiority(name, other)
            better = self._t("plus fort à", "the stronger one with")
            lines.append(f"{self._signed(apart.elo)} ± {self._number(apart.error)} Elo, {better} {self._share(sure)}")
        title = escape("\n".join(lines), quote=True)
        return f'<td style="background:{heat(met.all.share)}" title="{title}">{100 * met.all.share:.0f}'

    def _score(self, tally: Tally) -> str:
        return f"{self._number(tally.points, 1)} / {self._number(tally.games)}"

    def _seat(self, seat: int) -> str:
        return self._card.seat_name(seat).of(self._language)

    def _think_time(self) -> str:
        lines = [line for line in self._lines if line.choices]
        longest = max((line.think_time for line in lines), default=0.0)
        if not longest:
            return ""
        rows = [
            (line.name, f"{self._number(1000 * line.think_time, 2)} ms", line.think_time / longest) for line in lines
        ]
        return self._section(self._t("Réflexion par coup", "Think time for one choice"), bars(rows))

    def _troubles(self) -> str:
        lines = [line for line in self._lines if line.troubles]
        if not lines:
            return ""
        rows = [
            (line.name, TROUBLES.get(code, Words(code, code)).of(self._language), self._number(count))
            for line in lines
            for code, count in sorted(line.troubles.items(), key=lambda item: -item[1])
        ]
        headings = (self._t("joueur", "player"), self._t("raison", "reason"), self._t("parties", "matches"))
        return self._section(
            self._t("Parties perdues avant leur fin", "Matches lost before their end"), table(headings, rows, names=2)
        )

    def _starts_and_seats(self) -> str:
        """Is the start fair, and who likes which?"""
        results, plan = self._played.results, self._played.tournament.plan
        parts = [self._of_each_seat()]
        for start in dict.fromkeys(start.name for start in plan.starts):
            seats = [(seat, tally) for (name, seat), tally in sorted(chairs(results).items()) if name == start]
            named = [(self._seat(seat), tally) for seat, tally in seats]
            parts.append(self._tallies(start or self._t("place", "seat"), named))
            if len(plan.starts) > 1:
                rows = [(player, tally) for (player, name), tally in by_start(results).items() if name == start]
                parts.append(self._tallies(start, sorted(rows, key=lambda row: -row[1].share)))
        return self._section(
            self._t("Places et départs", "Seats and starts"), f"<div class=side>{''.join(parts)}</div>"
        )

    def _of_each_seat(self) -> str:
        """Who likes which chair?"""
        found, seats = by_seat(self._played.results), range(self._played.tournament.size)
        rows = []
        for line in self._lines:
            tallies = (found.get((line.name, seat)) for seat in seats)
            rows.append((line.name, *(self._share(tally.share) if tally else "" for tally in tallies)))
        return table((self._t("joueur", "player"), *map(self._seat, seats)), rows, names=1, first=0)

    def _tallies(self, heading: str, rows: Iterable[tuple[str, Tally]]) -> str:
        headings = (heading, self._t("score", "score"), self._t("parties", "matches"))
        return table(
            headings, [(name, self._share(t.share), self._number(t.games)) for name, t in rows], names=1, first=0
        )

    def _where(self) -> str:
        counts = Counter(self._played.places.values())
        if not counts:
            return ""
        rows = [(place, self._number(count)) for place, count in sorted(counts.items())]
        headings = (self._t("ordinateur / processus", "computer / process"), self._t("parties", "matches"))
        return self._section(self._t("Où l’on a joué", "Where it was played"), table(headings, rows, names=1, first=0))

    def _matches(self) -> str:
        listed = self._played.results[:MOST_LISTED]
        left = len(self._played.results) - len(listed)
        more = self._t(f"… et {left} autres.", f"… and {left} more.") if left else ""
        rows = "".join(map(self._match, listed))
        opened = f"<summary>{self._number(len(listed))}</summary><table>{rows}</table><p>{more}</p>"
        return self._section(self._t("Parties", "Matches"), f"<details>{opened}</details>")

    def _match(self, result: Result) -> str:
        """The winner's name stands out; the number leads to the record."""
        ranked = zip(result.players, result.ranks, strict=True)
        names = " – ".join(f"<b>{escape(name)}</b>" if rank == 1 else escape(name) for name, rank in ranked)
        number, link = f"{result.pairing + 1}.{result.game + 1}", self._link(result)
        shown = f'<a href="{escape(link, quote=True)}">{number}</a>' if link else number
        reason = REASONS[result.reason].of(self._language)
        place = escape(self._played.places.get((result.pairing, result.game), ""))
        return f"<tr><td class=count>{shown}<td>{names}<td>{escape(result.start)}<td>{escape(reason)}<td>{place}"

    def _section(self, title: str, body: str) -> str:
        return f"<section><h2>{escape(title)}</h2>{body}</section>"


FORMATS = {
    "round_robin": Words("toutes rondes", "round robin"),
    "swiss": Words("système suisse", "Swiss system"),
    "gauntlet": Words("un contre tous", "gauntlet"),
    "knock_out": Words("élimination directe", "knock-out"),
    "arena": Words("arène", "arena"),
}
REASONS = {
    "played": Words("jouée jusqu’au bout", "played to the end"),
    "resign": Words("abandon", "resignation"),
    "time_out": Words("temps écoulé", "out of time"),
    "forfeit": Words("forfait", "forfeit"),
    "draw": Words("nulle par accord", "draw by agreement"),
    "adjudicated": Words("jugée : trop longue", "adjudicated: too long"),
    "abort": Words("interrompue", "called off"),
}
TROUBLES = {
    "late": Words("réponse trop tardive", "answered too late"),
    "closed": Words("sortie fermée", "closed its output"),
    "exited": Words("programme arrêté", "the program ended"),
    "killed": Words("programme tué par un signal", "ended by a signal"),
    "flood": Words("trop de texte", "wrote too much"),
    "refused": Words("actions refusées", "actions refused"),
    "invalid": Words("réponse interdite", "invalid answer"),
    "deaf": Words("bienvenue jamais lue", "never read its welcome"),
    "processes": Words("trop de processus", "too many processes"),
    "memory": Words("trop de mémoire", "too much memory"),
    "no_action": Words("aucune action", "no action"),
    "not_started": Words("ne démarre pas", "does not start"),
    "resign": Words("abandon", "resigned"),
    "absent": Words("absent trop longtemps", "away for too long"),
    "time_out": Words("temps écoulé", "out of time"),
}
