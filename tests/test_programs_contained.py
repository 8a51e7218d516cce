"""Programs that would do harm: what they start, fill, write and reach is bounded, and gone when they are."""

from __future__ import annotations

import os
import pty
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from quincunx.players.programs import warden
from quincunx.players.programs.flight import read_flight
from quincunx.players.programs.limits import Limits
from quincunx.players.programs.process import Process
from test_programs import POLITE, command, is_alive, misbehaving

CLOCKS = warden.clocks


def test_a_fork_bomb_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    mark = f"bomb-{os.getpid()}"
    note = f"open({str(tmp_path / mark)!r}, 'a').write(str(os.getpid()) + chr(10))"
    bomb = f"[os.fork() or os.setsid() for _ in range(8)]; {note}; time.sleep(60)"
    match, reason = misbehaving(tmp_path, bomb, turn=8.0)
    assert match.outcome is not None and match.outcome.ranks == [2, 1]
    assert reason.startswith("processes: "), reason
    started = [int(line) for line in (tmp_path / mark).read_text().split()]
    assert len(started) > 64 and not [pid for pid in started if is_alive(pid)]


def test_a_fork_bomb_that_goes_on_while_it_is_ended_is_gone_with_all_that_it_started(tmp_path: Path) -> None:
    """Every process starts others, again and again, each in a session of its own; 512 in all, lest this does harm."""
    note = f"open({str(tmp_path / 'bomb')!r}, 'a').write(str(os.getpid()) + chr(10))"
    bomb = f"[time.sleep(0.05) or os.fork() or (os.setsid(), {note}) for _ in range(9)]; time.sleep(60)"
    match, reason = misbehaving(tmp_path, bomb, turn=20.0, processes=16)
    assert match.outcome is not None and match.outcome.ranks == [2, 1]
    assert reason.startswith("processes: "), reason
    started = [int(line) for line in (tmp_path / "bomb").read_text().split()]
    assert len(started) >= 16 and not [pid for pid in started if is_alive(pid)]


def test_the_memory_of_all_that_a_program_starts_is_counted_together(tmp_path: Path) -> None:
    """No process has more than the limit."""
    does = "[os.fork() or (b'x' * (60 << 20), time.sleep(60)) for _ in range(3)]; time.sleep(60)"
    match, reason = misbehaving(tmp_path, does, memory=128 << 20, turn=20.0)
    assert match.outcome is not None and match.outcome.ranks == [2, 1]
    assert reason.startswith("memory: "), reason


def test_what_a_program_left_behind_is_ended_with_it(tmp_path: Path) -> None:
    child = f"os.setsid(); open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid())); time.sleep(600)"
    does = f"if not os.fork(): {child}\n        time.sleep(0.3); sys.exit(0)"
    misbehaving(tmp_path, does, turn=5.0)
    assert not is_alive(int((tmp_path / "pid").read_text()))


def test_files_that_a_program_writes_are_bounded(tmp_path: Path) -> None:
    target = tmp_path / "large"
    does = f"open({str(target)!r}, 'wb').write(bytes(64 << 20))"
    misbehaving(tmp_path, does, file_size=1 << 20, turn=5.0)
    assert target.stat().st_size <= 1 << 20


def test_a_program_has_no_terminal(tmp_path: Path) -> None:
    _, reason = misbehaving(tmp_path, "open('/dev/tty', 'w')")
    assert "No such device or address: '/dev/tty'" in reason


@pytest.mark.slow
def test_a_program_does_not_reach_the_terminal_of_its_referee(tmp_path: Path) -> None:
    """The referee has one, which is its session's."""
    (tmp_path / "loud.py").write_text(
        "import sys\n"
        "for number in range(3):\n"
        "    try:\n"
        "        open('/dev/tty', 'w').write('from the program')\n"
        "    except OSError as error:\n"
        "        print(error.errno == 6, file=sys.stderr)\n" + POLITE
    )
    ours, theirs = pty.openpty()
    words = [
        "match",
        "connect_four",
        command(tmp_path / "loud.py"),
        "random",
        "--games",
        "1",
        "--log",
        str(tmp_path / "log"),
    ]
    with subprocess.Popen(
        [sys.executable, "-m", "quincunx", *words], preexec_fn=lambda: os.login_tty(theirs)
    ) as referee:
        os.close(theirs)
        shown = b""
        with suppress(OSError):  # the other end is closed
            while part := os.read(ours, 65536):
                shown += part
        os.close(ours)
    assert referee.returncode == 0 and b"random" in shown and b"from the program" not in shown
    (log,) = (tmp_path / "log").iterdir()
    assert read_flight(log.read_bytes())[1][0].notes == "True\n" * 3


def test_a_killed_referee_leaves_no_orphan(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(
        f"import os, time\nopen({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\ntime.sleep(600)"
    )
    spec = command(tmp_path / "bad.py")
    referee = subprocess.Popen(
        [sys.executable, "-m", "quincunx", "match", "connect_four", spec, "random", "--time", "600"]
    )
    until = time.monotonic() + 60
    while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():
        assert time.monotonic() < until
        time.sleep(0.02)
    pid = int((tmp_path / "pid").read_text())
    assert is_alive(pid)
    referee.kill()
    referee.wait()
    while is_alive(pid):
        assert time.monotonic() < until
        time.sleep(0.02)


def test_a_program_that_waits_costs_nothing(tmp_path: Path) -> None:
    (tmp_path / "polite.py").write_text(POLITE)
    process = Process([sys.executable, str(tmp_path / "polite.py")], Limits())
    process.wait_until_started()
    try:
        time.sleep(0.5)  # it starts, and then waits for a line
        before = process.cpu()
        time.sleep(0.5)
        assert process.cpu() - before < 0.005
    finally:
        process.close()


def test_a_warden_does_not_look_at_a_program_that_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """And again and again at one that runs."""
    looks = {"waits": 0, "runs": 0}
    commands = {"waits": ["sleep", "60"], "runs": ["sh", "-c", "while :; do :; done"]}
    for name, words in commands.items():
        child = subprocess.Popen(words)
        ours, theirs = socket.socketpair()
        ticks: list[int] = []

        def look(parent: int, name: str = name, pid: int = child.pid) -> list[int]:
            looks[name] += 1
            return [pid]

        def clocks(pids: list[int], ours: socket.socket = ours, ticks: list[int] = ticks) -> list[float] | None:
            ticks.append(len(pids))
            if len(ticks) == 12:
                ours.close()
            return CLOCKS(pids)

        monkeypatch.setattr(warden, "descendants", look)
        monkeypatch.setattr(warden, "clocks", clocks)
        monkeypatch.setattr(warden, "LOOK", 0.1)
        nothing, wake = os.pipe()
        assert warden.watch(theirs, nothing, child.pid, 1 << 40, 100) == "unwanted"
        child.kill()
        child.wait()
        for end in (nothing, wake):
            os.close(end)
        theirs.close()
    assert looks["waits"] <= 4 < looks["runs"]
