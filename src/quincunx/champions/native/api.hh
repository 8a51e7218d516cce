// What a champion in C++ includes: the contest's calls, with vectors, and comparisons and hashes of its records.
#ifndef CASUS_API_HH
#define CASUS_API_HH

#include <cstddef>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "casus_contest.h"

position carte_taille();
position carte_depart();
zone_type carte_zone_type(position pos);
std::vector<perso_info> carte_zone_perso(position pos);
int distance(position p1, position p2);
std::vector<position> chemin(position p1, position p2);
erreur perso_deplace(perso_info perso, std::vector<position> chemin, orientation direction);
std::vector<position> perso_penombre(perso_info perso);
std::vector<position> perso_vision(perso_info perso);
std::vector<position> perso_vision_personnages(perso_info perso);
std::vector<position> palantir_vision();
std::vector<position> elfe_vision();
erreur perso_attaque(perso_info perso, attaque_type attaque, position pos);
int perso_attaque_recharge(perso_info perso, attaque_type attaque);
position perso_position(perso_info perso);
perso_info perso_classe_info(perso_classe classe);
int mon_equipe();
std::vector<int> scores();
int nombre_equipes();
int tour_actuel();
int nombre_tours_placement();
int nombre_tours();

void afficher_perso_classe(perso_classe v);
void afficher_zone_type(zone_type v);
void afficher_attaque_type(attaque_type v);
void afficher_orientation(orientation v);
void afficher_erreur(erreur v);
void afficher_position(position v);
void afficher_perso_info(perso_info v);

extern "C" {
void partie_init();
void jouer_placement();
void jouer_deplacement();
void jouer_attaque();
void partie_fin();
}

// Comparisons. As templates they stand back where a champion has its own.

template <typename A, typename B, typename T>
using casus_both = typename std::enable_if<std::is_same<A, T>::value && std::is_same<B, T>::value, bool>::type;

template <typename A, typename B>
casus_both<A, B, position> operator==(const A& a, const B& b) { return a.x == b.x && a.y == b.y; }
template <typename A, typename B>
casus_both<A, B, position> operator!=(const A& a, const B& b) { return !(a == b); }
template <typename A, typename B>
casus_both<A, B, position> operator<(const A& a, const B& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; }
template <typename A, typename B>
casus_both<A, B, position> operator>(const A& a, const B& b) { return b < a; }

template <typename A, typename B>
casus_both<A, B, perso_info> operator==(const A& a, const B& b) {
    return a.equipe == b.equipe && a.classe == b.classe && a.vie == b.vie && a.direction == b.direction;
}
template <typename A, typename B>
casus_both<A, B, perso_info> operator!=(const A& a, const B& b) { return !(a == b); }
template <typename A, typename B>
casus_both<A, B, perso_info> operator<(const A& a, const B& b) {
    if (a.equipe != b.equipe) return a.equipe < b.equipe;
    if (a.classe != b.classe) return a.classe < b.classe;
    return a.vie != b.vie ? a.vie < b.vie : a.direction < b.direction;
}
template <typename A, typename B>
casus_both<A, B, perso_info> operator>(const A& a, const B& b) { return b < a; }

namespace std {
#ifndef CASUS_WITHOUT_HASH_POSITION
template <>
struct hash<position> {
    size_t operator()(const position& of) const { return hash<int>()(of.x * 65599 + of.y); }
};
#endif
#ifndef CASUS_WITHOUT_HASH_PERSO_INFO
template <>
struct hash<perso_info> {
    size_t operator()(const perso_info& of) const {
        return hash<int>()(((of.equipe * 4 + of.classe) * 64 + of.vie) * 4 + of.direction);
    }
};
#endif
#ifndef CASUS_WITHOUT_HASH_VECTOR
template <typename T>
struct hash<vector<T>> {
    size_t operator()(const vector<T>& of) const {
        size_t found = of.size();
        for (const T& each : of) found = found * 1000003 ^ hash<T>()(each);
        return found;
    }
};
#endif
}

#endif
