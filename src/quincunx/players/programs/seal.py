"""Starts Python for a program that was sealed in (isolation.py), after it has given up some calls of the system.

    python seal.py ARGUMENTS…

What they would give: memory that nobody counts (it belongs to no process, so the warden would not see it), and ways to
other namespaces, processes and into the kernel. Who asks for one of them is told that it may not. It runs inside, with
nothing but the standard library; a filter once set is kept by whatever is started from here, and cannot be taken off.
"""

import ctypes
import os
import struct
import sys

DENIED = {  # name: number on x86-64, on 64-bit ARM
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "io_uring_setup": (425, 425),
    "userfaultfd": (323, 282),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "ptrace": (101, 117),
    "process_vm_writev": (311, 271),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "fsopen": (430, 430),
    "open_tree": (428, 428),
}
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}  # column of the table, AUDIT_ARCH
LOAD, EQUAL, AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06  # of the kernel's packet filters
NUMBER, MACHINE = 0, 4  # where a call says what it is
ALLOW, NOT_PERMITTED, KILL = 0x7FFF0000, 0x00050001, 0x80000000
OTHER_CALLS = 0x40000000  # x86-64 has a second set of numbers from here on
NICE = 5  # as computers that think: whoever plays on the server goes first
NO_NEW_PRIVILEGES, SECCOMP, FILTER = 38, 22, 2  # of prctl


def filter_for(machine: str) -> bytes:
    column, architecture = MACHINES[machine]
    numbers = [both[column] for both in DENIED.values()]
    n = len(numbers)
    lines = [
        (LOAD, 0, 0, MACHINE),
        (EQUAL, 0, n + 4, architecture),  # another one: to the last line
        (LOAD, 0, 0, NUMBER),
        (AT_LEAST, n + 1, 0, OTHER_CALLS),
        *((EQUAL, n - k, 0, number) for k, number in enumerate(numbers)),
        (RETURN, 0, 0, ALLOW),
        (RETURN, 0, 0, NOT_PERMITTED),
        (RETURN, 0, 0, KILL),
    ]
    return b"".join(struct.pack("HBBI", *line) for line in lines)


def give_up_calls() -> None:
    code = filter_for(os.uname().machine)
    kept = ctypes.create_string_buffer(code)
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(code) // 8, ctypes.addressof(kept)))
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    if prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) or prctl(SECCOMP, FILTER, ctypes.c_void_p(ctypes.addressof(program)), 0, 0):
        raise OSError(ctypes.get_errno(), "no filter")


if __name__ == "__main__":
    os.nice(NICE)
    give_up_calls()
    os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
