"""How true ratings, intervals and sequential tests are: `make ratings [ARGS="leagues online draws sprt"]`.

Leagues of a hundred programs and tests by the ten thousand, whose truth is known (tests/leagues.py, tests/duels.py).
Prints the tables of docs/ratings.md; all of it takes about ten minutes of one core. The parts:

    leagues   do the stated 95 % intervals hold the truth, and are ratings as exact as the matches allow?
    online    openskill's models beside each other
    draws     half a win and half a loss, or a parameter of their own (Davidson)?
    sprt      how often the sequential test errs, and after how many pairs it ends
"""

from __future__ import annotations

import sys
from math import sqrt
from time import process_time
from typing import Any

import msgspec
import numpy as np
from openskill import models

from duels import pair_odds, sequential_tests
from leagues import League, coverage, exact, rank_correlation
from quincunx.tournament.ratings import rate
from quincunx.tournament.results import Result
from quincunx.tournament.score import SCALE
from quincunx.tournament.sprt import Sprt

LEAGUES: dict[str, dict[str, Any]] = {
    "independent": {},
    "draws": {"ties": 0.6},
    "the chair decides": {"alike": 0.6, "of": "chair"},
    "the player's day": {"alike": 0.6, "of": "player"},
    "all of it, seats estimated": {"ties": 0.5, "alike": 0.4, "first": 60.0},
    "strengths twice as far apart": {"spread": 400.0},
    # what would be, if the pairings of a tournament did not draw their own starts
    "starts shared, the chair decides": {"alike": 0.6, "of": "chair", "starts": 5},
    "starts shared, the player's day": {"alike": 0.6, "of": "player", "starts": 5},
}
ROUNDS = {2: (10, 40), 3: (6, 20), 6: (5, 20)}
FRESH = 71_000  # a seed that nothing was chosen on: the constants of ratings.py, online.py and sprt.py saw others
NU = 1.0  # how many draws, in Davidson's model: a third between equals
MODELS = ("PlackettLuce", "BradleyTerryFull", "BradleyTerryPart", "ThurstoneMostellerFull", "ThurstoneMostellerPart")
TESTS = ((0, 10, 5), (0, 40, 5), (0, 40, 3), (0, 100, 5), (100, 200, 5))


def leagues(repeats: int = 50) -> None:
    print("| seats | starts | league | ratings held | differences held | error | least possible | ranks | s |")
    print("|---|---|---|---|---|---|---|---|---|")
    for seats, rounds in ((seats, each) for seats, both in ROUNDS.items() for each in both):
        for name, more in LEAGUES.items():
            league, luck, began = (
                League(seats=seats, rounds=rounds, **more),
                np.random.default_rng(FRESH),
                process_time(),
            )
            truth = league.truth(luck)
            least = np.sqrt((exact(league, truth, league.play(truth, luck)) ** 2).mean()) if len(more) < 2 else None
            found = coverage(league, repeats, luck)
            bound = f"{least:.0f}" if least is not None and not league.ties else ""
            print(
                f"| {seats} | {rounds} | {name} | {100 * found.ratings:.1f} % | {100 * found.differences:.1f} % "
                f"| {found.error:.0f} | {bound} | {found.correlation:.3f} | {process_time() - began:.0f} |",
                flush=True,
            )


def online(repeats: int = 3) -> None:
    print("| seats | starts | spread | model | held | error | ranks | µs a match |\n|---|---|---|---|---|---|---|---|")
    for seats, rounds, spread in ((2, 15, 200), (2, 60, 200), (2, 60, 400), (3, 14, 200), (6, 6, 200), (6, 20, 400)):
        for name in MODELS:
            per_team = 2 if name != "PlackettLuce" else seats  # whose σ² + β² are added up
            model = getattr(models, name)(
                mu=1500.0, sigma=250.0, beta=SCALE / sqrt(per_team), gamma=lambda *_: 1.0, tau=1.0
            )
            held, errors, ranks, spent, matches = [], [], [], 0.0, 0
            for seed in range(repeats):
                luck, league = np.random.default_rng(FRESH + seed), League(seats=seats, rounds=rounds, spread=spread)
                truth = league.truth(luck)
                results = league.play(truth, luck)
                known: dict[str, Any] = {f"p{n}": model.rating() for n in range(league.players)}
                began = process_time()
                for each in results:
                    teams = [[known[player]] for player in each.players]
                    moved = model.rate(teams, ranks=[float(rank) for rank in each.ranks])
                    known |= {player: own for player, (own,) in zip(each.players, moved, strict=True)}
                spent, matches = spent + process_time() - began, matches + len(results)
                means = np.array([known[f"p{n}"].mu for n in range(league.players)])
                doubts = np.array([known[f"p{n}"].sigma for n in range(league.players)])
                wrong = means - means.mean() - truth
                held += list(np.abs(wrong) < 1.96 * doubts)
                errors.append((wrong**2).mean())
                ranks.append(rank_correlation(means, truth))
            print(
                f"| {seats} | {rounds} | {spread} | {name} | {100 * np.mean(held):.0f} % | {sqrt(np.mean(errors)):.0f} "
                f"| {np.mean(ranks):.3f} | {1e6 * spent / matches:.0f} |",
                flush=True,
            )


