// A first turn, and two more: a mirror is turned, the laser fires; a mirror shows its back; a scarab swaps, and a piece
// burns.
import type { Tutorial } from '$lib/board/contract';

export const tutorial: Tutorial = {
  setup: 'dynasty',
  steps: [
    {
      say: {
        fr: 'Voici le plateau de Khet. Vous jouez les gris, en bas. Votre but : éclairer le pharaon rouge, en F7, avec votre laser. Gardez le vôtre, en E2, dans l’ombre.',
        en: 'This is the board of Khet. You play silver, at the bottom. Your aim: light the red pharaoh on F7 with your laser. Keep yours, on E2, in the dark.',
      },
      cells: ['F7', 'E2'],
    },
    {
      say: {
        fr: 'Votre sphinx, en J1, porte le laser. Suivez les tirets bleus : le rayon monte, tourne au miroir de la pyramide J3, puis en F3, F4 et H4, et se perd en bas du plateau.',
        en: 'Your sphinx on J1 carries the laser. Follow the blue dashes: the beam goes up, turns at the mirror of the pyramid on J3, then on F3, F4 and H4, and is lost at the bottom.',
      },
      cells: ['J1', 'J3', 'F3', 'F4', 'H4'],
    },
    {
      say: {
        fr: 'À chaque tour : déplacez une pièce d’une case, ou tournez-la d’un quart de tour, puis tirez. Choisissez le scarabée en H4, tournez-le avec une flèche courbe{ (ou la touche E)}, puis appuyez sur Feu{ (ou Espace)}.',
        en: 'Each turn: move a piece by one square, or turn it by a quarter, then fire. Select the scarab on H4, turn it with a curved arrow{ (or the E key)}, then press Fire{ (or Space)}.',
      },
      cells: ['H4'],
      play: ['H4+', 'H4-'],
    },
    {
      say: {
        fr: 'Le rayon part maintenant vers le haut. Un scarabée a deux miroirs : rien ne peut le détruire. Une pyramide n’en a qu’un : touchée ailleurs, elle brûle. Jouez l’erreur des rouges : tournez la pyramide F4 vers la gauche{ (Q)}, et tirez.',
        en: 'The beam now goes up. A scarab has two mirrors: nothing can destroy it. A pyramid has only one: hit elsewhere, it burns. Play red’s mistake: turn the pyramid on F4 counter-clockwise{ (Q)}, and fire.',
      },
      cells: ['F4'],
      play: 'F4-',
    },
    {
      say: {
        fr: 'La pyramide F4 montre son dos à votre laser. Tous vos coups ou presque la détruisent ; essayez un échange : le scarabée en D3 prend la place de la pyramide rouge en D4. Choisissez-le, puis D4, puis Feu.',
        en: 'The pyramid on F4 shows its back to your laser. Nearly every move of yours destroys it; try a swap: the scarab on D3 takes the place of the red pyramid on D4. Select it, then D4, then Fire.',
      },
      cells: ['D3', 'D4', 'F4'],
      play: 'D3-D4',
    },
    {
      say: {
        fr: 'Une pyramide de moins. Votre rayon détruit aussi vos propres pièces : regardez bien où il passe avant de tirer. Les cases à l’ankh sont réservées aux rouges, celles à l’œil aux gris. À vous !',
        en: 'One pyramid less. Your beam destroys your own pieces, too: look well where it goes before you fire. Squares with the ankh are reserved for red, those with the eye for silver. Over to you!',
      },
    },
  ],
};
