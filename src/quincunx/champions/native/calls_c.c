/* The contest's calls for C, in one of the two ways in which its tools handed over arrays: prologin.h, or api.h with
   CASUS_ARRAYS. */
#ifdef CASUS_ARRAYS
#include "api.h"
#define LIST(type, name, parameters, asked)                                                                              \
    type##_array name parameters {                                                                                       \
        type##_array found;                                                                                              \
        type **list = &found.datas;                                                                                      \
        found.length = (size_t)asked;                                                                                    \
        return found;                                                                                                    \
    }
#define TAKES(type, ...) (__VA_ARGS__)
#define TAKES_NOTHING(type) (void)
#else
#include "prologin.h"
#define TAKES(type, ...) (__VA_ARGS__, type **ret_arr, size_t *ret_len)
#define TAKES_NOTHING(type) (type **ret_arr, size_t *ret_len)
#define LIST(type, name, parameters, asked)                                                                              \
    void name parameters {                                                                                               \
        type **list = ret_arr;                                                                                           \
        *ret_len = (size_t)asked;                                                                                        \
    }
#endif

#include "casus_answers.h"

LIST(perso_info, carte_zone_perso, TAKES(perso_info, position pos), casus_carte_zone_perso(pos, list))
LIST(position, chemin, TAKES(position, position p1, position p2), casus_chemin(p1, p2, list))
LIST(position, perso_penombre, TAKES(position, perso_info perso), casus_perso_penombre(perso, list))
LIST(position, perso_vision, TAKES(position, perso_info perso), casus_perso_vision(perso, list))
LIST(position, perso_vision_personnages, TAKES(position, perso_info perso), casus_perso_vision_personnages(perso, list))
LIST(position, palantir_vision, TAKES_NOTHING(position), casus_palantir_vision(list))
LIST(position, elfe_vision, TAKES_NOTHING(position), casus_elfe_vision(list))
LIST(int, scores, TAKES_NOTHING(int), casus_scores(list))

#ifdef CASUS_ARRAYS
erreur perso_deplace(perso_info perso, position_array chemin, orientation direction) {
    return casus_perso_deplace(perso, chemin.datas, (int)chemin.length, direction);
}
#else
erreur perso_deplace(perso_info perso, position *chemin_arr, size_t chemin_len, orientation direction) {
    return casus_perso_deplace(perso, chemin_arr, (int)chemin_len, direction);
}
#endif

position carte_taille(void) { return casus_carte_taille(); }
position carte_depart(void) { return casus_carte_depart(); }
zone_type carte_zone_type(position pos) { return casus_carte_zone_type(pos); }
int distance(position p1, position p2) { return casus_distance(p1, p2); }
erreur perso_attaque(perso_info perso, attaque_type attaque, position pos) { return casus_perso_attaque(perso, attaque, pos); }
int perso_attaque_recharge(perso_info perso, attaque_type attaque) { return casus_perso_attaque_recharge(perso, attaque); }
position perso_position(perso_info perso) { return casus_perso_position(perso); }
perso_info perso_classe_info(perso_classe classe) { return casus_perso_classe_info(classe); }
int mon_equipe(void) { return casus_mon_equipe(); }
int nombre_equipes(void) { return casus_nombre_equipes(); }
int tour_actuel(void) { return casus_tour_actuel(); }
int nombre_tours_placement(void) { return casus_nombre_tours_placement(); }
int nombre_tours(void) { return casus_nombre_tours(); }

void afficher_perso_classe(perso_classe v) { casus_afficher_perso_classe(v); }
void afficher_zone_type(zone_type v) { casus_afficher_zone_type(v); }
void afficher_attaque_type(attaque_type v) { casus_afficher_attaque_type(v); }
void afficher_orientation(orientation v) { casus_afficher_orientation(v); }
void afficher_erreur(erreur v) { casus_afficher_erreur(v); }
void afficher_position(position v) { casus_afficher_position(v); }
void afficher_perso_info(perso_info v) { casus_afficher_perso_info(v); }