def draws(repeats: int = 10) -> None:
    """How far the expected scores of any two players are from the truth, if draws come about in either way."""
    print("| draws come as | starts | half and half | Davidson |\n|---|---|---|---|")
    for davidsonian in (False, True):
        for rounds in (10, 40):
            errors: tuple[list[float], list[float]] = ([], [])
            for seed in range(repeats):
                luck, league = (
                    np.random.default_rng(FRESH + seed),
                    League(rounds=rounds, ties=0.0 if davidsonian else 0.6),
                )
                truth = league.truth(luck)
                results = league.play(truth, luck)
                if davidsonian:
                    results = [_davidson_played(each, truth, luck) for each in results]
                apart = truth[:, None] - truth[None, :]
                true = _davidson_score(apart / SCALE, NU) if davidsonian else 1 / (1 + np.exp(-apart / SCALE))
                found = rate(results).players
                halves = np.array([found[f"p{n}"].elo for n in range(league.players)]) / SCALE
                own, nu = _davidson_fit(results, league.players)
                guesses = (1 / (1 + np.exp(halves[None, :] - halves[:, None])), _davidson_score(own[:, None] - own, nu))
                for kept, guess in zip(errors, guesses, strict=True):
                    kept.append(float(((guess - true) ** 2).mean()))
            half, davidson = (f"{100 * sqrt(np.mean(each)):.2f} %" for each in errors)
            print(f"| {'Davidson says' if davidsonian else 'Elo says'} | {rounds} | {half} | {davidson} |", flush=True)


def _davidson_odds(apart: Any, nu: float) -> Any:
    """Of winning, drawing and losing."""
    three = np.stack([np.exp(apart / 2), np.full_like(apart, nu), np.exp(-apart / 2)])
    return three / three.sum(axis=0)


def _davidson_score(apart: Any, nu: float) -> Any:
    won, drawn, _ = _davidson_odds(apart, nu)
    return won + drawn / 2


def _davidson_played(result: Result, truth: Any, luck: np.random.Generator) -> Result:
    one, other = (truth[int(name[1:])] for name in result.players)
    odds = _davidson_odds(np.array((one - other) / SCALE), NU)
    return msgspec.structs.replace(result, ranks=((1, 2), (1, 1), (2, 1))[luck.choice(3, p=odds)])


def _davidson_fit(results: list[Result], players: int) -> tuple[Any, float]:
    """The most likely ratings and ν, with the drawn match that everybody brings in ratings.py, as Fisher scores."""
    who = np.array([[int(name[1:]) for name in each.players] for each in results])
    won = np.array([each.ranks[1] - each.ranks[0] for each in results])  # 1, 0, −1
    share = 1 + (1 / np.bincount(who.ravel(), minlength=players))[who].sum(axis=1) / 2  # a match, with its part of that
    at, nu = np.zeros(players), 1.0
    for _ in range(60):
        win, draw, loss = _davidson_odds(at[who[:, 0]] - at[who[:, 1]], nu)
        pull = (won - share * (win - loss)) / 2
        bend = share * (win + loss - (win - loss) ** 2) / 4
        slope = np.bincount(who[:, 0], pull, players) - np.bincount(who[:, 1], pull, players)
        matrix = np.full((players, players), 1 / players)
        for a, b, sign in ((0, 0, 1), (1, 1, 1), (0, 1, -1), (1, 0, -1)):
            np.add.at(matrix, (who[:, a], who[:, b]), sign * bend)
        at = at + np.linalg.solve(matrix, slope)
        nu *= float(np.exp(((won == 0).sum() - draw.sum()) / (draw * (1 - draw)).sum() / 2))
    return at, nu


def sprt(number: int = 10_000) -> None:
    print("| elo0 | elo1 | outcomes | wrong at elo0 | wrong at elo1 | pairs at elo0 | between | at elo1 | s |")
    print("|---|---|---|---|---|---|---|---|---|")
    for elo0, elo1, many in TESTS:
        asked, began = Sprt(elo0, elo1), process_time()
        low, middle, high = (
            sequential_tests(asked, pair_odds(true, many=many), size, np.random.default_rng(FRESH))
            for true, size in ((elo0, number), ((elo0 + elo1) / 2, number // 10), (elo1, number))
        )
        print(
            f"| {elo0} | {elo1} | {many} | {100 * low.upper.mean():.2f} % | {100 * (1 - high.upper.mean()):.2f} % "
            f"| {low.pairs.mean():.0f} | {middle.pairs.mean():.0f} | {high.pairs.mean():.0f} "
            f"| {process_time() - began:.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    for part in sys.argv[1:] or ["leagues", "online", "draws", "sprt"]:
        {"leagues": leagues, "online": online, "draws": draws, "sprt": sprt}[part]()
        print()
