/* What a champion in C includes, as the contest of 2012 had it: an array comes back through two pointers, is allocated
   with malloc, and is the champion's to free. */
#ifndef PROLOGIN_H
#define PROLOGIN_H

#include <stdlib.h>

#include "casus_contest.h"

position carte_taille(void);
position carte_depart(void);
zone_type carte_zone_type(position pos);
void carte_zone_perso(position pos, perso_info **ret_arr, size_t *ret_len);
int distance(position p1, position p2);
void chemin(position p1, position p2, position **ret_arr, size_t *ret_len);
erreur perso_deplace(perso_info perso, position *chemin_arr, size_t chemin_len, orientation direction);
void perso_penombre(perso_info perso, position **ret_arr, size_t *ret_len);
void perso_vision(perso_info perso, position **ret_arr, size_t *ret_len);
void perso_vision_personnages(perso_info perso, position **ret_arr, size_t *ret_len);
void palantir_vision(position **ret_arr, size_t *ret_len);
void elfe_vision(position **ret_arr, size_t *ret_len);
erreur perso_attaque(perso_info perso, attaque_type attaque, position pos);
int perso_attaque_recharge(perso_info perso, attaque_type attaque);
position perso_position(perso_info perso);
perso_info perso_classe_info(perso_classe classe);
int mon_equipe(void);
void scores(int **ret_arr, size_t *ret_len);
int nombre_equipes(void);
int tour_actuel(void);
int nombre_tours_placement(void);
int nombre_tours(void);

void afficher_perso_classe(perso_classe v);
void afficher_zone_type(zone_type v);
void afficher_attaque_type(attaque_type v);
void afficher_orientation(orientation v);
void afficher_erreur(erreur v);
void afficher_position(position v);
void afficher_perso_info(perso_info v);

void partie_init(void);
void jouer_placement(void);
void jouer_deplacement(void);
void jouer_attaque(void);
void partie_fin(void);

#endif
