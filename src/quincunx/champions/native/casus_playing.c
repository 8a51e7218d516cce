/* The dialogue: the bot protocol on one side, the champion's five functions on the other.

       welcome                  a new match; the program begins anew for every match but its first
       update                   the first one: partie_init; each phase once: the function of that phase,
                                then its orders, one for each update, and `seal`
       update with an outcome   partie_fin

   The first update is there before the champion's variables get their first values: these may come from the calls.
   What the champion prints goes to stderr, and its stdin is empty: the dialogue is ours alone. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#include "casus_answers.h"

void partie_init(void);
void jouer_placement(void);
void jouer_deplacement(void);
void jouer_attaque(void);
void partie_fin(void);

#define UNREAD "CASUS_UNREAD" /* names, to a program that begins anew, the file that holds what it had not read yet */

static int from_referee, to_referee;
static char *buffer, **arguments;
static size_t held, used, size; /* bytes in the buffer, of those that were taken, and its room */

static void grow(size_t needed) {
    if (needed <= size) return;
    size = needed > 2 * size ? needed : 2 * size;
    buffer = realloc(buffer, size);
    if (!buffer) abort();
}

/* The next line, without its end, until the one after it is asked for; NULL at the end. */
static char *next_line(void) {
    size_t looked = used;
    for (;;) {
        char *end = held > looked ? memchr(buffer + looked, '\n', held - looked) : NULL;
        if (end) {
            char *line = buffer + used;
            *end = '\0';
            used = (size_t)(end - buffer) + 1;
            return line;
        }
        if (used) {
            memmove(buffer, buffer + used, held - used);
            held -= used;
            used = 0;
        }
        looked = held;
        grow(held + 65536);
        ssize_t got = read(from_referee, buffer + held, size - held);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return NULL;
        held += (size_t)got;
    }
}

static void write_all(int file, const char *bytes, size_t length) {
    while (length) {
        ssize_t done = write(file, bytes, length);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) exit(0); /* the referee is gone */
        bytes += done;
        length -= (size_t)done;
    }
}

static void play(int seat, const char *action) {
    static int plays;
    char line[256];
    int length = snprintf(line, sizeof line, "{\"type\":\"play\",\"id\":\"%d\",\"seat\":%d,\"action\":\"%s\"}\n", ++plays,
                          seat, action);
    write_all(to_referee, line, (size_t)length);
}

/* -- beginning anew --------------------------------------------------------------------------------------------- */

static int hidden_file(void) {
#ifdef __linux__
    int made = memfd_create("unread", 0);
    if (made >= 0) return made;
#endif
    FILE *file = tmpfile();
    return file ? dup(fileno(file)) : -1;
}

/* Runs the program again in this process, as if it had just been started: the variables of a champion are as the
   contest had them at the beginning of a match. */
static void begin_anew(const char *welcome) {
    char number[16];
    int file = hidden_file();
    if (file < 0) exit(1);
    write_all(file, welcome, strlen(welcome));
    write_all(file, "\n", 1);
    write_all(file, buffer + used, held - used);
    lseek(file, 0, SEEK_SET);
    snprintf(number, sizeof number, "%d", file);
    setenv(UNREAD, number, 1);
    fflush(NULL);
    dup2(from_referee, 0);
    dup2(to_referee, 1);
    close(from_referee);
    close(to_referee);
    execv("/proc/self/exe", arguments);
    execv(arguments[0], arguments);
    perror("execv");
    exit(1);
}

static void take_up_unread(void) {
    const char *number = getenv(UNREAD);
    if (!number) return;
    int file = atoi(number);
    for (;;) {
        grow(held + 65536);
        ssize_t got = read(file, buffer + held, size - held);
        if (got <= 0) break;
        held += (size_t)got;
    }
    close(file);
    unsetenv(UNREAD);
}

/* -- a match ---------------------------------------------------------------------------------------------------- */

