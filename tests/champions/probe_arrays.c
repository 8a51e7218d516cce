/* The probe (see probe.py) in C, with the arrays of the contest's later tools. */
#include <stdio.h>
#include <string.h>

#include "api.h"

static void show_cells(position_array found) {
    for (size_t k = 0; k < found.length; k++) printf("%s%d,%d", k ? " " : "", found.datas[k].x, found.datas[k].y);
    free(found.datas);
}

static void one_info(perso_info perso) {
    printf("%d/%d/%d/%d", perso.equipe, perso.classe, perso.vie, perso.direction);
}

static void carte_zone_perso_of(position pos) {
    perso_info_array found = carte_zone_perso(pos);
    for (size_t k = 0; k < found.length; k++) {
        if (k) printf(" ");
        one_info(found.datas[k]);
    }
    free(found.datas);
}

static void scores_of(void) {
    int_array found = scores();
    for (size_t k = 0; k < found.length; k++) printf("%s%d", k ? " " : "", found.datas[k]);
    free(found.datas);
}

static void chemin_of(position a, position b) { show_cells(chemin(a, b)); }
static void penombre_of(perso_info perso) { show_cells(perso_penombre(perso)); }
static void vision_of(perso_info perso) { show_cells(perso_vision(perso)); }
static void voit_of(perso_info perso) { show_cells(perso_vision_personnages(perso)); }
static void palantir_of(void) { show_cells(palantir_vision()); }
static void elfe_of(void) { show_cells(elfe_vision()); }
static void one_cell(position cell) { printf("%d,%d", cell.x, cell.y); }
static int move_of(perso_info perso, position *path, int length, orientation direction) {
    position_array given = {path, (size_t)length};
    return perso_deplace(perso, given, direction);
}

#include "probe.inc"
