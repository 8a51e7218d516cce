/* The contest's afficher_…: a value in words, on stderr. */
#include <stdio.h>

#include "casus_answers.h"

static const char *const CLASSES[] = {"PERSO_VOLEUR", "PERSO_BARBARE", "PERSO_ELFE"};
static const char *const ZONES[] = {"ZONE_HERBE", "ZONE_ROUTE", "ZONE_FORET", "ZONE_MARAIS",
                                    "ZONE_MUR",   "ZONE_TOUR",  "ZONE_ERREUR"};
static const char *const ATTACKS[] = {"ATTAQUE_NORMALE",    "ATTAQUE_PALANTIR", "ATTAQUE_TRAITRISE", "ATTAQUE_BASTOOOON",
                                      "ATTAQUE_FUS_RO_DAH", "ATTAQUE_I_SEE",    "ATTAQUE_LOTO"};
static const char *const FACINGS[] = {"ORIENTATION_NORD", "ORIENTATION_EST", "ORIENTATION_SUD", "ORIENTATION_OUEST"};
static const char *const ERRORS[] = {"POSITION_IMPOSSIBLE", "PERSONNAGE_IMPOSSIBLE", "CHEMIN_IMPOSSIBLE",
                                     "ATTAQUE_INDISPONIBLE", "OK"};

#define NAME(names, v) ((int)(v) >= 0 && (int)(v) < (int)(sizeof names / sizeof *names) ? names[v] : "?")

void casus_afficher_perso_classe(perso_classe v) {
    fprintf(stderr, "%s\n", NAME(CLASSES, v));
}

void casus_afficher_zone_type(zone_type v) {
    fprintf(stderr, "%s\n", NAME(ZONES, v));
}

void casus_afficher_attaque_type(attaque_type v) {
    fprintf(stderr, "%s\n", NAME(ATTACKS, v));
}

void casus_afficher_orientation(orientation v) {
    fprintf(stderr, "%s\n", NAME(FACINGS, v));
}

void casus_afficher_erreur(erreur v) {
    fprintf(stderr, "%s\n", NAME(ERRORS, v));
}

void casus_afficher_position(position v) {
    fprintf(stderr, "{ x=%d, y=%d }\n", v.x, v.y);
}

void casus_afficher_perso_info(perso_info v) {
    fprintf(stderr, "{ equipe=%d, classe=%s, vie=%d, direction=%s }\n", v.equipe, NAME(CLASSES, v.classe), v.vie,
            NAME(FACINGS, v.direction));
}
