/* Le Marcheur: a champion of Casus Belli as it was written for the contest, in C.
   Everybody walks to the start cell and looks around there; whatever is seen is struck. */
#include <stdio.h>

#include "prologin.h"

static const perso_classe CLASSES[3] = {PERSO_VOLEUR, PERSO_BARBARE, PERSO_ELFE};
static const int POINTS[3] = {VOLEUR_DEPLACEMENT, BARBARE_DEPLACEMENT, ELFE_DEPLACEMENT};

static void marche_vers(perso_info perso, position but, orientation direction)
{
    position ici = perso_position(perso), *cases;
    size_t nombre, pas = 0;
    chemin(ici, but, &cases, &nombre);
    while (pas < nombre && distance(ici, cases[pas]) <= POINTS[perso.classe])
        pas++;
    perso_deplace(perso, cases, pas, direction);
    free(cases);
}

static int ennemis_sur(position pos)
{
    perso_info *la;
    size_t nombre;
    int ennemis = 0;
    carte_zone_perso(pos, &la, &nombre);
    for (size_t i = 0; i < nombre; i++)
        ennemis += la[i].equipe != mon_equipe();
    free(la);
    return ennemis;
}

/* The first cell in its sight on which there is an enemy. */
static int cible_de(perso_info perso, position *cible)
{
    position *vues;
    size_t nombre, i = 0;
    perso_vision_personnages(perso, &vues, &nombre);
    while (i < nombre && !ennemis_sur(vues[i]))
        i++;
    if (i < nombre)
        *cible = vues[i];
    free(vues);
    return i < nombre;
}

void partie_init(void)
{
    printf("team %d of %d\n", mon_equipe(), nombre_equipes());
}

void jouer_placement(void)
{
    position taille = carte_taille();
    for (int i = 0; i < 3; i++) {
        position coin = {(mon_equipe() + i) % 2 ? taille.x - 2 : 1, i == 1 ? taille.y - 2 : 1};
        marche_vers(perso_classe_info(CLASSES[i]), coin, ORIENTATION_SUD);
    }
}

void jouer_deplacement(void)
{
    for (int i = 0; i < 3; i++)
        marche_vers(perso_classe_info(CLASSES[i]), carte_depart(), (orientation)((tour_actuel() + i) % 4));
}

void jouer_attaque(void)
{
    for (int i = 0; i < 3; i++) {
        perso_info perso = perso_classe_info(CLASSES[i]);
        position ici = perso_position(perso), cible;
        if (i == 0 && ennemis_sur(ici) && perso_attaque(perso, ATTAQUE_TRAITRISE, ici) == OK)
            continue;
        if (cible_de(perso, &cible) && (cible.x != ici.x || cible.y != ici.y))
            perso_attaque(perso, ATTAQUE_NORMALE, cible);
        else if (i == 2)
            perso_attaque(perso, ATTAQUE_LOTO, carte_depart());
    }
}

void partie_fin(void)
{
    int *points;
    size_t nombre;
    scores(&points, &nombre);
    printf("my score: %d\n", points[mon_equipe()]);
    free(points);
}
