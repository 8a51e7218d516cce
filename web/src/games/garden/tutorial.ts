// A first turn of the cooks, and the miners' answer: harvest, two moves, the end of the conquest, a reinforcement, a
// fight.

import type { Tutorial } from '$lib/board/contract';

export const tutorial: Tutorial = {
  seed: 1,
  options: { begins: 'a', creatures: 5, clan0: 'cooks', clan1: 'miners' },
  steps: [
    {
      say: {
        fr: 'Voici le jardin. Vous êtes les cuisiniers, cinq Bloubii en a3 ; les mineurs attendent en e3. Celui qui chasse l’autre de toutes ses cases a gagné.',
        en: 'This is the garden. You are the cooks, five Bloubii on a3; the miners wait on e3. Whoever drives the other from every cell has won.',
      },
      cells: ['a3', 'e3'],
    },
    {
      say: {
        fr: 'En haut de chaque case, ce qu’elle rapporte à chaque tour : nourriture, métal, pierre ou bois. Le ciel, les sucreries, le barbecue et la piscine ne rapportent rien : leur étiquette est le prix à payer pour y entrer, puis pour chaque usage de leur pouvoir.',
        en: 'At the top of each cell is what it yields every turn: food, metal, stone or wood. The sky, the candy, the barbecue and the pool yield nothing: their tag is the price for entering, and again for each use of their power.',
      },
      cells: ['c7', 'c6', 'b5', 'c5'],
    },
    {
      say: {
        fr: 'La conquête d’abord. Choisissez a3, puis b3 : toutes vos créatures y vont, sauf une qui garde la maison.',
        en: 'Conquest first. Choose a3, then b3: all your creatures go there but one, which guards the home.',
      },
      cells: ['a3', 'b3'],
      play: 'a3-b3',
    },
    {
      say: {
        fr: 'Elles sont quatre en b3 et peuvent repartir aussitôt : de b3 en c3.',
        en: 'Four of them are on b3 and may leave again at once: from b3 to c3.',
      },
      cells: ['b3', 'c3'],
      play: 'b3-c3',
    },
    {
      say: {
        fr: 'Assez conquis pour aujourd’hui : finissez la conquête{ (touche E)}.',
        en: 'Enough for today: end the conquest (key E).',
      },
      play: 'end',
    },
    {
      say: {
        fr: 'Le renfort : deux créatures arrivent, et deux de plus par sorte de sol que vous tenez en entier. Posez-les toutes les deux en b3, cinq par case au plus.',
        en: 'The reinforcement: two creatures arrive, and two more for every kind of ground that is all yours. Put both on b3, five on a cell at most.',
      },
      cells: ['b3'],
      play: 'b3+2',
    },
    {
      say: {
        fr: 'Aux mineurs : leurs cases ont rapporté, et c’est encore vous qui jouez pour eux. Avancez de e3 en d3.',
        en: 'The miners’ turn: their cells have paid, and you play for them as well. Advance from e3 to d3.',
      },
      cells: ['e3', 'd3'],
      play: 'e3-d3',
    },
    {
      say: {
        fr: 'Maintenant, attaquez c3 depuis d3. Chacun lance un dé par créature de sa case ; la plus grande somme l’emporte, et l’égalité est pour le défenseur.',
        en: 'Now attack c3 from d3. Each side rolls a die for every creature on its cell; the greater sum wins, and a tie is the defender’s.',
      },
      cells: ['d3', 'c3'],
      play: 'd3-c3',
    },
    {
      say: {
        fr: 'Le vainqueur gagne une étoile. À huit, un clan peut piller, ou faire ce qu’il est seul à savoir faire : le panneau dit quoi, à quel prix, et pourquoi pas encore. À vous de jouer !',
        en: 'The winner earns a star. With eight, a clan can pillage, or do what it alone knows how to do: the panel says what, at what price, and why not yet. Over to you!',
      },
    },
  ],
};
