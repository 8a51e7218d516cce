"""Programs as players: the protocol, what becomes of those that misbehave, names, dialogues that are kept."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest

from quincunx import Match, Refused, load
from quincunx.match import MatchRecord, replay
from quincunx.match.record import Happened
from quincunx.players.programs import bots
from quincunx.players.programs.flight import FlightRecorder, read_flight
from quincunx.players.programs.limits import Limits, Trouble
from quincunx.players.programs.naming import make_program, preset_for
from quincunx.players.programs.process import read_command
from quincunx.players.programs.program import closing_programs
from quincunx.players.roster import make
from quincunx.players.table import Late, Table
from quincunx.tournament.series import Series, play_on, play_one

SYSTEM = Path(__file__).parent.parent / "tools" / "system.sh"
POLITE = """
import json, sys
count = 0
for line in sys.stdin:
    said = json.loads(line)
    if said["type"] == "welcome":
        seat = said["yours"][0]
    if said["type"] == "update":
        update = said
    if said["type"] == "refused" or (said["type"] == "update" and seat in said["to_act"]):
        said = update
        count += 1
        print(json.dumps({"type": "play", "id": str(count), "seat": seat, "action": said["legal"][0]}), flush=True)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("QUINCUNX_BOTS", str(tmp_path / "config" / "bots.json"))
    (tmp_path / "polite.py").write_text(POLITE)
    return tmp_path


def command(path: Path) -> str:
    return f"program:{sys.executable} {path}"


def misbehaving(folder: Path, instead: str, **limits: Any) -> tuple[Match, str]:
    """A match of a program that does something else than to answer, and the reason that its record gives."""
    (folder / "bad.py").write_text(
        "import os, socket, signal, time\n"
        + POLITE.replace("        print(json", f"        {instead}\n        print(json")
    )
    return against_random(folder / "bad.py", **limits)


def against_random(bot: Path, game: str = "connect_four", late: Late = "lose", **limits: Any) -> tuple[Match, str]:
    bound = load(game, "interpreted")
    match = Match(bound, seed=1)
    program = make_program(command(bot), bound, Limits(**{"turn": 1.0, "start": 20.0, **limits}))
    play_on(match, [program, make("random", bound, 1)], late=late)
    left = [entry for entry in match.entries if isinstance(entry, Happened)]
    return match, f"{left[0].reason}: {left[0].notes}" if left else ""


@pytest.mark.parametrize(
    ("game", "options"),
    [("connect_four", {}), ("chartichaud", {"turns": 4}), ("garden", {}), ("casus_belli", {"seats": 3, "turns": 21})],
)
def test_a_program_plays_any_game_to_its_end(folder: Path, game: str, options: dict[str, int]) -> None:
    spec = command(folder / "polite.py")
    players = (spec, "random", spec)[: options.get("seats", 2)]
    result = play_one(Series(game, players, 1, 7, options=options), 0)
    assert result.record.outcome is not None and result.record.outcome.reason == "played"
    assert replay(result.record).outcome == result.record.outcome
    assert [seat.player for seat in result.record.seats] == list(players)
    assert result.efforts[0].choices > 0 and result.efforts[0].cpu > 0


def test_a_program_is_told_what_its_seat_knows_and_nothing_else(folder: Path) -> None:
    bound = load("chartichaud", "interpreted")
    match = Match(bound, seed=3, turns=6)
    with FlightRecorder(folder / "log.jsonl") as recorder:
        play_on(
            match, [make_program(command(folder / "polite.py"), bound), make("random", bound, 1)], recorder=recorder
        )
    head, turns = read_flight((folder / "log.jsonl").read_bytes())
    assert head.game == "chartichaud" and {turn.seat for turn in turns} == {0}
    worlds = match.beginning()
    for number, (seat, action) in enumerate(match.standing):
        if seat == 0:
            told = json.loads(next(turn for turn in turns if turn.after == number).told.splitlines()[-1])
            shown = bound.show(bound.view(worlds, 0))
            assert told["shown"] == json.loads(msgspec.json.encode(shown))
            assert told["legal"] == bound.texts(worlds, 0, bound.legal(worlds, 0))
            assert told["observer"] == 0 and told["to_act"] == [0]
        bound.apply(worlds, seat, action)


