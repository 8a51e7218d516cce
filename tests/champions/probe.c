/* The probe (see probe.py) in C, with the arrays of the contest of 2012. */
#include <stdio.h>
#include <string.h>

#include "prologin.h"

#define ASK(type, call)         \
    type *list;                 \
    size_t length;              \
    call;                       \
    probe_##type(list, length); \
    free(list);

static void probe_position(const position *list, size_t length) {
    for (size_t k = 0; k < length; k++) printf("%s%d,%d", k ? " " : "", list[k].x, list[k].y);
}

static void probe_perso_info(const perso_info *list, size_t length) {
    for (size_t k = 0; k < length; k++)
        printf("%s%d/%d/%d/%d", k ? " " : "", list[k].equipe, list[k].classe, list[k].vie, list[k].direction);
}

static void probe_int(const int *list, size_t length) {
    for (size_t k = 0; k < length; k++) printf("%s%d", k ? " " : "", list[k]);
}

static void carte_zone_perso_of(position pos) { ASK(perso_info, carte_zone_perso(pos, &list, &length)) }
static void chemin_of(position a, position b) { ASK(position, chemin(a, b, &list, &length)) }
static void penombre_of(perso_info perso) { ASK(position, perso_penombre(perso, &list, &length)) }
static void vision_of(perso_info perso) { ASK(position, perso_vision(perso, &list, &length)) }
static void voit_of(perso_info perso) { ASK(position, perso_vision_personnages(perso, &list, &length)) }
static void palantir_of(void) { ASK(position, palantir_vision(&list, &length)) }
static void elfe_of(void) { ASK(position, elfe_vision(&list, &length)) }
static void scores_of(void) { ASK(int, scores(&list, &length)) }
static void one_cell(position cell) { probe_position(&cell, 1); }
static void one_info(perso_info perso) { probe_perso_info(&perso, 1); }
static int move_of(perso_info perso, position *path, int length, orientation direction) {
    return perso_deplace(perso, path, (size_t)length, direction);
}

#include "probe.inc"
