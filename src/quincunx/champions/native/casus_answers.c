/* The contest's calls, answered from what the last update showed, and the orders that a champion gave so far.

   An order is checked here, as the contest checked it, because a champion is told at once what became of it; one that
   stands is kept in our notation until the champion has done with its phase. */
#include "casus_answers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "casus_ground.h"

#define NOWHERE ((position){-1, -1})

typedef struct unit {
    position at;
    perso_info info;
} unit;

typedef struct cells {
    position *items;
    int length;
} cells;

static const char *const ROLES[] = {"thief", "barbarian", "elf"};
static const char *const WORDS[] = {"attack", "palantir", "treachery", "bastoooon", "fus", "reveal", "loto"};
static const int SIGHT[] = {VOLEUR_VISION_PORTEE, BARBARE_VISION_PORTEE, ELFE_VISION_PORTEE};
static const int MOVEMENT[] = {VOLEUR_DEPLACEMENT, BARBARE_DEPLACEMENT, ELFE_DEPLACEMENT};

static int seat, turn, turns, placement, teams, number_of_units, number_of_orders;
static int *points;
static unit *units, own[3];
static int cooldowns[3][2];
static char phase[16], *seen, orders[3][80];
static int ordered[3]; /* was this class given an order? */
static position start, palantir, revealed;
static cells penumbra[3];

static void *room(size_t bytes) {
    void *made = malloc(bytes ? bytes : 1);
    if (!made) abort();
    return made;
}

static position cell_of(const char *name) {
    position read = NOWHERE;
    if (sscanf(name, "%d,%d", &read.x, &read.y) != 2) return NOWHERE;
    return read;
}

static int role_of(const json *value) {
    for (int k = 0; k < 3; k++)
        if (!strcmp(json_string(value), ROLES[k])) return k;
    return 0;
}

static orientation facing_of(const json *value) {
    switch (json_string(value)[0]) {
    case 'E': return ORIENTATION_EST;
    case 'S': return ORIENTATION_SUD;
    case 'W': return ORIENTATION_OUEST;
    default: return ORIENTATION_NORD;
    }
}

static int same(position a, position b) {
    return a.x == b.x && a.y == b.y;
}

/* -- what an update says ---------------------------------------------------------------------------------------- */

void casus_begin(int mine) {
    seat = mine;
    phase[0] = '\0';
}

static void read_penumbra(int role, const json *list) {
    free(penumbra[role].items);
    penumbra[role].items = room(sizeof(position) * (size_t)json_length(list));
    penumbra[role].length = 0;
    for (const json *cell = list ? list->first : NULL; cell; cell = cell->next)
        penumbra[role].items[penumbra[role].length++] = cell_of(json_string(cell));
}

/* It is of the last moves: as the view has it, otherwise as it was told when they were made. */
static void note(const json *view, const json *story) {
    const json *mine = json_get(view, "own");
    if (mine && mine->first && json_get(mine->first, "penumbra")) {
        for (const json *one = mine->first; one; one = one->next)
            read_penumbra(role_of(json_get(one, "role")), json_get(one, "penumbra"));
        return;
    }
    int new_phase = turn != json_int(json_get(view, "turn")) || strcmp(phase, json_string(json_get(view, "phase")));
    if (!new_phase || (strcmp(phase, "placement") && strcmp(phase, "moves"))) return;
    for (int role = 0; role < 3; role++) read_penumbra(role, NULL);
    for (const json *event = story ? story->first : NULL; event; event = event->next)
        if (!strcmp(json_string(json_get(event, "kind")), "penumbra"))
            read_penumbra(role_of(json_get(event, "role")), json_get(event, "cells"));
}

static void read_units(const json *list) {
    free(units);
    units = room(sizeof(unit) * (size_t)json_length(list));
    number_of_units = 0;
    for (const json *one = list ? list->first : NULL; one; one = one->next) {
        unit read = {
            cell_of(json_string(json_get(one, "cell"))),
            {json_int(json_get(one, "team")), (perso_classe)role_of(json_get(one, "role")),
             json_int(json_get(one, "health")), facing_of(json_get(one, "facing"))},
        };
        units[number_of_units++] = read;
        if (read.info.equipe == seat) own[read.info.classe] = read;
    }
}

