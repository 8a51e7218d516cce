// The bot: one JSON message a line on stdin and stdout, until stdin ends. What to play is asked in idea.c.
// There is nothing to change here.

#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "view.h"

static FILE *out;
static View view;
static json *welcome, *update;  // what the view points into
static int plays;
static bool *refused;  // which of the legal actions were, since the last update
static const char *last;

static void play(const char *action) {
    last = action;
    fprintf(out, "{\"type\":\"play\",\"id\":\"%d\",\"seat\":%d,\"action\":", ++plays, view.seat);
    json_write_text(out, action);
    fprintf(out, "}\n");
    fflush(out);
}

static void play_another(void) {
    int others = 0;
    for (int k = 0; k < view.legal_count; k++) {
        if (strcmp(view.legal[k], last) == 0) refused[k] = true;
        others += !refused[k];
    }
    int steps = others ? rand() % others : 0;
    for (int k = 0; k < view.legal_count; k++) {
        if ((!refused[k] || !others) && steps-- == 0) {
            play(view.legal[k]);
            return;
        }
    }
}

static void greet(json *message) {  // a match begins
    json_free(update);
    json_free(welcome);
    update = NULL;
    welcome = message;
    const json *lists_all = json_get(message, "lists_all");
    view.game = json_text(json_get(message, "game"));
    view.options = json_get(message, "options");
    view.lists_all = json_is_null(lists_all) || json_truth(lists_all);
    view.seat = json_int(json_at(json_get(message, "yours"), 0));
    view.first = true;
}

static void see(json *message) {
    json_free(update);
    update = message;
    view.shown = json_get(message, "shown");
    view.story = json_get(message, "story");
    view.clock = json_at(json_get(message, "clocks"), view.seat);
    const json *legal = json_get(message, "legal");
    view.legal_count = json_count(legal);
    view.legal = json_enough(view.legal, (view.legal_count + 1) * sizeof *view.legal);
    refused = json_enough(refused, (view.legal_count + 1) * sizeof *refused);
    for (int k = 0; k < view.legal_count; k++) {
        view.legal[k] = json_text(json_at(legal, k));
        refused[k] = false;
    }
    last = NULL;
}

static bool is_mine(const json *seats) {
    for (int k = 0; k < json_count(seats); k++) {
        if (json_int(json_at(seats, k)) == view.seat) return true;
    }
    return false;
}

static bool is_about_last(const json *message) {
    char id[16];
    snprintf(id, sizeof id, "%d", plays);
    return last && strcmp(json_text(json_get(message, "id")), id) == 0;
}

static void hear(json *message) {  // and keep it, or free it
    const char *type = json_text(json_get(message, "type"));
    if (strcmp(type, "welcome") == 0) {
        greet(message);
    } else if (strcmp(type, "update") == 0) {
        see(message);
        if (is_mine(json_get(message, "to_act")) && json_is_null(json_get(message, "outcome"))) {
            play(choose(&view));
            view.first = false;
        }
    } else {
        if (strcmp(type, "refused") == 0 && is_about_last(message)) {
            fprintf(stderr, "refused: %s %s\n", last, json_text(json_get(json_get(message, "words"), "en")));
            play_another();
        }
        json_free(message);
    }
}

int main(void) {
    out = fdopen(dup(STDOUT_FILENO), "w");
    dup2(STDERR_FILENO, STDOUT_FILENO);  // what an idea prints is not part of the dialogue
    srand((unsigned)time(NULL) ^ (unsigned)getpid());
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        json *message = json_parse(line);
        if (message) hear(message);
        else if (strspn(line, " \t\r\n") < strlen(line)) fprintf(stderr, "not JSON: %.60s\n", line);
    }
    free(line);
    return 0;
}
