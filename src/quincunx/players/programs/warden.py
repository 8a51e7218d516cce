"""Runs one program and stays beside it: sets its limits, watches what it starts, and leaves nothing of it behind.

    python -I -S warden.py CONTROL MEMORY PROCESSES FILE_SIZE COMMAND…

It is a process of its own, with nothing but the standard library, and knows nothing of games. Over the socket CONTROL
it says `started PID`, and at the end `exited CODE`, `signal NUMBER`, `memory` or `processes`. When the other end of the
socket is closed, whoever started it is gone, or has had enough: then the program ends, with all that it started.
"""

import ctypes
import os
import select
import signal
import socket
import sys
import time
from contextlib import suppress

LOOK = 0.2  # seconds between two looks at what the program has started
PATIENCE = 5.0  # seconds for which killing is tried again
IGNORED = (signal.SIGPIPE, signal.SIGXFSZ)  # by Python; a program gets them as any other does
ADOPT_ORPHANS = 36  # PR_SET_CHILD_SUBREAPER, of Linux: what a program leaves behind becomes ours


def main(arguments: list[str]) -> None:
    control = socket.socket(fileno=int(arguments[0]))
    memory, processes, file_size = map(int, arguments[1:4])
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(ADOPT_ORPHANS, 1, 0, 0, 0)
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    try:
        pid = start(arguments[4:], memory, file_size)
    except OSError as error:
        return say(control, f"failed {error.strerror}")
    for standard in (0, 1, 2):  # its pipes are the program's alone
        os.close(standard)
    say(control, f"started {pid}")
    verdict = watch(control, woken, pid, memory, processes)
    end(pid)
    say(control, verdict)


def say(control: socket.socket, word: str) -> None:
    with suppress(OSError):  # nobody listens any more
        control.sendall(word.encode() + b"\n")


def start(command: list[str], memory: int, file_size: int) -> int:
    """In a session of its own: no terminal, and no signal of its reaches us."""
    import resource

    for limit, most in (("CORE", 0), ("FSIZE", file_size), ("DATA", memory), ("NOFILE", 256)):
        name = getattr(resource, f"RLIMIT_{limit}", None)
        if name is not None:
            hard = resource.getrlimit(name)[1]
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(name, (most, most))
    return os.posix_spawnp(command[0], command, os.environ, setsid=True, setsigdef=IGNORED, setsigmask=())


def watch(control: socket.socket, woken: int, pid: int, memory: int, processes: int) -> str:
    """Until the program ends, breaks a limit, or nobody wants it any more. Who has not run has started nothing, and has
    grown no larger: one that only waits is not looked at."""
    known: list[int] = []
    before: list[float] | None = None  # how long they had run, when no others were found beside them
    poll = select.poll()
    poll.register(control, select.POLLIN)
    poll.register(woken, select.POLLIN)
    while True:
        ready = dict(poll.poll(1000 * LOOK))
        if woken in ready:
            os.read(woken, 4096)
            status = reap(pid)
            if status is not None:
                code = os.waitstatus_to_exitcode(status)
                return f"exited {code}" if code >= 0 else f"signal {-code}"
        if control.fileno() in ready:
            return "unwanted"
        now = clocks(known)
        if now and now == before:
            continue
        found = descendants(os.getpid())
        if len(found) > processes:
            return "processes"
        if sum(map(resident, found)) > memory:
            return "memory"
        known, before = found, now if found == known else None


def reap(pid: int) -> "int | None":
    """The status of the program, if it has ended; orphans are taken along."""
    found = None
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            if ended[0] == pid:
                found = ended[1]
    return found


def descendants(parent: int) -> "list[int]":
    """All that a process has started, and that these have; what cannot be seen is not there."""
    found, look = [], [parent]
    while look:
        pid = look.pop()
        with suppress(OSError):
            for task in os.listdir(f"/proc/{pid}/task"):
                with open(f"/proc/{pid}/task/{task}/children", "rb") as file:
                    children = [int(child) for child in file.read().split()]
                found += children
                look += children
    return found


def clocks(pids: "list[int]") -> "list[float] | None":
    """Seconds of processor that each has used; None if one of them is gone."""
    try:
        return [time.clock_gettime(~pid << 3 | 2) for pid in pids]  # Linux: the clock of another process, by its number
    except (OSError, OverflowError):
        return None


def resident(pid: int) -> int:
    """Bytes of memory that it really has."""
    try:
        with open(f"/proc/{pid}/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def end(pid: int) -> None:
    """Ends the program and whatever it started: all are halted first, so that none can start another meanwhile."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        alive = descendants(os.getpid())
        for what in (signal.SIGSTOP, signal.SIGKILL):
            send(what, pid, alive)
        reap(pid)
        if not descendants(os.getpid()):
            return
        time.sleep(0.002)


def send(what: signal.Signals, pid: int, alive: "list[int]") -> None:
    for call, number in [(os.killpg, pid), *((os.kill, each) for each in alive)]:
        with suppress(OSError):
            call(number, what)


if __name__ == "__main__":
    main(sys.argv[1:])
