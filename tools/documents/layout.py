"""The page around a text: menu, search, the other language, what stands on this page, the page before and after.

Scripts and styles are files: the server's Content-Security-Policy allows nothing else, and a browser keeps them."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from documents.contents import HOME, LANGUAGES, Contents, Page
from documents.text import Text

WORDS = {
    "fr": {
        "search": "Chercher", "menu": "Sommaire", "here": "Sur cette page", "other": "English", "theme": "Jour ou nuit",
        "before": "Avant", "after": "Ensuite", "english": "en anglais", "skip": "Aller au texte", "start": "Accueil",
        "play": "Jouer ici",
        "offline": "Dans cette page, contre l’ordinateur : rien à installer, et ensuite sans réseau.",
        "none": "Rien trouvé. Essayez un autre mot.", "found": "Résultats", "copy": "Copier", "copied": "Copié",
    },
    "en": {
        "search": "Search", "menu": "Contents", "here": "On this page", "other": "Français", "theme": "Day or night",
        "before": "Before", "after": "Next", "english": "in English", "skip": "Skip to the text", "start": "Home",
        "play": "Play here",
        "offline": "In this page, against the computer: nothing to install, and no network needed afterwards.",
        "none": "Nothing found. Try another word.", "found": "Results", "copy": "Copy", "copied": "Copied",
    },
}  # fmt: skip


LIVE = '<link rel="stylesheet" href="{0}/live.css">\n<script type="module" src="{0}/live.js"></script>\n'


PLAY = "play/index.html"


class Layout:
    def __init__(self, contents: Contents, titles: Mapping[tuple[str, str], str], styles: str) -> None:
        self.contents, self.titles, self.styles = contents, titles, styles

    def page(self, page: Page, text: Text, reader: str) -> str:
        """`reader` is the language of the menu: a French reader may read an English page."""
        words, to = WORDS[reader], page.to
        title = text.title if page.name == HOME else f"{text.title} — Quincunx"
        live = LIVE.format(to("live/")) if text.boards else ""
        said = escape("|".join(words[key] for key in ("none", "found", "copy", "copied")))
        search = words["search"]
        field = f'<input type="search" name="q" aria-label="{search}" placeholder="{search}" autocomplete="off">'
        other = f'href="{to(self._other(page, reader))}" hreflang="{_not(reader)}" lang="{_not(reader)}"'
        return f"""<!doctype html>
<html lang="{reader}" data-root="{to("x")[:-1]}" data-words="{said}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<link rel="stylesheet" href="{to(self.styles)}">
<link rel="icon" href="{to("icon.svg")}">
<script src="{to("theme.js")}"></script>
<script src="{to("site.js")}" defer></script>
{live}</head>
<body>
<a class="skip" href="#text">{words["skip"]}</a>
<header>
<a class="brand" href="{to(f"{reader}/{HOME}.html")}"><span aria-hidden="true">⁙</span> Quincunx</a>
<form role="search">{field}</form>
<div class="tools">
<a {other}>{words["other"]}</a>
<button type="button" id="theme" aria-label="{words["theme"]}" title="{words["theme"]}">◐</button>
</div>
</header>
<div class="found" id="found" role="status" hidden></div>
<div class="columns">
<nav class="menu" aria-label="{words["menu"]}"><details open><summary>{words["menu"]}</summary>
{self._menu(page, reader)}
</details></nav>
<main id="text"{' lang="en"' if page.language != reader else ""}>
<article>
{self._play(page, reader)}{text.html}
</article>
{self._turn(page, reader)}
</main>
{self._here(text, words["here"])}
</div>
</body>
</html>
"""

    def _play(self, page: Page, reader: str) -> str:
        """The way to the games (tools/offline.py): all of them, or, from what is about one, to that one."""
        folder, _, game = page.name.rpartition("/")
        if page.name not in (HOME, "playing") and folder not in ("rules", "strategy", "learn"):
            return ""
        address = page.to(PLAY) + f"?lang={reader}" + (f"#/new/{game}" if folder else "")
        words = WORDS[reader]
        return f'<p class="play"><a href="{address}">{words["play"]}</a> <span>{words["offline"]}</span></p>\n'

    def _other(self, page: Page, reader: str) -> str:
        """The same page for a reader of the other language: its translation, or its place in the other menu."""
        return f"{_not(reader)}/{page.name}.html"

    def _menu(self, here: Page, reader: str) -> str:
        parts = []
        for section in self.contents.sections:
            rows = "".join(self._row(here, name, reader) for name in section.names)
            parts.append(f"<h2>{escape(section.titles[reader])}</h2>\n<ul>{rows}</ul>")
        return "\n".join(parts)

    def _row(self, here: Page, name: str, reader: str) -> str:
        page = self.contents.in_language(name, reader)
        title = escape(self.titles[page.name, page.language])
        mark = f" <small>({WORDS[reader]['english']})</small>" if page.language != reader else ""
        current = ' aria-current="page"' if name == here.name else ""
        return f'<li><a href="{here.to(f"{reader}/{name}.html")}"{current}>{title}</a>{mark}</li>'

    def _turn(self, page: Page, reader: str) -> str:
        order = self.contents.order(reader)
        at = [each.name for each in order].index(page.name)
        parts = []
        for key, other in (("before", at - 1), ("after", at + 1)):
            if 0 <= other < len(order):
                to = order[other]
                title = escape(self.titles[to.name, to.language])
                address = page.to(f"{reader}/{to.name}.html")
                parts.append(f'<a class="{key}" href="{address}"><small>{WORDS[reader][key]}</small> {title}</a>')
        return f'<nav class="turn" aria-label="{WORDS[reader]["after"]}">{"".join(parts)}</nav>'

    def _here(self, text: Text, title: str) -> str:
        rows = [
            f'<li><a href="#{escape(heading.id)}">{escape(heading.text)}</a></li>'
            for heading in text.headings
            if heading.level == 2
        ]
        if len(rows) < 3:
            return '<aside class="here"></aside>'
        return f'<aside class="here" aria-label="{title}"><h2>{title}</h2><ul>{"".join(rows)}</ul></aside>'


def _not(language: str) -> str:
    return LANGUAGES[1 - LANGUAGES.index(language)]
