"""The site: what docs/ and the code say, as static pages in two languages (`make docs`).

docs/contents.toml ─▶ contents.py   which pages there are, and where each lies
docs/**/*.md       ─▶ text.py       one document as HTML, its links, headings and boards
the code itself    ─▶ generated.py  documents about the API, REST and the messages, as Markdown
                      lessons.py    the lessons of each game, as Markdown
                      boards.py     what its live boards show
                      search.py     the words of all pages, for a search without a server
                      layout.py     the page around a text
                      building.py   all of it, into a folder
"""