void casus_take(const json *view, const json *story) {
    const json *rows = json_get(view, "sight"), *scored = json_get(view, "points");
    casus_set_ground(json_get(view, "rows"));
    note(view, story);
    turn = json_int(json_get(view, "turn"));
    turns = json_int(json_get(view, "turns"));
    placement = json_int(json_get(view, "placement"));
    snprintf(phase, sizeof phase, "%s", json_string(json_get(view, "phase")));
    start = cell_of(json_string(json_get(view, "start")));
    palantir = cell_of(json_string(json_get(view, "palantir")));
    revealed = cell_of(json_string(json_get(view, "revealed")));
    read_units(json_get(view, "units"));
    free(points);
    points = room(sizeof(int) * (size_t)json_length(scored));
    teams = 0;
    for (const json *one = scored ? scored->first : NULL; one; one = one->next) points[teams++] = json_int(one);
    free(seen);
    seen = room((size_t)casus_width * casus_height + 1);
    int y = 0;
    for (const json *row = rows ? rows->first : NULL; row && y < casus_height; row = row->next, y++)
        memcpy(seen + y * casus_width, json_string(row), (size_t)casus_width);
    const json *mine = json_get(view, "own");
    for (const json *one = mine ? mine->first : NULL; one; one = one->next) {
        const json *two = json_get(one, "cooldowns");
        int role = role_of(json_get(one, "role"));
        cooldowns[role][0] = json_int(two ? two->first : NULL);
        cooldowns[role][1] = json_int(two && two->first ? two->first->next : NULL);
    }
}

void casus_forget_orders(void) {
    number_of_orders = 0;
    memset(ordered, 0, sizeof ordered);
}

int casus_number_of_orders(void) {
    return number_of_orders;
}

const char *casus_order(int number) {
    return orders[number];
}

/* -- the map ---------------------------------------------------------------------------------------------------- */

position casus_carte_taille(void) {
    return (position){casus_width, casus_height};
}

position casus_carte_depart(void) {
    return start;
}

zone_type casus_carte_zone_type(position pos) {
    if (!casus_on_map(pos)) return ZONE_ERREUR;
    switch (casus_letter(pos)) {
    case '_': return ZONE_ROUTE;
    case 'F': return ZONE_FORET;
    case '~': return ZONE_MARAIS;
    case '#': return ZONE_MUR;
    case 'T': return ZONE_TOUR;
    default: return ZONE_HERBE; /* a hotspot is grass */
    }
}

int casus_carte_zone_perso(position pos, perso_info **found) {
    int n = 0;
    *found = room(sizeof(perso_info) * (size_t)number_of_units);
    for (int k = 0; k < number_of_units; k++)
        if (same(units[k].at, pos)) (*found)[n++] = units[k].info;
    return n;
}

int casus_chemin(position p1, position p2, position **found) {
    return casus_path(p1, p2, found);
}

/* -- one's units ------------------------------------------------------------------------------------------------ */

static int is_mine(perso_info perso) {
    return perso.equipe == seat && (int)perso.classe >= 0 && (int)perso.classe <= 2;
}

perso_info casus_perso_classe_info(perso_classe classe) {
    if ((int)classe < 0 || (int)classe > 2) return (perso_info){-1, PERSO_VOLEUR, -1, ORIENTATION_NORD};
    return own[classe].info;
}

position casus_perso_position(perso_info perso) {
    return is_mine(perso) ? own[perso.classe].at : NOWHERE;
}

static int standing(position at) {
    for (int k = 0; k < number_of_units; k++)
        if (same(units[k].at, at)) return 1;
    return 0;
}

static int with_units(position *list, int length) {
    int n = 0;
    for (int k = 0; k < length; k++)
        if (standing(list[k])) list[n++] = list[k];
    return n;
}

int casus_perso_vision(perso_info perso, position **found) {
    *found = room(sizeof(position) * CASUS_MOST_SEEN);
    if (!is_mine(perso)) return 0;
    const unit *eye = &own[perso.classe];
    return casus_sight(eye->at, eye->info.direction, SIGHT[perso.classe], *found);
}

int casus_perso_vision_personnages(perso_info perso, position **found) {
    int n = casus_perso_vision(perso, found);
    return with_units(*found, n);
}

int casus_perso_penombre(perso_info perso, position **found) {
    int n = is_mine(perso) ? penumbra[perso.classe].length : 0;
    *found = room(sizeof(position) * (size_t)n);
    if (n) memcpy(*found, penumbra[perso.classe].items, sizeof(position) * (size_t)n);
    return n;
}

static int square_vision(position middle, int size, position **found) {
    *found = room(sizeof(position) * CASUS_MOST_SEEN);
    if (same(middle, NOWHERE)) return 0;
    return with_units(*found, casus_square(middle, size, *found));
}

int casus_palantir_vision(position **found) {
    return square_vision(palantir, VOLEUR_VISION_PORTEE, found);
}

int casus_elfe_vision(position **found) {
    return square_vision(revealed, ELFE_VISION_PORTEE, found);
}

