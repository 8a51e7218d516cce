import { language, table } from '$lib/words/language.svelte';
import type { Kind, Piece } from './shown';

export const words = table({
  fr: {
    board: 'Plateau de Khet',
    silver: 'gris',
    red: 'rouge',
    pharaoh: 'pharaon',
    sphinx: 'sphinx',
    anubis: 'anubis',
    pyramid: 'pyramide',
    scarab: 'scarabée',
    mirrorTo: (a: string, b: string) => `miroir vers le ${a} et l’${b}`,
    mirror: (way: string) => `miroirs ${way === '/' ? 'montants' : 'descendants'} (${way})`,
    facing: (to: string) => `tourné vers ${to}`,
    north: 'nord',
    east: 'est',
    south: 'sud',
    west: 'ouest',
    toNorth: 'le nord',
    toEast: 'l’est',
    toSouth: 'le sud',
    toWest: 'l’ouest',
    empty: 'vide',
    reservedSilver: 'réservée aux gris',
    reservedRed: 'réservée aux rouges',
    target: 'destination possible',
    swap: 'échange possible',
    selected: 'choisie',
    fire: 'Feu',
    firing: 'Feu…',
    takeBack: 'Remettre en place',
    deselect: 'Désélectionner',
    clockwise: 'Tourner à droite',
    counter: 'Tourner à gauche',
    rays: 'Montrer les rayons',
    choose: 'Choisissez une pièce à déplacer ou à tourner.',
    chosen: (what: string, steps: number, turns: number) =>
      `${what} : ${steps === 0 ? 'aucune case' : steps === 1 ? '1 case' : `${steps} cases`}, ${turns === 0 ? 'aucune rotation' : turns === 1 ? '1 rotation' : `${turns} rotations`}.`,
    staged: (outcome: string) => `${outcome}« Feu » termine votre tour.`,
    notYours: 'Cette pièce n’est pas à vous.',
    waiting: (name: string) => `${name} joue.`,
    wonSilver: 'Le pharaon rouge est tombé : les gris gagnent.',
    wonRed: 'Le pharaon gris est tombé : les rouges gagnent.',
    drawn: 'Partie nulle.',
    offBoard: 'Hors du plateau',
    nothingLost: 'toutes ses pièces sont là',
    piece: 'La pièce',
    noPiece: 'Choisissez une pièce : ce qu’elle peut faire s’affiche ici.',
    moves: 'Cases',
    swaps: 'Échanges',
    turns: 'Rotations',
    none: 'aucune',
    noSwap: 'aucun',
    quiet: 'Tours sans destruction',
    quietNote: 'À 100, la partie est nulle.',
    aboutK: 'Si la lumière le touche, de n’importe quel côté, il tombe et la partie est perdue.',
    aboutX: 'Porte le laser. Il absorbe toute lumière et ne quitte jamais son coin.',
    aboutA: 'Son bouclier absorbe la lumière de face ; de côté ou de dos, il est détruit.',
    aboutP: 'Son miroir dévie le rayon sur deux côtés ; sur les deux autres, elle est détruite.',
    aboutS: 'Dévie la lumière de tous les côtés. Il peut échanger sa place avec une pyramide ou un anubis.',
    palette: 'La boîte',
    sideToPlace: 'Camp à placer',
    left: (n: number, of: number, what: string) => `${what}, ${n}/${of} dans la boîte`,
    symmetric: 'Placer aussi la pièce d’en face (demi-tour, autre couleur)',
    remove: 'Retirer',
    undo: 'Annuler',
    clear: 'Vider le plateau',
    noneHeld: 'Rien en main.',
    allowed: 'Une partie peut commencer ainsi.',
    checking: 'Vérification…',
    editing: 'Choisissez une pièce de la boîte, puis une case. Une pièce posée se glisse, se tourne ou se retire.',
    placing: (what: string) => `${what} : choisissez une case.`,
    holding: (what: string) => `${what} : choisissez où la déplacer, tournez-la ou retirez-la.`,
    boxEmpty: (what: string) => `Il n’y en a plus dans la boîte : ${what}.`,
    keys: 'Flèches : case · Entrée : poser ou prendre · Q, E : tourner · Suppr : retirer · K X A P S : pièce · C : camp',
  },
  en: {
    board: 'Khet board',
    silver: 'silver',
    red: 'red',
    pharaoh: 'pharaoh',
    sphinx: 'sphinx',
    anubis: 'anubis',
    pyramid: 'pyramid',
    scarab: 'scarab',
    mirrorTo: (a: string, b: string) => `mirror to the ${a} and ${b}`,
    mirror: (way: string) => `mirrors ${way === '/' ? 'rising' : 'falling'} (${way})`,
    facing: (to: string) => `facing ${to}`,
    north: 'north',
    east: 'east',
    south: 'south',
    west: 'west',
    toNorth: 'north',
    toEast: 'east',
    toSouth: 'south',
    toWest: 'west',
    empty: 'empty',
    reservedSilver: 'reserved for silver',
    reservedRed: 'reserved for red',
    target: 'possible destination',
    swap: 'possible swap',
    selected: 'selected',
    fire: 'Fire',
    firing: 'Firing…',
    takeBack: 'Put back',
    deselect: 'Deselect',
    clockwise: 'Turn clockwise',
    counter: 'Turn counter-clockwise',
    rays: 'Show the beams',
    choose: 'Choose a piece to move or to turn.',
    chosen: (what: string, steps: number, turns: number) =>
      `${what}: ${steps === 0 ? 'no square' : steps === 1 ? '1 square' : `${steps} squares`}, ${turns === 0 ? 'no turn' : turns === 1 ? '1 turn' : `${turns} turns`}.`,
    staged: (outcome: string) => `${outcome}Fire ends your turn.`,
    notYours: 'This piece is not yours.',
    waiting: (name: string) => `${name} is playing.`,
    wonSilver: 'The red pharaoh has fallen: silver wins.',
    wonRed: 'The silver pharaoh has fallen: red wins.',
    drawn: 'The game is drawn.',
    offBoard: 'Off the board',
    nothingLost: 'every piece is there',
    piece: 'The piece',
    noPiece: 'Choose a piece: what it can do is shown here.',
    moves: 'Squares',
    swaps: 'Swaps',
    turns: 'Turns',
    none: 'none',
    noSwap: 'none',
    quiet: 'Turns with nothing destroyed',
    quietNote: 'At 100 the game is a draw.',
    aboutK: 'If light reaches it, from any side, it falls and the game is lost.',
    aboutX: 'Carries the laser. It absorbs every beam and never leaves its corner.',
    aboutA: 'Its shield absorbs light from the front; from a side or from behind it is destroyed.',
    aboutP: 'Its mirror turns the beam on two sides; on the other two it is destroyed.',
    aboutS: 'Turns light from every side. It may change places with a pyramid or an anubis.',
    palette: 'The box',
    sideToPlace: 'Side to place',
    left: (n: number, of: number, what: string) => `${what}, ${n}/${of} left in the box`,
    symmetric: 'Place the opposite piece as well (half turn, other colour)',
    remove: 'Remove',
    undo: 'Undo',
    clear: 'Clear the board',
    noneHeld: 'Nothing in hand.',
    allowed: 'A match can begin like this.',
    checking: 'Checking…',
    editing: 'Choose a piece from the box, then a square. A piece on the board can be dragged, turned or removed.',
    placing: (what: string) => `${what}: choose a square.`,
    holding: (what: string) => `${what}: choose where it goes, turn it or remove it.`,
    boxEmpty: (what: string) => `No ${what} is left in the box.`,
    keys: 'Arrows: square · Enter: put or pick up · Q, E: turn · Delete: remove · K X A P S: piece · C: side',
  },
});

