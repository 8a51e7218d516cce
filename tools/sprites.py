"""The drawings of Garden Tensions as PNG files of 512 × 512: hexes, owner filters, groups of 1 to 5 of each clan.

python tools/sprites.py [folder]        build/sprites by default; needs `npm ci` in web/ and a Chromium
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
SIZE = 512


def program(*names: str) -> str:
    """Beside this Python first: Node may come from its wheel."""
    for name in names:
        found = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
        if found:
            return found
    raise SystemExit(f"None of {', '.join(names)} was found.")


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "sprites").absolute()
    node, chromium = program("node"), program("chromium", "chromium-browser", "google-chrome")
    drawn = subprocess.run(
        [node, "gallery/sprites.mjs", str(folder)], cwd=ROOT / "web", check=True, capture_output=True, text=True
    )
    with tempfile.TemporaryDirectory() as profile:
        for name in drawn.stdout.split():
            picture = folder / f"{name}.png"
            page = folder / f"{name}.svg"
            options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run"]
            options += [
                "--disable-background-networking",
                f"--user-data-dir={profile}",
                "--force-device-scale-factor=1",
            ]
            options += ["--force-device-scale-factor=1", f"--window-size={SIZE},{SIZE}"]
            options += ["--default-background-color=00000000"]
            subprocess.run(
                [chromium, *options, f"--screenshot={picture}", page.as_uri()],
                check=True, capture_output=True, timeout=60,
            )  # fmt: skip
            header = picture.read_bytes()[16:24]
            size = int.from_bytes(header[:4], "big"), int.from_bytes(header[4:], "big")
            if size != (SIZE, SIZE):
                raise SystemExit(f"{picture.name} is {size[0]} × {size[1]}, not {SIZE} × {SIZE}.")
            print(picture.relative_to(folder.parent), flush=True)


if __name__ == "__main__":
    main()