def test_the_welcome_has_a_version_and_tells_no_digest_of_a_hidden_start(folder: Path) -> None:
    bound = load("chartichaud", "interpreted")
    match = Match(bound, seed=3, turns=2)
    with FlightRecorder(folder / "log.jsonl") as recorder:
        play_on(
            match, [make_program(command(folder / "polite.py"), bound), make("random", bound, 1)], recorder=recorder
        )
    told = read_flight((folder / "log.jsonl").read_bytes())[1][0].told
    welcome = json.loads(told.splitlines()[0])
    assert (welcome["type"], welcome["protocol"], welcome["yours"], welcome["lists_all"]) == ("welcome", 1, [0], True)
    assert match.record().start_digest not in told


def test_a_program_may_say_its_protocol(folder: Path) -> None:
    (folder / "modern.py").write_text(
        POLITE.replace('"seat": seat,', '"seat": seat, "protocol": said["observer"] + 1,')
    )
    assert against_random(folder / "modern.py")[0].outcome is not None
    assert against_random(folder / "modern.py")[1] == ""


def test_stories_tell_everything_since_the_last_question(folder: Path) -> None:
    bound = load("connect_four", "interpreted")
    match = Match(bound, seed=1)
    with FlightRecorder(folder / "log.jsonl") as recorder:
        play_on(
            match, [make_program(command(folder / "polite.py"), bound), make("random", bound, 1)], recorder=recorder
        )
    turns = read_flight((folder / "log.jsonl").read_bytes())[1]
    stories = [json.loads(turn.told.splitlines()[-1])["story"] for turn in turns]
    assert stories[0] == [] and all([event["by"] for event in story] == [0, 1] for story in stories[1:])
    assert all(turn.said and turn.wall > 0 for turn in turns)
    assert turns[0].allowed > turns[1].allowed >= max(turn.wall for turn in turns[1:])  # a process may start slowly


def test_several_answers_at_once_need_no_questions_between_them(folder: Path) -> None:
    """All orders of a turn in one write: the game goes on as if each had been asked for."""
    (folder / "orders.py").write_text("""
import json, sys
count = 0
for line in sys.stdin:
    said = json.loads(line)
    if said["type"] == "welcome":
        seat = said["yours"][0]
    if said["type"] == "update" and seat in said["to_act"]:
        count += 1
        orders = ["thief face E", "elf face W", "seal"]
        plays = [{"type": "play", "id": f"{count}-{k}", "seat": seat, "action": o} for k, o in enumerate(orders)]
        sys.stdout.write("".join(json.dumps(play) + "\\n" for play in plays))
        sys.stdout.flush()
""")
    bound = load("casus_belli", "interpreted")
    match = Match(bound, seed=1, seats=2, turns=21)
    with FlightRecorder(folder / "log.jsonl") as recorder:
        program = make_program(command(folder / "orders.py"), bound)
        play_on(match, [program, make("random", bound, 1)], recorder=recorder)
    turns = read_flight((folder / "log.jsonl").read_bytes())[1]
    assert [bool(turn.told) for turn in turns[:6]] == [True, False, False, True, False, False]
    assert match.outcome is not None and match.outcome.reason in ("played", "forfeit")


# -- programs that misbehave -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("does", "code"),
    [
        ("sys.exit(3)", "exited: The program ended (exit code 3)."),
        ("raise RuntimeError('oh dear')", "exited: The program ended (exit code 1)."),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "killed: The program was ended by signal 11."),
        ("os.close(1); time.sleep(60)", "closed: The program closed its output."),
        ("print('nonsense', flush=True); continue", "refused: 3 answers refused in one turn"),
        ("[sys.stdout.write('x' * (1 << 20)) for _ in range(1 << 10)]", "flood: "),
        ("[sys.stdout.write('x' * 4096) for _ in iter(int, 1)]", "flood: "),
        ("print('\\n' * (1 << 23), flush=True)", "refused: "),
        ("said['legal'][0] = 'z'", "refused: "),
        (
            "print(json.dumps({'type': 'play', 'id': 'x', 'seat': seat, 'action': 'a', 'protocol': 2})); continue",
            "refused: (other_protocol)",
        ),
        ("block = bytearray(2 << 30); time.sleep(60)", ""),
    ],
)  # fmt: skip
def test_what_a_program_does_wrong_is_its_own_loss(folder: Path, does: str, code: str) -> None:
    match, reason = misbehaving(folder, does, memory=256 << 20)
    assert match.outcome is not None and match.outcome.ranks == [2, 1]
    kind, _, told = code.partition(": ")
    why = match.why()
    assert reason.startswith(kind) and why is not None and told in why.en, (reason, why)
    assert replay(match.record()).outcome == match.outcome


