// Two turns in the pit: a path and a look, a seal; then treachery and an arrow. The reader holds both teams.
import type { Tutorial } from '$lib/board/contract';

export const tutorial: Tutorial = {
  setup: 'pit',
  options: { seats: 2 },
  steps: [
    {
      say: {
        fr: 'Deux équipes de trois champions partent de la même case : un voleur, un barbare, une elfe. Les vôtres sont cernés de clair. Vous ne voyez que ce qu’ils regardent ; le reste de la carte est dans l’ombre.',
        en: 'Two teams of three champions start on the same cell: a thief, a barbarian, an elf. Yours have a bright rim. You only see what they look at; the rest of the map lies in the shade.',
      },
      cells: ['4,4'],
    },
    {
      say: {
        fr: 'D’abord, le placement : on ne fait que marcher. Choisissez l’elfe (3), puis la case 4,1 ; ou tracez son chemin en glissant, ou avec les flèches et Entrée. Quitter l’herbe coûte 2 points, une route 1, un marais 4.',
        en: 'Placement comes first: champions only walk. Choose the elf (3), then cell 4,1; or draw her path by dragging, or with the arrows and Enter. Leaving grass costs 2 points, a road 1, a marsh 4.',
      },
      cells: ['4,1'],
      play: ['elf path NNN', 'elf path NNN face S'],
    },
    {
      say: {
        fr: 'Une unité finit son chemin en regardant où elle marchait. Faites-la plutôt se retourner : flèche vers le sud sous la carte, ou Maj + flèche du bas. L’ordre remplace le précédent.',
        en: 'A unit ends its path looking where it walked. Make her turn round instead: the arrow to the south below the map, or Shift + down arrow. The order replaces the one before.',
      },
      cells: ['4,1'],
      play: 'elf path NNN face S',
    },
    {
      say: {
        fr: 'Les ordres peuvent changer tant qu’ils ne sont pas scellés. Scellez (S) : on vous le demande une fois.',
        en: 'Orders can change until they are sealed. Seal (S): you are asked once.',
      },
      play: 'seal',
    },
    {
      say: {
        fr: 'Pour cette leçon, vous tenez aussi l’équipe 2. Son elfe va en 5,3.',
        en: 'In this lesson you hold team 2 as well. Its elf goes to 5,3.',
      },
      cells: ['5,3'],
      play: ['elf path NE', 'elf path EN'],
    },
    {
      say: {
        fr: 'Scellez aussi pour elle. Le dernier sceau résout le tour : tous marchent ensemble, pas après pas.',
        en: 'Seal for it, too. The last seal resolves the turn: all walk together, step by step.',
      },
      play: 'seal',
    },
    {
      say: {
        fr: 'Maintenant, on se bat : une attaque et un chemin par champion, les attaques d’abord. Votre voleur (1) partage sa case avec deux ennemis : Traîtrise (C) les tue tous.',
        en: 'Now to battle: one attack and one path a champion, attacks first. Your thief (1) shares his cell with two enemies: Treachery (C) kills them all.',
      },
      cells: ['4,4'],
      play: 'thief treachery',
    },
    {
      say: {
        fr: 'Votre elfe (3) voit l’elfe ennemie. Choisissez son arc (A), puis la cible 5,3.',
        en: 'Your elf (3) sees the enemy elf. Choose her bow (A), then the target 5,3.',
      },
      cells: ['5,3'],
      play: 'elf attack 5,3',
    },
    {
      say: {
        fr: 'Scellez. La liste de vos ordres est à côté de la carte.',
        en: 'Seal. The list of your orders is beside the map.',
      },
      play: 'seal',
    },
    {
      say: {
        fr: 'L’équipe 2 n’a rien vu venir : scellez pour elle.',
        en: 'Team 2 saw nothing coming: seal for it.',
      },
      play: 'seal',
    },
    {
      say: {
        fr: 'Deux morts, deux points. Les morts reviennent à leur point de départ ; les capacités mettent quelques tours à revenir. Une équipe seule trois tours sur un hotspot, au drapeau, gagne aussi un point. À vous !',
        en: 'Two deaths, two points. The dead come back where they were placed; abilities take some turns to return. A team alone on a hotspot, with the flag, for three turns gets a point, too. Over to you!',
      },
      cells: ['1,4', '7,4'],
    },
  ],
};