/** « pyramide grise », “silver pyramid”. */
export function pieceName(kind: Kind, colour: number): string {
  const w = words();
  const name = { K: w.pharaoh, X: w.sphinx, A: w.anubis, P: w.pyramid, S: w.scarab }[kind];
  const side = colour === 0 ? w.silver : w.red;
  if (language() === 'en') return `${side} ${name}`;
  return `${name} ${kind === 'P' && colour === 0 ? 'grise' : side}`;
}

/** Where it looks, in words. */
export function facingWords({ kind, facing }: Piece): string {
  const w = words();
  if (kind === 'S') return w.mirror(facing);
  const side = { N: w.north, E: w.east, S: w.south, W: w.west };
  if (kind === 'P') return w.mirrorTo(side[facing[0] as 'N'], side[facing[1] as 'E']);
  return w.facing({ N: w.toNorth, E: w.toEast, S: w.toSouth, W: w.toWest }[facing as 'N']);
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A square as a screen reader tells it. */
export function squareWords(square: string, piece: Piece | undefined, reservedTo: number, more: string[] = []): string {
  const w = words();
  const what = piece ? `${pieceName(piece.kind, piece.colour)}, ${facingWords(piece)}` : w.empty;
  const owner = reservedTo === 0 ? [w.reservedSilver] : reservedTo === 1 ? [w.reservedRed] : [];
  return [square, what, ...owner, ...more].join(', ');
}
