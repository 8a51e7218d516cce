// A first turn and what follows, on the meadow: a step, a conversion, and the first shot.
import type { Tutorial } from '$lib/board/contract';

export const tutorial: Tutorial = {
  setup: 'meadow',
  steps: [
    {
      say: {
        fr: 'Deux cultes, une prairie. Vous jouez l’Ouest : votre leader, couronné, est en 0,3 ; celui de l’Est vous fait face, en 12,3. Les personnages à chapeau sont neutres. À la fin, le culte le plus nombreux l’emporte.',
        en: 'Two cults, one meadow. You play West: your crowned leader is on 0,3; East’s faces you, on 12,3. The people with hats are neutral. At the end the larger cult wins.',
      },
      cells: ['0,3', '12,3'],
    },
    {
      say: {
        fr: 'À chaque tour, une seule de vos unités fait une seule chose. Choisissez votre leader, puis le point vert en 1,3 : il avance d’un pas.',
        en: 'Each turn, one of your units does one thing. Select your leader, then the green dot on 1,3: it takes a step.',
      },
      cells: ['0,3', '1,3'],
      play: '0 MOVE 1 3',
    },
    {
      say: {
        fr: 'À l’Est maintenant (vous jouez les deux, le temps d’apprendre) : son leader avance aussi, en 11,3.',
        en: 'Now East (you play both while you learn): its leader advances as well, to 11,3.',
      },
      cells: ['12,3', '11,3'],
      play: '1 MOVE 11 3',
    },
    {
      say: {
        fr: 'Votre leader touche un neutre. Choisissez-le, puis le cercle de flammes en 2,3 : le neutre est converti. Un leader peut aussi convertir un cultiste ennemi, jamais l’autre leader.',
        en: 'Your leader touches a neutral. Select it, then the ring of flames on 2,3: the neutral is converted. A leader can convert an enemy cultist, too, never the other leader.',
      },
      cells: ['1,3', '2,3'],
      play: '0 CONVERT 4',
    },
    {
      say: { fr: 'L’Est en fait autant, en 10,3.', en: 'East does the same, on 10,3.' },
      cells: ['11,3', '10,3'],
      play: '1 CONVERT 10',
    },
    {
      say: {
        fr: 'Un cultiste tire jusqu’à 6 cases, en comptant les pas le long des rangées et des colonnes. L’ennemi est à 8 cases : avancez le vôtre en 3,3.',
        en: 'A cultist shoots up to 6 cells, counted in steps along rows and columns. The enemy is 8 cells away: advance yours to 3,3.',
      },
      cells: ['2,3', '3,3'],
      play: '4 MOVE 3 3',
    },
    {
      say: { fr: 'L’Est s’avance à son tour, imprudemment, en 9,3.', en: 'East advances in turn, rashly, to 9,3.' },
      cells: ['10,3', '9,3'],
      play: '10 MOVE 9 3',
    },
    {
      say: {
        fr: 'Il est à portée. Choisissez votre cultiste : le viseur dit ce que le tir ôterait, 7 moins la distance, donc 1 PV à 6 cases et 6 à bout portant. Tirez sur 9,3. Ici la balle survole les neutres ; un obstacle l’arrêterait.',
        en: 'It is in range. Select your cultist: the crosshair says what the shot would take, 7 minus the distance, so 1 HP at 6 cells and 6 at point-blank range. Shoot at 9,3. Here the bullet flies over the neutrals; an obstacle would stop it.',
      },
      cells: ['3,3', '9,3'],
      play: '4 SHOOT 10',
    },
    {
      say: {
        fr: 'Touché : il lui reste 9 PV sur 10. À 0, une unité meurt. Convertissez vite, gardez votre leader derrière les obstacles, et comptez les têtes avant le dernier tour. À vous !',
        en: 'Hit: it has 9 HP of 10 left. At 0 a unit dies. Convert quickly, keep your leader behind the obstacles, and count heads before the last turn. Over to you!',
      },
      cells: ['9,3'],
    },
  ],
};
