// Two turns in the pit: a path and a look, a seal; then treachery and an arrow. The reader holds both teams.
import type { Tutorial } from '$lib/board/contract';

export const tutorial: Tutorial = {
  setup: 'pit',
  options: { seats: 2 },
  steps: [
    {
      say: {
        fr: 'Deux équipes de trois champions partent de la même case : un voleur, un barbare, une elfe. Les vôtres ont un contour clair. Vous ne voyez que ce qu’ils regardent ; le reste de la carte est dans l’ombre.',
        en: 'Two teams of three champions start on the same cell: a thief, a barbarian, an elf. Yours have a bright outline. You only see what they look at; the rest of the map lies in the shade.',
      },
      cells: ['4,4'],
    },
    {
      say: {
        fr: 'D’abord, le placement : on ne fait que marcher. Choisissez l’elfe (3), puis la case 4,1 ; ou tracez son chemin en glissant{, ou avec les flèches et Entrée}. Quitter l’herbe coûte 2 points, une route 1, un marais 4.',
        en: 'Placement comes first: champions only walk. Choose the elf (3), then cell 4,1; or draw her path by dragging{, or with the arrows and Enter}. Leaving grass costs 2 points, a road 1, a marsh 4.',
      },
      cells: ['4,1'],
      play: ['elf path NNN', 'elf path NNN face S'],
    },
    {
      say: {
        fr: 'Un champion finit son chemin en regardant devant lui. Faites plutôt se retourner l’elfe : flèche vers le sud sous la carte{, ou Maj + flèche du bas}. L’ordre remplace le précédent.',
        en: 'A champion ends its path looking the way it walked. Make the elf turn round instead: the arrow to the south below the map{, or Shift + down arrow}. The order replaces the one before.',
      },
      cells: ['4,1'],
      play: 'elf path NNN face S',
    },
    {
      say: {
        fr: 'Les ordres peuvent changer tant qu’ils ne sont pas scellés. Scellez-les{ (S)} : une question vous demandera de confirmer.',
        en: 'Orders can change until they are sealed. Seal them{ (S)}: you will be asked to confirm.',
      },
      play: 'seal',
    },
    {
      say: {
        fr: 'Pour cette leçon, vous jouez aussi l’équipe 2. Son elfe va en 5,3.',
        en: 'In this lesson you play team 2 as well. Its elf goes to 5,3.',
      },
      cells: ['5,3'],
      play: ['elf path NE', 'elf path EN', 'elf path NE face N'],
    },
    {
      say: {
        fr: 'Faites-la regarder vers le nord : flèche vers le nord sous la carte{, ou Maj + flèche du haut}.',
        en: 'Make her look north: the arrow to the north below the map{, or Shift + up arrow}.',
      },
      cells: ['5,3'],
      play: ['elf path NE face N', 'elf path EN'],
    },
    {
      say: {
        fr: 'Scellez aussi pour cette équipe. Le dernier sceau résout le tour : tous marchent ensemble, pas après pas. Une silhouette « ? » montre où un ennemi a été entrevu en chemin.',
        en: 'Seal for this team, too. The last seal resolves the turn: all walk together, step by step. A shape with “?” shows where an enemy was noticed on the way.',
      },
      play: 'seal',
    },
    {
      say: {
        fr: 'Maintenant, on se bat : une attaque et un chemin par champion, les attaques d’abord. Vous jouez toujours la même équipe. Son voleur (1) partage sa case avec deux ennemis : Traîtrise{ (C)} les tue tous.',
        en: 'Now to battle: one attack and one path per champion, attacks first. You still play the same team. Its thief (1) shares his cell with two enemies: Treachery{ (C)} kills them all.',
      },
      cells: ['4,4'],
      play: 'thief treachery',
    },
    {
      say: {
        fr: 'Son elfe (3) voit celle d’en face, en 4,1. Choisissez l’arc{ (A)}, puis cette cible.',
        en: 'Its elf (3) sees the other one, on 4,1. Choose the bow{ (A)}, then that target.',
      },
      cells: ['4,1'],
      play: ['elf attack 4,1', 'elf attack 5,3'],
    },
    {
      say: {
        fr: 'Scellez. La liste des ordres donnés est à côté de la carte.',
        en: 'Seal. The list of the orders given is beside the map.',
      },
      play: 'seal',
    },
    {
      say: {
        fr: 'L’autre équipe n’a rien vu venir : scellez pour elle.',
        en: 'The other team saw nothing coming: seal for it.',
      },
      play: 'seal',
    },
    {
      say: {
        fr: 'Deux morts : deux points pour l’équipe qui a frappé. Les morts reviennent à leur point de départ ; les capacités mettent quelques tours à revenir. Une équipe qui reste seule trois tours sur un hotspot (le drapeau) gagne aussi un point. À vous !',
        en: 'Two deaths: two points for the team that struck. The dead come back where they were placed; abilities take some turns to return. A team that stays alone on a hotspot (the flag) for three turns gets a point, too. Over to you!',
      },
      cells: ['1,4', '7,4'],
    },
  ],
};
