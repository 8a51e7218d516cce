// The probe (see probe.py) in C++.
#include "prologin.hh"

#include <cstdio>
#include <cstdlib>
#include <cstring>

static void show_cells(const std::vector<position>& found) {
    for (size_t k = 0; k < found.size(); k++) printf("%s%d,%d", k ? " " : "", found[k].x, found[k].y);
}

static void one_info(perso_info perso) {
    printf("%d/%d/%d/%d", perso.equipe, perso.classe, perso.vie, perso.direction);
}

static void carte_zone_perso_of(position pos) {
    bool first = true;
    for (perso_info perso : carte_zone_perso(pos)) {
        if (!first) printf(" ");
        one_info(perso);
        first = false;
    }
}

static void scores_of() {
    const std::vector<int> found = scores();
    for (size_t k = 0; k < found.size(); k++) printf("%s%d", k ? " " : "", found[k]);
}

static void chemin_of(position a, position b) { show_cells(chemin(a, b)); }
static void penombre_of(perso_info perso) { show_cells(perso_penombre(perso)); }
static void vision_of(perso_info perso) { show_cells(perso_vision(perso)); }
static void voit_of(perso_info perso) { show_cells(perso_vision_personnages(perso)); }
static void palantir_of() { show_cells(palantir_vision()); }
static void elfe_of() { show_cells(elfe_vision()); }
static void one_cell(position cell) { printf("%d,%d", cell.x, cell.y); }
static int move_of(perso_info perso, position* path, int length, orientation direction) {
    return perso_deplace(perso, std::vector<position>(path, path + length), direction);
}

#include "probe.inc"
