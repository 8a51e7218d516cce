// Two moves, one of each player. The reader plays both.
import type { Tutorial } from '$lib/board/contract';

export const tutorial: Tutorial = {
  steps: [
    {
      say: {
        fr: 'Alignez quatre jetons avant l’autre, en ligne, en colonne ou en diagonale. Choisissez la colonne du milieu (d{, ou la touche 4}) : votre jeton tombe tout en bas. Le milieu sert au plus grand nombre d’alignements.',
        en: 'Line up four discs before the other player, across, up or diagonally. Choose the middle column (d{, or the 4 key}): your disc falls to the bottom. The middle serves the most lines.',
      },
      cells: ['d1'],
      play: 'd',
    },
    {
      say: {
        fr: 'À l’autre joueur. Les jetons s’empilent : lâchez le sien sur le vôtre, en d, et il s’arrête en d2.',
        en: 'Now the other player. Discs pile up: drop theirs onto yours, into d, and it stops on d2.',
      },
      cells: ['d2'],
      play: 'd',
    },
    {
      say: {
        fr: 'C’est tout ! Trois jetons alignés avec un bout libre sont une menace : bouchez celles de l’autre, et préparez-en deux à la fois.',
        en: 'That is all! Three in a row with a free end are a threat: block the other’s, and prepare two at once.',
      },
    },
  ],
};
