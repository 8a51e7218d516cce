# Le Guetteur: a champion of Casus Belli as it was written for the contest.
# It spreads out in the placement, walks towards what it glimpsed, and strikes whatever it sees.
from api import *

CLASSES = (PERSO_VOLEUR, PERSO_BARBARE, PERSO_ELFE)
PORTEES = (VOLEUR_DEPLACEMENT, BARBARE_DEPLACEMENT, ELFE_DEPLACEMENT)

coins = []  # where each class goes when it knows nothing better


def partie_init():
    largeur, hauteur = carte_taille()
    coins.extend([(1, 1), (largeur - 2, hauteur // 2), (largeur // 2, hauteur - 2)])
    print("team %d of %d, %d turns" % (mon_equipe(), nombre_equipes(), nombre_tours()))


def marche_vers(perso, but, direction):
    """As far as the points go on a shortest path."""
    ici = perso_position(perso)
    pas = []
    for case in chemin(ici, but):
        if distance(ici, case) > PORTEES[perso.classe]:
            break
        pas.append(case)
    return perso_deplace(perso, pas, direction)


def ennemis_sur(case):
    return [p for p in carte_zone_perso(case) if p.equipe != mon_equipe()]


def amis_autour(case):
    x, y = case
    croix = [(x, y), (x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
    return any(p.equipe == mon_equipe() for c in croix for p in carte_zone_perso(c))


def cases_vues():
    cases = [c for classe in CLASSES for c in perso_vision_personnages(perso_classe_info(classe))]
    return cases + palantir_vision() + elfe_vision()


def jouer_placement():
    for classe in CLASSES:
        marche_vers(perso_classe_info(classe), coins[classe], (tour_actuel() + classe) % 4)


def jouer_deplacement():
    traces = [c for classe in CLASSES for c in perso_penombre(perso_classe_info(classe)) if not amis_autour(c)]
    for classe in CLASSES:
        perso = perso_classe_info(classe)
        ici = perso_position(perso)
        proches = sorted((distance(ici, c), c) for c in traces if 0 < distance(ici, c))
        but = proches[0][1] if proches else carte_depart()
        marche_vers(perso, but, (tour_actuel() + classe) % 4)


def jouer_attaque():
    cibles = [c for c in cases_vues() if ennemis_sur(c)]
    voleur, barbare, elfe = [perso_classe_info(classe) for classe in CLASSES]
    if perso_position(voleur) in cibles and perso_attaque_recharge(voleur, ATTAQUE_TRAITRISE) == 0:
        perso_attaque(voleur, ATTAQUE_TRAITRISE, perso_position(voleur))
    for case in cibles:
        perso_attaque(voleur, ATTAQUE_NORMALE, case)  # what is refused costs nothing: the next one is tried
        perso_attaque(elfe, ATTAQUE_NORMALE, case)
        if not amis_autour(case):
            perso_attaque(barbare, ATTAQUE_NORMALE, case)
    if not cibles:
        perso_attaque(elfe, ATTAQUE_I_SEE, carte_depart())
        perso_attaque(voleur, ATTAQUE_PALANTIR, perso_position(voleur))


def partie_fin():
    print("scores: %s" % scores())
