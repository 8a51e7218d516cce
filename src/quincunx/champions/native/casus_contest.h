/* The values and records of the contest's interface (Prologin 2012), the same for C and C++.

   The contest's headers had the values in upper case; a source that writes them in the lower case of the contest's
   description is built with CASUS_LOWER_CASE. */
#ifndef CASUS_CONTEST_H
#define CASUS_CONTEST_H

#define VOLEUR_VISION_PORTEE 5
#define VOLEUR_DEPLACEMENT 10
#define VOLEUR_VIE 10
#define VOLEUR_ATTAQUE 5
#define VOLEUR_PALANTIR_CD 3
#define VOLEUR_TRAITRISE_CD 5
#define BARBARE_VISION_PORTEE 4
#define BARBARE_DEPLACEMENT 8
#define BARBARE_VIE 10
#define BARBARE_ATTAQUE 3
#define BARBARE_BASTOOOON_CD 3
#define BARBARE_BASTOOOON_PORTEE 3
#define BARBARE_FUS_RO_DAH_CD 5
#define ELFE_VISION_PORTEE 4
#define ELFE_DEPLACEMENT 6
#define ELFE_VIE 10
#define ELFE_ATTAQUE 2
#define ELFE_LOTO_CD 5
#define ELFE_I_SEE_CD 5

/* as they were called before */
#define VOLEUR_VISION VOLEUR_VISION_PORTEE
#define BARBARE_VISION BARBARE_VISION_PORTEE
#define ELFE_VISION ELFE_VISION_PORTEE

typedef enum perso_classe {
    PERSO_VOLEUR,
    PERSO_BARBARE,
    PERSO_ELFE
#ifdef CASUS_LOWER_CASE
    , perso_voleur = PERSO_VOLEUR, perso_barbare = PERSO_BARBARE, perso_elfe = PERSO_ELFE
#endif
} perso_classe;

typedef enum zone_type {
    ZONE_HERBE,
    ZONE_ROUTE,
    ZONE_FORET,
    ZONE_MARAIS,
    ZONE_MUR,
    ZONE_TOUR,
    ZONE_ERREUR
#ifdef CASUS_LOWER_CASE
    , zone_herbe = ZONE_HERBE, zone_route = ZONE_ROUTE, zone_foret = ZONE_FORET, zone_marais = ZONE_MARAIS,
    zone_mur = ZONE_MUR, zone_tour = ZONE_TOUR, zone_erreur = ZONE_ERREUR
#endif
} zone_type;

typedef enum attaque_type {
    ATTAQUE_NORMALE,
    ATTAQUE_PALANTIR,
    ATTAQUE_TRAITRISE,
    ATTAQUE_BASTOOOON,
    ATTAQUE_FUS_RO_DAH,
    ATTAQUE_I_SEE,
    ATTAQUE_LOTO
#ifdef CASUS_LOWER_CASE
    , attaque_normale = ATTAQUE_NORMALE, attaque_palantir = ATTAQUE_PALANTIR, attaque_traitrise = ATTAQUE_TRAITRISE,
    attaque_bastoooon = ATTAQUE_BASTOOOON, attaque_fus_ro_dah = ATTAQUE_FUS_RO_DAH, attaque_i_see = ATTAQUE_I_SEE,
    attaque_loto = ATTAQUE_LOTO
#endif
} attaque_type;

typedef enum orientation {
    ORIENTATION_NORD,
    ORIENTATION_EST,
    ORIENTATION_SUD,
    ORIENTATION_OUEST
#ifdef CASUS_LOWER_CASE
    , orientation_nord = ORIENTATION_NORD, orientation_est = ORIENTATION_EST, orientation_sud = ORIENTATION_SUD,
    orientation_ouest = ORIENTATION_OUEST
#endif
} orientation;

typedef enum erreur {
    POSITION_IMPOSSIBLE,
    PERSONNAGE_IMPOSSIBLE,
    CHEMIN_IMPOSSIBLE,
    ATTAQUE_INDISPONIBLE,
    OK
#ifdef CASUS_LOWER_CASE
    , position_impossible = POSITION_IMPOSSIBLE, personnage_impossible = PERSONNAGE_IMPOSSIBLE,
    chemin_impossible = CHEMIN_IMPOSSIBLE, attaque_indisponible = ATTAQUE_INDISPONIBLE, ok = OK
#endif
} erreur;

typedef struct position {
    int x;
    int y;
} position;

typedef struct perso_info {
    int equipe;
    perso_classe classe;
    int vie;
    orientation direction;
} perso_info;

#endif
