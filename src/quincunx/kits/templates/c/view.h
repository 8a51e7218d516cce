// What the bot knows when it is to act. There is nothing to change here.

#ifndef VIEW_H
#define VIEW_H

#include "json.h"

typedef struct {
    const char *game;
    const json *options;  // of the match
    bool lists_all;       // false: other actions of the notation than the listed ones are legal, too
    int seat;             // yours, from 0
    bool first;           // the first choice of a match: forget what you remember
    const json *shown;    // what you see of the game
    const char **legal;   // the actions that you may play now
    int legal_count;
    const json *story;    // what happened since the last view
    const json *clock;    // your milliseconds: json_int(view->clock), unless json_is_null(view->clock)
} View;

// One of the legal actions; the text must live until the next call. It stands in idea.c.
const char *choose(const View *view);

#endif