/* -1: the class does not have this attack. */
static int cooldown(perso_classe classe, attaque_type attaque) {
    int ability = (int)attaque - 1 - 2 * (int)classe;
    if (attaque == ATTAQUE_NORMALE) return 0;
    return ability == 0 || ability == 1 ? cooldowns[classe][ability] : -1;
}

int casus_perso_attaque_recharge(perso_info perso, attaque_type attaque) {
    return is_mine(perso) ? cooldown(perso.classe, attaque) : -1;
}

/* -- orders ----------------------------------------------------------------------------------------------------- */

/* Writes the steps in letters; their number, or -1 if the unit cannot walk so. */
static int steps_of(perso_classe classe, const position *path, int length, char *steps) {
    position here = own[classe].at;
    int left = MOVEMENT[classe];
    for (int k = 0; k < length; k++) {
        int dx = path[k].x - here.x, dy = path[k].y - here.y;
        left -= casus_price(here);
        if (left < 0 || abs(dx) + abs(dy) != 1 || !casus_on_map(path[k]) || casus_letter(path[k]) == '#') return -1;
        steps[k] = dy < 0 ? 'N' : dx > 0 ? 'E' : dy > 0 ? 'S' : 'W';
        here = path[k];
    }
    steps[length] = '\0';
    return length;
}

erreur casus_perso_deplace(perso_info perso, const position *chemin, int length, orientation direction) {
    char steps[16];
    if (!strcmp(phase, "attacks")) return CHEMIN_IMPOSSIBLE;
    if (!is_mine(perso) || ordered[perso.classe]) return PERSONNAGE_IMPOSSIBLE;
    if (length > 10 || (int)direction < 0 || (int)direction > 3) return CHEMIN_IMPOSSIBLE; /* no path has more steps */
    if (steps_of(perso.classe, chemin, length, steps) < 0) return CHEMIN_IMPOSSIBLE;
    ordered[perso.classe] = 1;
    snprintf(orders[number_of_orders++], sizeof orders[0], "%s %s%s%sface %c", ROLES[perso.classe], length ? "path " : "",
             steps, length ? " " : "", "NESW"[direction]);
    return OK;
}

static int is_seen(perso_classe classe, int size, position target) {
    position list[CASUS_MOST_SEEN];
    int n = casus_sight(own[classe].at, own[classe].info.direction, size, list);
    for (int k = 0; k < n; k++)
        if (same(list[k], target)) return 1;
    return 0;
}

static int reaches(perso_classe classe, attaque_type attaque, position target) {
    switch (attaque) {
    case ATTAQUE_TRAITRISE: return same(own[classe].at, target);
    case ATTAQUE_FUS_RO_DAH:
    case ATTAQUE_I_SEE:
    case ATTAQUE_LOTO: return 1;
    case ATTAQUE_BASTOOOON: return is_seen(classe, BARBARE_BASTOOOON_PORTEE, target);
    case ATTAQUE_PALANTIR: return is_seen(classe, VOLEUR_VISION_PORTEE, target);
    default: break;
    }
    if (classe == PERSO_ELFE) return seen[target.y * casus_width + target.x] == 'o';
    return is_seen(classe, classe == PERSO_VOLEUR ? 1 : BARBARE_VISION_PORTEE, target);
}

erreur casus_perso_attaque(perso_info perso, attaque_type attaque, position pos) {
    if (strcmp(phase, "attacks")) return ATTAQUE_INDISPONIBLE;
    if (!is_mine(perso) || ordered[perso.classe]) return PERSONNAGE_IMPOSSIBLE;
    if (cooldown(perso.classe, attaque)) return ATTAQUE_INDISPONIBLE;
    if (!casus_on_map(pos) || !reaches(perso.classe, attaque, pos)) return POSITION_IMPOSSIBLE;
    char aim[32] = "";
    if (attaque != ATTAQUE_TRAITRISE && attaque != ATTAQUE_FUS_RO_DAH) snprintf(aim, sizeof aim, " %d,%d", pos.x, pos.y);
    ordered[perso.classe] = 1;
    snprintf(orders[number_of_orders++], sizeof orders[0], "%s %s%s", ROLES[perso.classe], WORDS[attaque], aim);
    return OK;
}

/* -- the match -------------------------------------------------------------------------------------------------- */

int casus_mon_equipe(void) {
    return seat;
}

int casus_scores(int **found) {
    *found = room(sizeof(int) * (size_t)teams);
    memcpy(*found, points, sizeof(int) * (size_t)teams);
    return teams;
}

int casus_nombre_equipes(void) {
    return teams;
}

int casus_tour_actuel(void) {
    return turn;
}

int casus_nombre_tours_placement(void) {
    return placement;
}

int casus_nombre_tours(void) {
    return turns;
}
