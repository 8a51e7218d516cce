"""`make kits`: a bot from every starter kit plays every game against level 1, to its end; the table in
docs/kits.en.md and kits.fr.md.

On Debian as root what a language needs is installed (tools/system.sh). Each kit is written, built and played in a
folder of its own by the commands that its README names, as somebody would who has just begun.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple, get_args

import pages

from quincunx.core.words import Language as Spoken
from quincunx.core.words import Words
from quincunx.games import cards
from quincunx.kits import Language, language, languages, write_kit
from quincunx.match import decode

ROOT = Path(__file__).resolve().parent.parent
PLACE = re.compile(r"(?<=<!-- kits -->\n).*(?=<!-- /kits -->)", re.DOTALL)
DRAWN, WON, LOST = Words("nul", "drawn"), Words("gagné", "won"), Words("perdu", "lost")


class Failed(RuntimeError):
    """What went wrong, with all that was said."""


class Played(NamedTuple):
    """One match of a bot: how it ended, how many actions it played, and the median of what one took."""

    result: Words
    actions: int
    milliseconds: float

    def told(self, spoken: Spoken) -> str:
        said = f"{self.result.of(spoken)}, {self.actions}, {self.milliseconds:.1f} ms"
        return said.replace(", ", " · ").replace(".", ",") if spoken == "fr" else said


def environment() -> dict[str, str]:
    """Python is the one that runs this, and Node the one of its packages: both are always there."""
    ours = [str(Path(sys.executable).parent), str(Path(pages.where_node()[0]).parent), str(ROOT / "src")]
    path = os.pathsep.join([*ours[:2], os.environ.get("PATH", "")])
    return {**os.environ, "PATH": path, "PYTHONPATH": ours[2], "LC_ALL": "C.UTF-8"}


def missing_tools(ids: Iterable[str]) -> list[str]:
    wanted = sorted({tool for id in ids for tool in language(id).tools})
    return [tool for tool in wanted if not _runs(tool.partition(":")[0])]


def _runs(command: str) -> bool:
    """A manager of toolchains may stand in the place of one that it does not have."""
    where = shutil.which(command, path=environment()["PATH"])
    asked = ([where, word] for word in ("--version", "version") if where)
    return any(subprocess.run(each, env=environment(), capture_output=True).returncode == 0 for each in asked)


def has_tools(id: str) -> bool:
    return not missing_tools([id])


def install() -> None:
    missing = missing_tools(languages())
    subprocess.run(["sh", str(ROOT / "tools" / "system.sh"), *missing], check=True)


def built(id: str, made_in: str, folder: Path) -> Language:
    """The kit, written and built in a folder; what a compiler has to say about it is a failure."""
    chosen = write_kit(id, made_in, folder, "fr")
    if chosen.build:
        said = run(shlex.split(chosen.build), folder).strip()
        if said:
            raise Failed(f"{chosen.name}: {said}")
    return chosen


def played(id: str, run_line: str, folder: Path) -> Played:
    """A match against level 1, by the command of the README."""
    options = ["--games", "1", "--save", "records", "--log", "log", "--json"]
    run([sys.executable, "-m", "quincunx", "match", id, f"program:{run_line}", "level:1", *options], folder)
    (file,) = (folder / "records").iterdir()
    record = decode(file.read_bytes())
    if record.outcome is None or record.outcome.reason != "played":
        raise Failed(f"{id}: {record.entries[-1]}")
    (log,) = (folder / "log").iterdir()
    turns: list[dict[str, Any]] = [json.loads(line) for line in log.read_text("utf-8").splitlines()[1:]]
    if any(turn["refused"] for turn in turns):
        raise Failed(f"{id}: actions were refused")
    ranks = record.outcome.ranks
    result = DRAWN if len(set(ranks)) == 1 else WON if ranks[0] == 1 else LOST
    return Played(result, len(turns), statistics.median(turn["wall"] for turn in turns))


def run(command: list[str], folder: Path) -> str:
    """What it said; Failed if it failed."""
    done = subprocess.run(
        command, cwd=folder, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8"
    )
    if done.returncode:
        raise Failed(f"{shlex.join(command)}\n{done.stdout}")
    return done.stdout


def table(rows: dict[str, dict[str, Played]], spoken: Spoken) -> str:
    """One row a language, one column a game."""
    games = list(next(iter(rows.values())))
    names = {card.id: card.name.of(spoken) for card in cards()}
    lines = ["| | " + " | ".join(names[game] for game in games) + " |", "|---" * (len(games) + 1) + "|"]
    for made_in, row in rows.items():
        lines.append(f"| {language(made_in).name} | " + " | ".join(row[game].told(spoken) for game in games) + " |")
    return "\n".join(lines)


def main() -> int:
    install()
    rows: dict[str, dict[str, Played]] = {}
    try:
        for made_in in languages():
            rows[made_in] = {}
            for card in cards():
                with tempfile.TemporaryDirectory() as home:
                    folder = Path(home) / "bot"
                    chosen = built(card.id, made_in, folder)
                    rows[made_in][card.id] = played(card.id, chosen.run, folder)
                print(f"{chosen.name:>12} {card.id:>14}  {rows[made_in][card.id].told('en')}", flush=True)
    except Failed as failed:
        print(failed, file=sys.stderr)
        return 1
    for spoken in get_args(Spoken):
        page = ROOT / "docs" / f"kits.{spoken}.md"
        page.write_text(PLACE.sub(f"{table(rows, spoken)}\n", page.read_text("utf-8")), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
