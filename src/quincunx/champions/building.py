"""Builds a champion in C or C++: its sources as they are, with our headers and the library that speaks the protocol.

The compiler is the system's (`cc`, `c++`, or what CC and CXX name; CFLAGS and CXXFLAGS are heeded). A few options
depend on what a source says: the contest's tools had two ways to hand over arrays in C, and only their later ones
brought the comparisons and hashes that some champions of 2012 wrote for themselves.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from quincunx.core.words import Refused, Words, expected

NATIVE = Path(__file__).parent / "native"
LIBRARY = ("casus_json.c", "casus_ground.c", "casus_answers.c", "casus_showing.c", "casus_playing.c")
C, CXX = (".c",), (".cc", ".cpp", ".cxx", ".C")
LONGEST = 3000  # characters of what a compiler says

LATER_C = re.compile(rb'#\s*include\s*[<"]api\.h[>"]')
LATER_CXX = re.compile(rb'#\s*include\s*[<"]api\.hh[>"]')
OWN_HASH = re.compile(
    rb"\b(?:struct|class)\s+(?:std\s*::\s*)?hash\s*<\s*(?:std\s*::\s*)?(position|perso_info|vector)\b"
)
INCLUDED = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)
OF_THEIR_TIME = tuple(  # compilers of today take these for errors, and those of 2012 only warned
    f"-Wno-error={name}"
    for name in ("implicit-function-declaration", "implicit-int", "int-conversion", "incompatible-pointer-types")
)
LOWER_CASE = re.compile(
    rb"\b(perso_(voleur|barbare|elfe)|zone_(herbe|route|foret|marais|mur|tour|erreur)"
    rb"|attaque_(normale|palantir|traitrise|bastoooon|fus_ro_dah|i_see|loto|indisponible)"
    rb"|orientation_(nord|est|sud|ouest)|(position|personnage|chemin)_impossible)\b"
)


def build(sources: Sequence[Path], program: Path) -> None:
    """Refused with what the compiler says, or if there is none."""
    for source in sources:
        if source.suffix not in (*C, *CXX) or not source.is_file():
            raise expected(Words("des fichiers .c, .cc ou .cpp", ".c, .cc or .cpp files"), str(source))
    compiler, flags = compiler_of(*sources), flags_of(sources)
    calls = NATIVE / ("calls_cxx.cpp" if _is_cxx(sources) else "calls_c.c")
    with tempfile.TemporaryDirectory() as folder:
        objects: list[str] = []
        for source in (*sources, calls, *(NATIVE / name for name in LIBRARY)):
            ours = source.parent == NATIVE
            language = ["-x", "c++" if source.suffix in CXX else "c"]
            options = ["-std=gnu99"] if ours and source.suffix in C else flags
            arrays = [flag for flag in flags if flag == "-DCASUS_ARRAYS"]
            objects.append(f"{folder}/{len(objects)}.o")
            wanted = [*language, "-O2", f"-I{NATIVE}", *options, *arrays, "-c", str(source), "-o", objects[-1]]
            _run([*compiler, *wanted])
        _run([*compiler, *objects, "-lm", "-o", str(program)])


def _is_cxx(sources: Sequence[Path]) -> bool:
    return any(source.suffix in CXX for source in sources)


def compiler_of(*sources: Path) -> list[str]:
    """The command of the compiler that these sources need."""
    if sys.platform == "win32":
        words = Words(
            "Un champion en C ou en C++ se construit sous Linux ou macOS.",
            "A champion in C or C++ is built on Linux or macOS.",
        )
        raise Refused("no_compiler", words)
    names, variable = (("c++", "g++", "clang++"), "CXX") if _is_cxx(sources) else (("cc", "gcc", "clang"), "CC")
    if named := os.environ.get(variable):
        return shlex.split(named)
    for name in names:
        if found := shutil.which(name):
            return [found]
    words = Words(
        "Pour construire un champion, il faut un compilateur ({}), et il n’y en a pas ici.",
        "To build a champion a compiler is needed ({}), and there is none here.",
    )
    raise Refused("no_compiler", words.format(", ".join(names)))


def flags_of(sources: Sequence[Path]) -> list[str]:
    text = b"\n".join(file.read_bytes() for file in with_headers(sources))
    flags = ["-DCASUS_LOWER_CASE"] if LOWER_CASE.search(text) else []
    if not _is_cxx(sources):
        arrays = ["-DCASUS_ARRAYS"] if LATER_C.search(text) else []
        return ["-std=gnu11", *OF_THEIR_TIME, *flags, *arrays, *_asked("CFLAGS")]
    flags += [f"-DCASUS_WITHOUT_HASH_{name.decode().upper()}" for name in sorted(set(OWN_HASH.findall(text)))]
    return ["-std=gnu++20" if LATER_CXX.search(text) else "-std=gnu++14", *flags, *_asked("CXXFLAGS")]


def with_headers(sources: Iterable[Path]) -> list[Path]:
    """The sources, and what of their own they include: ours are not beside them."""
    found, look = list[Path](), list(sources)
    while look:
        file = look.pop()
        if file.is_file() and file not in found:
            found.append(file)
            look += [file.parent / os.fsdecode(name) for name in INCLUDED.findall(file.read_bytes())]
    return found


def _asked(variable: str) -> list[str]:
    return shlex.split(os.environ.get(variable, ""))


def _run(command: list[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    except OSError as error:
        words = Words("Le compilateur ne se lance pas : {}.", "The compiler does not start: {}.")
        raise Refused("no_compiler", words.format(error)) from None
    if done.returncode:
        said = (done.stderr or done.stdout).strip()[:LONGEST]
        words = Words("Le champion ne se compile pas :\n{}", "The champion does not compile:\n{}").format(said)
        raise Refused("not_compiled", words)
