/* What a champion in C includes, as the contest's tools wrote it in later years: an array is a record with its length.
   Its elements are allocated with malloc, and are the champion's to free. */
#ifndef API_H
#define API_H

#include <stdbool.h>
#include <stdlib.h>

#include "casus_contest.h"

typedef struct position_array {
    position *datas;
    size_t length;
} position_array;

typedef struct perso_info_array {
    perso_info *datas;
    size_t length;
} perso_info_array;

typedef struct int_array {
    int *datas;
    size_t length;
} int_array;

position carte_taille(void);
position carte_depart(void);
zone_type carte_zone_type(position pos);
perso_info_array carte_zone_perso(position pos);
int distance(position p1, position p2);
position_array chemin(position p1, position p2);
erreur perso_deplace(perso_info perso, position_array chemin, orientation direction);
position_array perso_penombre(perso_info perso);
position_array perso_vision(perso_info perso);
position_array perso_vision_personnages(perso_info perso);
position_array palantir_vision(void);
position_array elfe_vision(void);
erreur perso_attaque(perso_info perso, attaque_type attaque, position pos);
int perso_attaque_recharge(perso_info perso, attaque_type attaque);
position perso_position(perso_info perso);
perso_info perso_classe_info(perso_classe classe);
int mon_equipe(void);
int_array scores(void);
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