def test_of_two_that_fail_in_the_same_moment_one_loses(folder: Path) -> None:
    """Both were asked, and what both did is looked at together."""
    bound = load("casus_belli", "interpreted")
    match = Match(bound, seed=1, seats=2)
    programs = [make_program(command(folder / "polite.py"), bound) for _ in range(2)]
    with closing_programs(programs):
        table = Table(match, programs)
        table.welcome()

        def fails(seat: Any) -> bool:
            raise Trouble("exited", 3)

        assert all(table._try(table._programs[seat], fails) for seat in (0, 1))
    assert [entry.seat for entry in match.entries if isinstance(entry, Happened)] == [0]
    assert match.outcome is not None and match.outcome.ranks == [2, 1]


def test_the_last_words_of_a_program_stand_in_the_reason(folder: Path) -> None:
    _, reason = misbehaving(folder, "raise RuntimeError('oh dear')")
    assert "RuntimeError: oh dear" in reason and len(reason) < 600


@pytest.mark.slow
def test_who_hangs_runs_out_of_time_and_is_gone(folder: Path) -> None:
    """Also one that ignores the polite signals."""
    (folder / "pid").write_text("")
    hang = "; ".join(
        ["signal.signal(signal.SIGTERM, signal.SIG_IGN)", f"open({str(folder / 'pid')!r}, 'w').write(str(os.getpid()))"]
    )
    match, reason = misbehaving(
        folder, f"{hang}; print('deep in thought', file=sys.stderr); time.sleep(600)", turn=0.3, start=3.0
    )
    assert reason == "late: deep in thought"
    assert match.outcome is not None and (match.outcome.reason, match.outcome.ranks) == ("time_out", [2, 1])
    assert not is_alive(int((folder / "pid").read_text()))


def test_a_late_program_may_lose_its_turn_only(folder: Path) -> None:
    """Its answer, when it comes, is let pass: the next question gets the next answer."""
    slow = "time.sleep(0.6 if count == 1 else 0)"
    (folder / "bad.py").write_text(
        "import time\n" + POLITE.replace("        print(json", f"        {slow}\n        print(json")
    )
    match, _ = against_random(folder / "bad.py", game="cultist", late="fallback", turn=0.3, start=0.0)
    assert match.outcome is not None and match.outcome.reason == "played"
    mine = [entry.action for entry in match.entries if getattr(entry, "seat", None) == 0]  # type: ignore[union-attr]
    assert mine[0] == "WAIT" and len(mine) == 75


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


# -- isolation -------------------------------------------------------------------------------------------------------


@pytest.fixture
def bubblewrap() -> None:
    """Root on Debian installs it (tools/system.sh); a machine that allows no namespaces cannot show anything."""
    subprocess.run(["sh", str(SYSTEM), "bwrap:bubblewrap"], capture_output=True)
    found = shutil.which("bwrap")
    if not found or subprocess.run([found, "--ro-bind", "/", "/", "--unshare-all", "true"]).returncode:
        pytest.skip("bubblewrap cannot be used here")


@pytest.mark.usefixtures("bubblewrap")
@pytest.mark.parametrize(
    ("does", "fails"),
    [
        ("socket.create_connection(('127.0.0.1', 9), 1)", "OSError"),
        ("open('/etc/quincunx-was-here', 'w')", "Read-only file system"),
        ("open(os.path.expanduser('~/.quincunx-secret')).read()", "No such file or directory"),
        ("open('/proc/sys/vm/drop_caches', 'w')", "Read-only file system"),
        ("os.chroot('/usr')", "Operation not permitted"),
    ],
)
def test_an_isolated_program_has_no_network_no_home_and_writes_nothing(folder: Path, does: str, fails: str) -> None:
    secret = Path.home() / ".quincunx-secret"
    there = secret.exists()
    secret.write_text("secret")
    try:
        _, reason = misbehaving(folder, does, isolate=True, turn=5.0)
    finally:
        if not there:
            secret.unlink()
    assert reason.startswith("exited") and (
        fails in reason or "Network is unreachable" in reason or "refused" in reason
    )


