"""The commands of `quincunx`, in the order of its help: the name, where it is among the modules of this folder (a whole
module has commands of its own), and what it is for."""

from __future__ import annotations

from typing import NamedTuple

from quincunx.core.words import Words


class Command(NamedTuple):
    name: str
    where: str
    help: Words


COMMANDS = (
    Command(
        "games",
        "games.games",
        Words("Les jeux ; games khet dit tout de l’un d’eux.", "The games; games khet tells all of one."),
    ),
    Command("play", "play.play", Words("Jouer dans le terminal.", "Play in the terminal.")),
    Command("match", "matches.match", Words("Faire jouer des programmes entre eux.", "Let computer players meet.")),
    Command(
        "new-bot",
        "new_bot.new_bot",
        Words("Commencer un bot, dans le langage de son choix.", "Begin a bot, in a language of one’s choice."),
    ),
    Command(
        "tournament",
        "tournament",
        Words(
            "Des tournois entre joueurs, qui reprennent où ils en étaient.",
            "Tournaments between players, that go on where they stood.",
        ),
    ),
    Command(
        "arena",
        "arena",
        Words(
            "Des arènes : des concours permanents, que des programmes rejoignent.",
            "Arenas: standing contests that programs join.",
        ),
    ),
    Command("compare", "compare.compare", Words("Le nouveau est-il meilleur ?", "Is the new one better?")),
    Command("analyse", "analyse.analyse", Words("Juger chaque coup d’une partie.", "Judge every move of a record.")),
    Command("ladder", "ladder.ladder", Words("Mesurer les niveaux.", "Measure the levels.")),
    Command("tune", "tune.tune", Words("Régler les poids d’une évaluation.", "Tune the weights of an evaluation.")),
    Command("train", "train.train", Words("Entraîner un réseau qui évalue.", "Train a net that evaluates.")),
    Command("show", "inspect.show", Words("Montrer une partie ou une position.", "Show a record or a position.")),
    Command("perft", "machine.perft", Words("Compter les suites de coups.", "Count the sequences of moves.")),
    Command("replay", "inspect.replay_file", Words("Rejouer et vérifier une partie.", "Replay and verify a record.")),
    Command(
        "export",
        "export.export",
        Words("Des parties en décisions, pour apprendre.", "Records as decisions, to learn from."),
    ),
    Command(
        "import-data",
        "export.import_data",
        Words("Vérifier des décisions en rejouant.", "Verify decisions by replaying."),
    ),
    Command("bench", "machine.bench", Words("Mesurer la vitesse des règles.", "Measure the speed of the rules.")),
    Command("serve", "serve.serve", Words("Ouvrir le serveur de parties.", "Open the server of matches.")),
    Command(
        "backup",
        "keeping.backup",
        Words("Sauvegarder les parties, pendant que le serveur tourne.", "Save the matches, while it runs."),
    ),
    Command("restore", "keeping.restore", Words("Ramener une sauvegarde.", "Bring a backup back.")),
    Command("prune", "keeping.prune", Words("Supprimer les vieilles parties.", "Delete old matches.")),
    Command(
        "admin",
        "admin",
        Words("Gérer les parties et les visiteurs d’un serveur.", "See to a server’s matches, and to who comes."),
    ),
    Command(
        "join", "join.join", Words("Rejoindre une partie sur un autre ordinateur.", "Join a match on another computer.")
    ),
    Command(
        "telecom",
        "telecom.telecom",
        Words(
            "Le serveur du cours de Chartichaud, pour ses clients.",
            "The course server of Chartichaud, for its clients.",
        ),
    ),
    Command("mcp", "mcp.mcp", Words("Des outils pour un modèle de langage.", "Tools for a language model.")),
    Command("load", "load.load", Words("Éprouver un serveur sous la charge.", "See what a server bears.")),
    Command("bot", "bot.bot", Words("Faire jouer un programme sur un serveur.", "Let a program play on a server.")),
    Command("check-bot", "check_bot.check_bot", Words("Éprouver un programme.", "Try a program out.")),
    Command("puzzles", "puzzles", Words("Des problèmes : trouver, vérifier.", "Puzzles: find them, verify them.")),
    Command(
        "bots",
        "bots",
        Words("Donner un nom à un programme : bot:NOM joue partout.", "Name a program: bot:NAME plays everywhere."),
    ),
    Command("schema", "schema.schema", Words("Le protocole en JSON Schema.", "The protocol as JSON Schema.")),
    Command(
        "champion",
        "champion",
        Words(
            "Les champions du concours d’origine de Casus Belli ; champion:FICHIER joue partout.",
            "Champions of the original contest of Casus Belli; champion:FILE plays everywhere.",
        ),
    ),
    Command("warm", "machine.warm_games", Words("Compiler les jeux à l’avance.", "Compile the games ahead of time.")),
)
