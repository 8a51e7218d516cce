// The contest's calls for C++; and under the names with api_ in front, which the contest's own header of 2012 called.
#include "api.hh"

#include <cstdlib>

#include "casus_answers.h"

namespace {

template <typename T>
std::vector<T> taken(T* list, int length) {
    std::vector<T> copy(list, list + length);
    std::free(list);
    return copy;
}

}  // namespace

#define LIST(type, name, parameters, asked)                                                                              \
    std::vector<type> name parameters {                                                                                  \
        type* list;                                                                                                      \
        const int length = asked;                                                                                        \
        return taken(list, length);                                                                                      \
    }
#define BOTH(type, name, parameters, given)                                                                              \
    type name parameters { return casus_##name given; }                                                                  \
    extern "C" type api_##name parameters { return casus_##name given; }
#define BOTH_LISTS(type, name, parameters, given, asked)                                                                 \
    LIST(type, name, parameters, asked)                                                                                  \
    extern "C" std::vector<type> api_##name parameters { return name given; }

#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wreturn-type-c-linkage"

BOTH_LISTS(perso_info, carte_zone_perso, (position pos), (pos), casus_carte_zone_perso(pos, &list))
BOTH_LISTS(position, chemin, (position p1, position p2), (p1, p2), casus_chemin(p1, p2, &list))
BOTH_LISTS(position, perso_penombre, (perso_info perso), (perso), casus_perso_penombre(perso, &list))
BOTH_LISTS(position, perso_vision, (perso_info perso), (perso), casus_perso_vision(perso, &list))
BOTH_LISTS(position, perso_vision_personnages, (perso_info perso), (perso), casus_perso_vision_personnages(perso, &list))
BOTH_LISTS(position, palantir_vision, (), (), casus_palantir_vision(&list))
BOTH_LISTS(position, elfe_vision, (), (), casus_elfe_vision(&list))
BOTH_LISTS(int, scores, (), (), casus_scores(&list))

erreur perso_deplace(perso_info perso, std::vector<position> chemin, orientation direction) {
    return casus_perso_deplace(perso, chemin.data(), static_cast<int>(chemin.size()), direction);
}
extern "C" erreur api_perso_deplace(perso_info perso, std::vector<position> chemin, orientation direction) {
    return perso_deplace(perso, chemin, direction);
}

BOTH(position, carte_taille, (), ())
BOTH(position, carte_depart, (), ())
BOTH(zone_type, carte_zone_type, (position pos), (pos))
BOTH(int, distance, (position p1, position p2), (p1, p2))
BOTH(erreur, perso_attaque, (perso_info perso, attaque_type attaque, position pos), (perso, attaque, pos))
BOTH(int, perso_attaque_recharge, (perso_info perso, attaque_type attaque), (perso, attaque))
BOTH(position, perso_position, (perso_info perso), (perso))
BOTH(perso_info, perso_classe_info, (perso_classe classe), (classe))
BOTH(int, mon_equipe, (), ())
BOTH(int, nombre_equipes, (), ())
BOTH(int, tour_actuel, (), ())
BOTH(int, nombre_tours_placement, (), ())
BOTH(int, nombre_tours, (), ())

BOTH(void, afficher_perso_classe, (perso_classe v), (v))
BOTH(void, afficher_zone_type, (zone_type v), (v))
BOTH(void, afficher_attaque_type, (attaque_type v), (v))
BOTH(void, afficher_orientation, (orientation v), (v))
BOTH(void, afficher_erreur, (erreur v), (v))
BOTH(void, afficher_position, (position v), (v))
BOTH(void, afficher_perso_info, (perso_info v), (v))
