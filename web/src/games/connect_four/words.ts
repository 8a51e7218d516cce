import { table } from '$lib/words/language.svelte';
import { ofName } from '$lib/words/named';

export const words = table({
  fr: {
    board: 'Grille de Puissance 4, 7 colonnes et 6 rangées',
    empty: 'vide',
    stone: (name: string) => `jeton ${ofName(name)}`,
    inLine: 'dans l’alignement',
    drops: (column: string) => `Entrée : lâcher un jeton en ${column}`,
    full: 'Cette colonne est pleine.',
    choose: 'Choisissez une colonne.',
    waiting: (name: string) => `${name} joue.`,
    four: 'Quatre jetons alignés !',
    drawn: 'La grille est pleine.',
  },
  en: {
    board: 'Connect Four board, 7 columns and 6 rows',
    empty: 'empty',
    stone: (name: string) => `disc of ${name}`,
    inLine: 'in the line',
    drops: (column: string) => `Enter: drop a disc into ${column}`,
    full: 'This column is full.',
    choose: 'Choose a column.',
    waiting: (name: string) => `${name} is playing.`,
    four: 'Four in a row!',
    drawn: 'The board is full.',
  },
});
