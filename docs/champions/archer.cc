// L'Archer: a champion of Casus Belli as it was written for the contest, in C++.
// The team keeps to its places; the elf shoots at whatever any of them sees, the weakest first.
#include "prologin.hh"

#include <algorithm>
#include <iostream>

static const perso_classe CLASSES[] = {PERSO_VOLEUR, PERSO_BARBARE, PERSO_ELFE};
static const int POINTS[] = {VOLEUR_DEPLACEMENT, BARBARE_DEPLACEMENT, ELFE_DEPLACEMENT};

struct cible
{
    int vie;
    position pos;
};

static std::vector<cible> cibles()
{
    std::vector<position> vues = palantir_vision();
    for (perso_classe classe : CLASSES)
        for (position pos : perso_vision_personnages(perso_classe_info(classe)))
            vues.push_back(pos);
    std::vector<cible> trouvees;
    for (position pos : vues)
        for (perso_info perso : carte_zone_perso(pos))
            if (perso.equipe != mon_equipe())
                trouvees.push_back({perso.vie, pos});
    std::sort(trouvees.begin(), trouvees.end(), [](const cible& a, const cible& b) { return a.vie < b.vie; });
    return trouvees;
}

static void marche_vers(perso_info perso, position but, orientation direction)
{
    const position ici = perso_position(perso);
    std::vector<position> pas;
    for (position pos : chemin(ici, but))
    {
        if (distance(ici, pos) > POINTS[perso.classe])
            break;
        pas.push_back(pos);
    }
    perso_deplace(perso, pas, direction);
}

void partie_init()
{
    std::cout << "team " << mon_equipe() << std::endl;
}

void jouer_placement()
{
    const position taille = carte_taille();
    for (perso_classe classe : CLASSES)
        marche_vers(perso_classe_info(classe), {taille.x / 2, classe + 1}, ORIENTATION_SUD);
}

void jouer_deplacement()
{
    for (perso_classe classe : CLASSES)
    {
        const perso_info perso = perso_classe_info(classe);
        const std::vector<position> traces = perso_penombre(perso);
        const position but = traces.empty() ? perso_position(perso) : traces.back();
        marche_vers(perso, but, static_cast<orientation>((tour_actuel() + classe) % 4));
    }
}

void jouer_attaque()
{
    const perso_info voleur = perso_classe_info(PERSO_VOLEUR), elfe = perso_classe_info(PERSO_ELFE);
    for (const cible& c : cibles())
        for (perso_classe classe : CLASSES)
            if (c.pos != perso_position(perso_classe_info(classe)))
                perso_attaque(perso_classe_info(classe), ATTAQUE_NORMALE, c.pos);
    if (perso_attaque_recharge(voleur, ATTAQUE_PALANTIR) == 0)
        perso_attaque(voleur, ATTAQUE_PALANTIR, perso_position(voleur));
    perso_attaque(elfe, ATTAQUE_LOTO, carte_depart());
}

void partie_fin()
{
    const std::vector<int> points = scores();
    std::cout << "my score: " << points[mon_equipe()] << std::endl;
}
