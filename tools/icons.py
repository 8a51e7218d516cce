"""The drawing of web/public/icon.svg as PNG, for those who install the games: telephones draw no SVG there.

python tools/icons.py            writes web/src/offline/icons; a test compares

The drawing has circles and one rectangle with round corners, and nothing else.
"""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree

from PIL import Image, ImageDraw

ROOT = Path(__file__).resolve().parent.parent
DRAWING = ROOT / "web" / "public" / "icon.svg"
FOLDER = ROOT / "web" / "src" / "offline" / "icons"
SIZES = {"icon-192.png": 192, "icon-512.png": 512, "apple-touch-icon.png": 180}
WHOLE = ("apple-touch-icon.png",)  # its corners are cut by the telephone, which paints black what is not there
COLOURS = 48  # three, and what lies between them
FINE = 8  # so many points across each of the picture's


def drawn(name: str) -> Image.Image:
    svg = ElementTree.parse(DRAWING).getroot()
    box = float(str(svg.get("viewBox")).split()[2])
    scale = SIZES[name] * FINE / box
    ground = next(each.get("fill") for each in svg.iter() if each.tag.endswith("rect"))
    picture = Image.new("RGBA", (SIZES[name] * FINE,) * 2, str(ground) if name in WHOLE else (0, 0, 0, 0))
    draw = ImageDraw.Draw(picture)
    for above in svg.iter():
        for shape in above:
            _draw(draw, shape, shape.get("fill") or str(above.get("fill")), scale)
    return picture.resize((SIZES[name],) * 2, Image.Resampling.LANCZOS).quantize(COLOURS)


def _draw(draw: ImageDraw.ImageDraw, shape: ElementTree.Element, fill: str, scale: float) -> None:
    kind = shape.tag.rpartition("}")[2]
    said = {key: float(value) * scale for key, value in shape.items() if key not in ("fill", "stroke")}
    if kind == "circle":
        x, y, r = said["cx"], said["cy"], said["r"]
        draw.ellipse((x - r, y - r, x + r, y + r), fill=fill)
    elif kind == "rect":
        half = said["stroke-width"] / 2  # it is drawn on both sides of the edge, here inside
        left, top, right, bottom = said["x"], said["y"], said["x"] + said["width"], said["y"] + said["height"]
        draw.rounded_rectangle(
            (left - half, top - half, right + half, bottom + half), said["rx"] + half, fill, shape.get("stroke"),
            round(2 * half),
        )  # fmt: skip


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in SIZES:
        drawn(name).save(FOLDER / name, optimize=True)
        print(f"{name}: {(FOLDER / name).stat().st_size} bytes", file=sys.stderr)


if __name__ == "__main__":
    main()
