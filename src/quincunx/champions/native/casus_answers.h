/* The contest's calls as the bindings of both languages need them, and what the dialogue needs of their answers. */
#ifndef CASUS_ANSWERS_H
#define CASUS_ANSWERS_H

#include "casus_contest.h"
#include "casus_json.h"

#ifdef __cplusplus
extern "C" {
#endif

/* For the dialogue. */
void casus_begin(int seat);
void casus_take(const json *shown, const json *story); /* what an update says */
void casus_forget_orders(void);
int casus_number_of_orders(void);
const char *casus_order(int number); /* in our notation, in the order in which they were given */

/* Arrays are new, and the caller frees them; the number of their elements is the result. */
position casus_carte_taille(void);
position casus_carte_depart(void);
zone_type casus_carte_zone_type(position pos);
int casus_carte_zone_perso(position pos, perso_info **found);
int casus_chemin(position p1, position p2, position **found);
int casus_distance(position p1, position p2);
erreur casus_perso_deplace(perso_info perso, const position *chemin, int length, orientation direction);
int casus_perso_penombre(perso_info perso, position **found);
int casus_perso_vision(perso_info perso, position **found);
int casus_perso_vision_personnages(perso_info perso, position **found);
int casus_palantir_vision(position **found);
int casus_elfe_vision(position **found);
erreur casus_perso_attaque(perso_info perso, attaque_type attaque, position pos);
int casus_perso_attaque_recharge(perso_info perso, attaque_type attaque);
position casus_perso_position(perso_info perso);
perso_info casus_perso_classe_info(perso_classe classe);
int casus_mon_equipe(void);
int casus_scores(int **found);
int casus_nombre_equipes(void);
int casus_tour_actuel(void);
int casus_nombre_tours_placement(void);
int casus_nombre_tours(void);

/* The names of values, for the contest's afficher_…; they write to stderr. */
void casus_afficher_perso_classe(perso_classe v);
void casus_afficher_zone_type(zone_type v);
void casus_afficher_attaque_type(attaque_type v);
void casus_afficher_orientation(orientation v);
void casus_afficher_erreur(erreur v);
void casus_afficher_position(position v);
void casus_afficher_perso_info(perso_info v);

#ifdef __cplusplus
}
#endif

#endif
