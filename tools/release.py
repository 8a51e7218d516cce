"""A release, from a commit that has nothing else beside it: all that is given to others, tried before it is given.

python tools/release.py               refuses a dirty tree, and a changelog that has no date behind the version
python tools/release.py --rehearse    from whatever is here, to see whether it would work

dist/quincunx-1.2.0-py3-none-any.whl    the wheel, with pages and documents
dist/quincunx-1.2.0.zip                 the sources
dist/quincunx-1.2.0-site.zip            the documents as a static site, for any host
dist/quincunx-1.2.0-notes.md            what the changelog says about it
dist/SHA256SUMS                         of all four
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from hashlib import sha256
from pathlib import Path

import dist
import docs
import notes
import pages
import trial
from documents.building import STAMP
from documents.contents import Missing

ROOT = Path(__file__).resolve().parent.parent
SUMS = "SHA256SUMS"


class Refused(RuntimeError):
    """Why nothing is released: one sentence."""


def refuse_dirt(root: Path) -> None:
    """What is given to others is what a commit says, and nothing that lies about."""
    asked = subprocess.run(["git", "status", "--porcelain"], cwd=root, capture_output=True, text=True)
    if asked.returncode:
        raise Refused("A release is made from a clone: there is no git here.")
    if lines := asked.stdout.splitlines():
        names = ", ".join(line[3:] for line in lines[:5]) + (" …" if len(lines) > 5 else "")
        raise Refused(f"The tree is not clean: {names}. Commit, or make the release in a new clone.")


def refuse_undated(entry: notes.Entry) -> None:
    if not entry.is_dated:
        raise Refused(f"CHANGELOG.md says “{entry.date}” behind {entry.version}: put the date there.")


def entry(rehearse: bool) -> notes.Entry:
    """What the changelog says of this version, if it may be released."""
    found = notes.entry_of(notes.version(), (ROOT / "CHANGELOG.md").read_text("utf-8"))
    if not rehearse:
        refuse_undated(found)
        refuse_dirt(ROOT)
    return found


def write(said: notes.Entry) -> Path:
    """Everything into dist/; returns the wheel."""
    name = f"quincunx-{said.version}"
    wheel = dist.write_all()
    site = ROOT / "build" / "site"
    docs.make(site)
    files = sorted(file for file in site.rglob("*") if file.is_file() and file.name != STAMP)
    contents = {f"{name}-site/{file.relative_to(site).as_posix()}": file for file in files}
    dist.pack(dist.DIST / f"{name}-site.zip", contents)
    dist.expect(dist.DIST / f"{name}-site.zip", {f"{name}-site/{each}" for each in dist.SITE})
    (dist.DIST / f"{name}-notes.md").write_text(said.notes(), "utf-8")
    write_sums(dist.DIST)
    return wheel


def sources_stand_alone(wheel: Path) -> None:
    """What is unpacked from the zip, and nothing else, gives a wheel with the same files."""
    (packed,) = [file for file in dist.DIST.glob("*.zip") if not file.name.endswith("-site.zip")]
    with tempfile.TemporaryDirectory(prefix="quincunx-sources-") as folder:
        zipfile.ZipFile(packed).extractall(folder)
        again = dist.write_wheel(Path(folder, packed.stem), Path(folder))
        if differing := different(wheel, again):
            raise Refused(f"The zip of the sources gives another wheel: {', '.join(differing[:5])}.")


def different(one: Path, other: Path) -> list[str]:
    """Files that only one of them has; the names of the pages' files say what is in them."""
    return sorted(set(zipfile.ZipFile(one).namelist()) ^ set(zipfile.ZipFile(other).namelist()))


def write_sums(folder: Path) -> None:
    """As `sha256sum -c` reads them."""
    given = sorted(file for file in folder.iterdir() if file.name.startswith("quincunx-"))
    (folder / SUMS).write_text("".join(f"{sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in given))


def main(arguments: list[str]) -> int:
    try:
        said = entry(rehearse="--rehearse" in arguments)
        wheel = write(said)
        sources_stand_alone(wheel)
        trial.try_everywhere(wheel, said.version, pages.say)
    except (Refused, notes.Unsaid, pages.Failed, Missing, trial.Failed) as why:
        pages.say(str(why))
        return 1
    for file in sorted(dist.DIST.iterdir()):
        print(f"{file.relative_to(ROOT)}  {file.stat().st_size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
