/* The map of a match: what lies where, how far it is, and what is seen from a cell. */
#ifndef CASUS_GROUND_H
#define CASUS_GROUND_H

#include "casus_contest.h"
#include "casus_json.h"

#define CASUS_MOST_SEEN 169 /* a square of 13 cells a side is more than any sight */

extern int casus_width, casus_height;

void casus_set_ground(const json *rows);
int casus_on_map(position at);
char casus_letter(position at); /* as map files have it */
int casus_price(position at);   /* points that a step from there costs */

int casus_distance(position from, position to); /* -1 if there is no path */
/* Writes the cells after `from` up to `to`, in a new array that the caller frees; their number. */
int casus_path(position from, position to, position **cells);

/* Write the cells that are seen, in the order in which the contest listed them; their number. */
int casus_sight(position from, orientation facing, int size, position *seen); /* all around on a tower */
int casus_square(position from, int size, position *seen);

#endif
