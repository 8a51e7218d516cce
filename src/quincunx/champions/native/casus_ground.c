/* The map of a match. A cell is a number, y * width + x; a step is paid on the cell that is left: road 1, grass, forest
   and tower 2, marsh 4. Of several cheapest paths the one is taken whose cells, from its end backwards, come first in the
   order of numbers. */
#include "casus_ground.h"

#include <stdlib.h>
#include <string.h>

#define KEPT 2000000 /* cells in all the distances that are remembered */

typedef struct reach {
    int source;
    int *paid; /* by cell; -1: no path */
} reach;

int casus_width, casus_height;
static char *letters;
static reach *reaches;
static int most_reaches, number_of_reaches, oldest;

static void forget_reaches(void) {
    for (int k = 0; k < number_of_reaches; k++) free(reaches[k].paid);
    free(reaches);
    reaches = NULL;
    number_of_reaches = oldest = 0;
}

static void *room(size_t bytes) {
    void *made = malloc(bytes ? bytes : 1);
    if (!made) abort();
    return made;
}

void casus_set_ground(const json *rows) {
    int height = json_length(rows), width = rows && rows->first ? (int)strlen(json_string(rows->first)) : 0;
    char *read = room((size_t)width * height + 1);
    int y = 0;
    read[0] = '\0';
    for (const json *row = rows ? rows->first : NULL; row; row = row->next, y++) strcpy(read + y * width, json_string(row));
    if (letters && !strcmp(letters, read) && width == casus_width) {
        free(read);
        return;
    }
    free(letters);
    forget_reaches();
    letters = read;
    casus_width = width;
    casus_height = height;
    most_reaches = KEPT / (width * height + 1) + 16;
    reaches = room(sizeof(reach) * (size_t)most_reaches);
}

int casus_on_map(position at) {
    return at.x >= 0 && at.x < casus_width && at.y >= 0 && at.y < casus_height;
}

char casus_letter(position at) {
    return letters[at.y * casus_width + at.x];
}

static int price_at(int cell) {
    return letters[cell] == '_' ? 1 : letters[cell] == '~' ? 4 : 2;
}

int casus_price(position at) {
    return price_at(at.y * casus_width + at.x);
}

/* Writes the neighbours that are no walls, in the order of their numbers. */
static int around(int cell, int *out) {
    int x = cell % casus_width, y = cell / casus_width, n = 0;
    if (y > 0 && letters[cell - casus_width] != '#') out[n++] = cell - casus_width;
    if (x > 0 && letters[cell - 1] != '#') out[n++] = cell - 1;
    if (x < casus_width - 1 && letters[cell + 1] != '#') out[n++] = cell + 1;
    if (y < casus_height - 1 && letters[cell + casus_width] != '#') out[n++] = cell + casus_width;
    return n;
}

/* Every cell is looked at again when a cheaper way to it is found. */
static int *spread(int source) {
    int cells = casus_width * casus_height;
    int *paid = room(sizeof(int) * (size_t)cells), *queue = room(sizeof(int) * (size_t)(cells + 1));
    char *queued = calloc((size_t)cells, 1);
    int head = 0, tail = 0, beside[4];
    if (!queued) abort();
    for (int k = 0; k < cells; k++) paid[k] = -1;
    paid[source] = 0;
    if (letters[source] != '#') queue[tail++] = source;
    while (head != tail) {
        int here = queue[head], after = paid[here] + price_at(here), n = around(here, beside);
        head = (head + 1) % (cells + 1);
        queued[here] = 0;
        for (int k = 0; k < n; k++) {
            if (paid[beside[k]] >= 0 && paid[beside[k]] <= after) continue;
            paid[beside[k]] = after;
            if (queued[beside[k]]) continue;
            queued[beside[k]] = 1;
            queue[tail] = beside[k];
            tail = (tail + 1) % (cells + 1);
        }
    }
    free(queue);
    free(queued);
    return paid;
}

static const int *reach_from(int source) {
    for (int k = 0; k < number_of_reaches; k++)
        if (reaches[k].source == source) return reaches[k].paid;
    int k = oldest;
    if (number_of_reaches < most_reaches) {
        k = number_of_reaches++;
    } else {
        free(reaches[k].paid);
        oldest = (oldest + 1) % most_reaches;
    }
    reaches[k].source = source;
    reaches[k].paid = spread(source);
    return reaches[k].paid;
}

int casus_distance(position from, position to) {
    if (!casus_on_map(from) || !casus_on_map(to)) return -1;
    return reach_from(from.y * casus_width + from.x)[to.y * casus_width + to.x];
}

int casus_path(position from, position to, position **cells) {
    int length = 0, source, here, beside[4];
    *cells = room(0);
    if (casus_distance(from, to) < 1) return 0;
    source = from.y * casus_width + from.x;
    const int *paid = reach_from(source);
    free(*cells);
    *cells = room(sizeof(position) * (size_t)casus_width * casus_height);
    for (here = to.y * casus_width + to.x; here != source;) {
        (*cells)[length++] = (position){here % casus_width, here / casus_width};
        int n = around(here, beside), k = 0;
        while (k < n - 1 && (paid[beside[k]] < 0 || paid[beside[k]] + price_at(beside[k]) != paid[here])) k++;
        here = beside[k];
    }
    for (int k = 0; k < length / 2; k++) {
        position swapped = (*cells)[k];
        (*cells)[k] = (*cells)[length - 1 - k];
        (*cells)[length - 1 - k] = swapped;
    }
    return length;
}

static int cone(position from, orientation facing, int size, position *seen) {
    int south = (facing == ORIENTATION_SUD) - (facing == ORIENTATION_NORD);
    int east = (facing == ORIENTATION_EST) - (facing == ORIENTATION_OUEST);
    int n = 0;
    char blocked[32] = {0}; /* columns, the middle one is 16 */
    for (int i = 0; i <= size; i++) {
        for (int j = -i - 1; j <= i + 1; j++) {
            position there = {from.x + i * east + j * south, from.y + i * south + j * east};
            if (blocked[16 + j] || !casus_on_map(there)) continue;
            char letter = casus_letter(there);
            if (letter == '#') blocked[16 + j] = i > 0;
            else if (letter == 'F' && i + abs(j) > 1) blocked[16 + j] = 1;
            else seen[n++] = there;
        }
    }
    return n;
}

int casus_square(position from, int size, position *seen) {
    int n = 0;
    for (int x = from.x - size; x <= from.x + size; x++) {
        for (int y = from.y - size; y <= from.y + size; y++) {
            position there = {x, y};
            if (casus_on_map(there) && casus_letter(there) != '#' && casus_letter(there) != 'F') seen[n++] = there;
        }
    }
    return n;
}

int casus_sight(position from, orientation facing, int size, position *seen) {
    return casus_letter(from) == 'T' ? casus_square(from, size, seen) : cone(from, facing, size, seen);
}