@pytest.mark.usefixtures("bubblewrap")
def test_an_isolated_program_plays(folder: Path) -> None:
    match, _ = against_random(folder / "polite.py", isolate=True)
    assert match.outcome is not None and match.outcome.reason == "played"


def test_isolation_that_is_asked_for_and_missing_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None if name == "bwrap" else f"/bin/{name}")
    with pytest.raises(Refused, match="bubblewrap"):
        against_random(folder / "polite.py", isolate=True)


# -- names -----------------------------------------------------------------------------------------------------------


def test_a_bot_has_a_name_and_the_record_says_it(folder: Path) -> None:
    bots.add("polite", command(folder / "polite.py"))
    result = play_one(Series("connect_four", ("bot:polite", "random"), 1, 7, gear="interpreted"), 0)
    assert (result.record.seats[0].name, result.record.seats[0].player) == ("polite", "bot:polite")
    assert str(folder) not in msgspec.json.encode(result.record).decode()
    bots.remove("polite")
    with pytest.raises(Refused, match="No program is called polite"):
        make_program("bot:polite", load("connect_four", "interpreted"))


def test_relative_paths_of_a_named_bot_are_found_from_everywhere(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    assert bots.spec_for("program", ["python3", "polite.py", "--fast"]) == f"program:python3 {folder}/polite.py --fast"


@pytest.mark.parametrize("wrong", ["program:", "program:'", "program:/no/such/program", "codingame:true", "bot:nobody"])
def test_what_cannot_be_run_is_refused_before_a_match(folder: Path, wrong: str) -> None:
    with pytest.raises(Refused):
        Series("connect_four", (wrong, "random")).check()


def test_a_command_is_split_as_a_shell_does() -> None:
    assert read_command("python3 'my bot.py' -x") == ["python3", "my bot.py", "-x"]


def test_protocols_know_their_preset() -> None:
    assert preset_for(["level:1", "codingame:./bot"]) == "codingame" and preset_for(["program:./bot", "random"]) is None


@pytest.mark.slow
def test_the_terminal_has_bots(folder: Path) -> None:
    def quincunx(*arguments: str) -> str:
        ran = subprocess.run(
            [sys.executable, "-m", "quincunx", *arguments],
            capture_output=True,
            encoding="utf-8",
            cwd=folder,
            timeout=200,
        )
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    assert "polite" in quincunx("--lang", "en", "bots", "add", "polite", "--", sys.executable, "polite.py")
    assert "bot:polite" in quincunx("bots", "list")
    told = json.loads(
        quincunx("match", "connect_four", "bot:polite", "random", "--json", "--save", "out", "--log", "out")
    )
    assert told["players"][0]["player"] == "bot:polite"
    assert (folder / "out" / "connect_four-00001.flight.jsonl").is_file()
    record = msgspec.json.decode((folder / "out" / "connect_four-00001.json").read_bytes(), type=MatchRecord)
    assert record.seats[1].player == "bot:polite"
    assert "oublié" in quincunx("--lang", "fr", "bots", "remove", "polite")


def test_who_seals_last_has_a_whole_clock_for_the_next_turn(folder: Path) -> None:
    """The game waits for it again at once; the time of one turn is not that of all."""
    options = {"seats": 2, "turns": 21}
    series = Series("casus_belli", (command(folder / "polite.py"), "random"), 1, 7, options=options, log=str(folder))
    play_one(series, 0)
    path = series.flight(0)
    assert path is not None
    told = [json.loads(line)["told"].splitlines()[-1] for line in path.read_text("utf-8").splitlines()[1:]]
    left = [json.loads(update)["clocks"][0] for update in told if update]
    assert any(later > earlier for earlier, later in pairwise(left))