static void check_options(const json *welcome) {
    static const char *const final[][2] = {{"order", "moves_first"}, {"cooldowns", "short"}, {"bastoooon", "plus"},
                                           {"loto", "anywhere"},     {"vision", "wide"}};
    const json *options = json_get(welcome, "options");
    if (strcmp(json_string(json_get(welcome, "game")), "casus_belli")) {
        fprintf(stderr, "A champion of the contest plays casus_belli.\n");
        exit(2);
    }
    for (size_t k = 0; k < sizeof final / sizeof *final; k++) {
        const json *chosen = json_get(options, final[k][0]);
        if (!chosen || !strcmp(json_string(chosen), final[k][1])) continue;
        fprintf(stderr, "A champion of the contest plays the preset `final`; this option differs: %s.\n", final[k][0]);
        exit(2);
    }
}

static int is_in(const json *seats, int seat) {
    for (const json *one = seats ? seats->first : NULL; one; one = one->next)
        if (json_int(one) == seat) return 1;
    return 0;
}

static void ask(const char *phase) {
    casus_forget_orders();
    if (!strcmp(phase, "placement")) jouer_placement();
    else if (!strcmp(phase, "moves")) jouer_deplacement();
    else jouer_attaque();
}

static int next_order, sealed; /* of the phase that the champion was asked for last */

static void send(int seat) {
    if (next_order < casus_number_of_orders()) play(seat, casus_order(next_order++));
    else if (!sealed) {
        sealed = 1;
        play(seat, "seal");
    }
}

static int seat = -1, over;
static const json *first_update;

static void begin(const json *welcome) {
    const json *yours = json_get(welcome, "yours");
    check_options(welcome);
    seat = json_int(yours ? yours->first : NULL);
    casus_begin(seat);
}

static void take(const json *update) {
    const json *outcome = json_get(update, "outcome");
    over = outcome && outcome->kind != JSON_NULL;
    casus_take(json_get(update, "shown"), json_get(update, "story"));
}

static void act_on(const json *update) {
    static int asked_turn = -1;
    static char asked_phase[16];
    const json *shown = json_get(update, "shown");
    const char *phase = json_string(json_get(shown, "phase"));
    int turn = json_int(json_get(shown, "turn"));
    if (over) {
        partie_fin();
    } else if (is_in(json_get(update, "to_act"), seat)) {
        if (turn != asked_turn || strcmp(phase, asked_phase)) {
            asked_turn = turn;
            snprintf(asked_phase, sizeof asked_phase, "%s", phase);
            next_order = sealed = 0;
            ask(asked_phase);
        }
        send(seat);
    }
}

/* Before all initialisers of the champion, which have no such number. */
__attribute__((constructor(101))) static void hear_first_update(void) {
    char *line;
    take_up_unread();
    from_referee = dup(0);
    to_referee = dup(1);
    int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, 0);
    close(nothing);
    dup2(2, 1);
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (!first_update && (line = next_line())) {
        const json *word = json_read(line);
        const char *type = json_string(json_get(word, "type"));
        if (!strcmp(type, "welcome")) begin(word);
        else if (!strcmp(type, "update") && seat >= 0) take(first_update = word);
    }
}

static int play_matches(void) {
    char *line, *kept = NULL;
    if (!first_update) return 0;
    partie_init();
    act_on(first_update);
    while ((line = next_line())) {
        kept = realloc(kept, strlen(line) + 1);
        if (!kept) abort();
        strcpy(kept, line);
        const json *word = json_read(line);
        const char *type = json_string(json_get(word, "type"));
        if (!strcmp(type, "welcome")) {
            if (!over) partie_fin();
            begin_anew(kept);
        } else if (!strcmp(type, "update") && !over) {
            take(word);
            act_on(word);
        } else if (!strcmp(type, "refused") && !over) {
            fprintf(stderr, "refused: %s\n", json_string(json_get(word, "code")));
            send(seat);
        }
    }
    if (!over) partie_fin();
    free(kept);
    return 0;
}

int main(int count, char **given) {
    (void)count;
    arguments = given;
    return play_matches();
}
