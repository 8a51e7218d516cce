// A first turn on a small map whose seed puts gold under the feet of A and beside them: 0,0 has 36, 1,0 has 49.

import type { Tutorial } from '$lib/board/contract';

export const tutorial: Tutorial = {
  options: { width: 9, height: 7 },
  seed: 71,
  steps: [
    {
      say: {
        fr: 'Vos trois civils sont en haut à gauche. Vous voyez jusqu’à deux cases autour d’eux ; le reste est dans le brouillard. Le point doré dit qu’ils peuvent agir, chacun une fois par tour.',
        en: 'Your three civilians are at the top left. You see two cells around them; the rest lies in the fog. The golden dot says that they can act, each of them once a turn.',
      },
      cells: ['0,0'],
    },
    {
      say: {
        fr: 'Ils sont debout sur de l’or. Choisissez la case 0,0, puis « Récolter »{ (touche H)} : 1 pièce d’or dans la bourse, 1 point.',
        en: 'They stand on gold. Select cell 0,0, then “Harvest” (key H): 1 gold in the purse, 1 point.',
      },
      cells: ['0,0'],
      play: 'harvest 0,0',
    },
    {
      say: {
        fr: 'Une case ne se récolte qu’une fois par tour. Envoyez donc un autre civil sur l’or d’à côté : les cases où il peut aller brillent ; choisissez 1,0.',
        en: 'A cell can be harvested only once a turn. So send another civilian to the gold next door: the cells where it can go are glowing; choose 1,0.',
      },
      cells: ['1,0'],
      play: 'move civilian 0,0 east',
    },
    {
      say: {
        fr: 'Un pas, et le brouillard recule aussitôt. Ce que vous ne verrez plus restera sur la carte comme un souvenir, avec le tour où vous l’avez vu.',
        en: 'One step, and the fog draws back at once. What you no longer see will stay on the map as a memory, with the turn in which you saw it.',
      },
      cells: ['3,0', '3,1', '3,2'],
    },
    {
      say: {
        fr: 'Le troisième civil peut bâtir : choisissez 0,0, puis « Bâtir »{ (touche B)}. Un bâtiment coûte 15 pièces d’or et ne bouge jamais.',
        en: 'The third civilian can build: select 0,0, then “Build” (key B). A building costs 15 gold and never moves.',
      },
      cells: ['0,0'],
      play: 'build 0,0',
    },
    {
      say: {
        fr: 'Le bâtiment recrute tout de suite : un civil pour 5 pièces d’or{ (touche C)}, ou un soldat pour 10{ (touche M)}. Les soldats se battent pour vous à la fin du tour, là où ils rencontrent l’adversaire.',
        en: 'The building recruits at once: a civilian for 5 gold (key C), or a soldier for 10 (key M). At the end of the turn soldiers fight wherever they meet the enemy.',
      },
      cells: ['0,0'],
      play: ['recruit civilian 0,0', 'recruit military 0,0'],
    },
    {
      say: {
        fr: 'La recrue pourrait agir aussitôt. Mais restons-en là : « Finir le tour »{ (touche E)}. C’est à ce moment que les combats ont lieu.',
        en: 'The recruit could act at once. But let us leave it there: “End turn” (key E). This is the moment when fights take place.',
      },
      play: 'end',
    },
    {
      say: {
        fr: 'À l’adversaire. Au prochain tour vous récolterez en 0,0 et en 1,0 : plus de cases avec de l’or et un civil, plus de points. Après le dernier tour, le meilleur score gagne ; qui n’a plus d’unité perd aussitôt.',
        en: 'Now the other side plays. Next turn you will harvest on 0,0 and on 1,0: more cells with gold and a civilian, more points. After the last turn the higher score wins; a side with no unit left loses at once.',
      },
    },
  ],
};
