// Garden Tensions in French and English.

import type { Words } from '$lib/board/contract';
import { language, table } from '$lib/words/language.svelte';
import type { Clan, Ground, PowerName, Resource } from './shown';

export const words = table({
  fr: {
    garden: 'Le jardin, 29 cases',
    row: (name: string) => `Rangée ${name}`,
    free: 'libre',
    crowd: (n: number) => `${n} créature${n > 1 ? 's' : ''}`,
    yields: (n: number, what: string) => `rapporte ${n} ${what} par tour`,
    costs: (n: number, what: string) => `coûte ${n} ${what}`,
    poisoned: (n: number) => `empoisonnée, encore ${n} tour${n > 1 ? 's' : ''}`,
    protected: 'protégée',
    immobilised: (n: number) => `immobilisée, encore ${n} tour${n > 1 ? 's' : ''}`,
    forged: (n: number) => `armée, encore ${n} tour${n > 1 ? 's' : ''}`,
    goHere: 'on peut y aller',
    attackHere: 'on peut l’attaquer',
    targetHere: 'cible possible',
    takeHere: 'peut agir',
    chooseCell: 'Choisissez une de vos cases pour avancer ou attaquer.',
    chooseNothing: 'Plus rien à conquérir : passez au renfort.',
    choosePlace: (n: number) => `Placez ${n} créature${n > 1 ? 's' : ''} : choisissez une de vos cases.`,
    chooseTarget: (cell: string) => `${cell} : choisissez où aller.`,
    chooseCount: (cell: string) => `Combien de créatures en ${cell} ?`,
    aimSource: (power: string) => `${power} : d’où partir ?`,
    aimTarget: (power: string) => `${power} : choisissez la cible.`,
    dice: 'Les dés roulent…',
    watch: (name: string) => `${name} joue.`,
    won: (name: string) => `${name} l’emporte.`,
    drawn: 'Partie nulle.',
    endConquest: 'Finir la conquête',
    move: (from: string) => `Avancer depuis ${from}`,
    attack: (from: string) => `Attaquer depuis ${from}`,
    powerFrom: (power: string, from: string) => `${power} depuis ${from}`,
    colon: ' :',
    tooFar: 'hors de portée pour l’instant.',
    full: 'plus de place, cinq créatures au plus.',
    tooFew: 'il faut au moins deux créatures pour partir.',
    nowhere: 'rien à prendre à côté, ou pas assez de ressources.',
    yes: 'Oui',
    cancel: 'Annuler',
    askPrice: (what: string, price: string) => `${what} pour ${price} ?`,
    askEnd: 'Vous pouvez encore agir. Finir la conquête ?',
    askJar: 'Placer la dernière créature finit le tour, et le bocal est encore fermé. Placer quand même ?',
    place: (n: number) => `Placer ${n}`,
    pointsOf: (n: number, of: number) => `${n} point${n > 1 ? 's' : ''} de conquête sur ${of}`,
    round: (n: number, of: number) => `Manche ${n} sur ${of}`,
    conquest: 'Conquête',
    reinforcement: 'Renfort',
    phase: 'Phase du tour',
    cells: (n: number) => `case${n > 1 ? 's' : ''}`,
    creatures: (n: number) => `créature${n > 1 ? 's' : ''}`,
    stock: 'à placer',
    next: (n: number) => `prochain renfort : ${n}`,
    goods: 'Ressources',
    goodsOf: (what: string, n: number, income: number) => `${what} : ${n}, plus ${income} au prochain tour`,
    specials: 'Cases spéciales',
    held: (what: string) => `${what} : tenue`,
    notHeld: (what: string) => `${what} : pas encore`,
    zones: 'Zones',
    missing: (n: number) => `montrer les ${n} qui manquent`,
    missingOne: 'montrer celle qui manque',
    complete: 'sous contrôle',
    powers: 'Pouvoirs et capacités',
    powersOf: (clan: string) => `Pouvoirs des ${clan}`,
    prologue: 'Prologue',
    begin: 'Que la partie commence',
    ground: 'Sol',
    specialCell: 'Case spéciale',
    resource: 'Ressource',
    start: 'Départ',
    startA: 'Départ A',
    startB: 'Départ B',
    tool: 'Outil',
    paint: 'Peindre',
    fill: 'Remplir',
    symmetric: 'Symétrie (demi-tour)',
    undo: 'Annuler',
    editorGrid: 'Carte du jardin, 29 cases',
    fillHint: 'Remplir touche toutes les cases voisines du même sol.',
  },
  en: {
    garden: 'The garden, 29 cells',
    row: (name: string) => `Row ${name}`,
    free: 'free',
    crowd: (n: number) => `${n} creature${n === 1 ? '' : 's'}`,
    yields: (n: number, what: string) => `yields ${n} ${what} a turn`,
    costs: (n: number, what: string) => `costs ${n} ${what}`,
    poisoned: (n: number) => `poisoned, ${n} turn${n === 1 ? '' : 's'} to go`,
    protected: 'protected',
    immobilised: (n: number) => `immobilised, ${n} turn${n === 1 ? '' : 's'} to go`,
    forged: (n: number) => `armed, ${n} turn${n === 1 ? '' : 's'} to go`,
    goHere: 'you can go there',
    attackHere: 'you can attack it',
    targetHere: 'possible target',
    takeHere: 'can act',
    chooseCell: 'Choose one of your cells to advance or attack.',
    chooseNothing: 'Nothing left to conquer: go on to the reinforcement.',
    choosePlace: (n: number) => `Place ${n} creature${n === 1 ? '' : 's'}: choose one of your cells.`,
    chooseTarget: (cell: string) => `${cell}: choose where to go.`,
    chooseCount: (cell: string) => `How many creatures on ${cell}?`,
    aimSource: (power: string) => `${power}: from where?`,
    aimTarget: (power: string) => `${power}: choose the target.`,
    dice: 'The dice are rolling…',
    watch: (name: string) => `${name} is playing.`,
    won: (name: string) => `${name} wins.`,
    drawn: 'The match is drawn.',
    endConquest: 'End the conquest',
    move: (from: string) => `Advance from ${from}`,
    attack: (from: string) => `Attack from ${from}`,
    powerFrom: (power: string, from: string) => `${power} from ${from}`,
    colon: ':',
    tooFar: 'out of reach for now.',
    full: 'no room left, five creatures at most.',
    tooFew: 'at least two creatures are needed to leave.',
    nowhere: 'nothing to take next to it, or too few resources.',
    yes: 'Yes',
    cancel: 'Cancel',
    askPrice: (what: string, price: string) => `${what} for ${price}?`,
    askEnd: 'You can still act. End the conquest?',
    askJar: 'Placing the last creature ends the turn, and the jar is still closed. Place it all the same?',
    place: (n: number) => `Place ${n}`,
    pointsOf: (n: number, of: number) => `${n} conquest point${n === 1 ? '' : 's'} of ${of}`,
    round: (n: number, of: number) => `Round ${n} of ${of}`,
    conquest: 'Conquest',
    reinforcement: 'Reinforcement',
    phase: 'Phase of the turn',
    cells: (n: number) => `cell${n === 1 ? '' : 's'}`,
    creatures: (n: number) => `creature${n === 1 ? '' : 's'}`,
    stock: 'to place',
    next: (n: number) => `next reinforcement: ${n}`,
    goods: 'Resources',
    goodsOf: (what: string, n: number, income: number) => `${what}: ${n}, plus ${income} next turn`,
    specials: 'Special cells',
    held: (what: string) => `${what}: held`,
    notHeld: (what: string) => `${what}: not yet`,
    zones: 'Zones',
    missing: (n: number) => `show the ${n} missing`,
    missingOne: 'show the missing one',
    complete: 'under control',
    powers: 'Powers and abilities',
    powersOf: (clan: string) => `Powers of the ${clan}`,
    prologue: 'Prologue',
    begin: 'Let the match begin',
    ground: 'Ground',
    specialCell: 'Special cell',
    resource: 'Resource',
    start: 'Start',
    startA: 'Start A',
    startB: 'Start B',
    tool: 'Tool',
    paint: 'Paint',
    fill: 'Fill',
    symmetric: 'Symmetric (half turn)',
    undo: 'Undo',
    editorGrid: 'Map of the garden, 29 cells',
    fillHint: 'Fill reaches every neighbouring cell of the same ground.',
  },
});

const names = <Name extends string>(both: Record<Name, readonly [string, string]>) => {
  const part = (at: 0 | 1) =>
    Object.fromEntries(Object.entries<readonly [string, string]>(both).map(([k, w]) => [k, w[at]]));
  const made = table({ fr: part(0), en: part(1) });
  return (name: Name): string => made()[name] as string;
};

export const groundName = names<Ground>({
  grass: ['herbe', 'grass'],
  sand: ['sable', 'sand'],
  mud: ['boue', 'mud'],
  sky: ['ciel', 'sky'],
  candy: ['sucreries', 'candy'],
  barbecue: ['barbecue', 'barbecue'],
  pool: ['piscine', 'pool'],
});

export const resourceName = names<Resource | 'points'>({
  food: ['nourriture', 'food'],
  metal: ['métal', 'metal'],
  stone: ['pierre', 'stone'],
  wood: ['bois', 'wood'],
  points: ['points de conquête', 'conquest points'],
});

export const clanName = names<Clan>({
  cooks: ['cuisiniers', 'cooks'],
  blacksmiths: ['forgerons', 'blacksmiths'],
  miners: ['mineurs', 'miners'],
  lumberjacks: ['bûcherons', 'lumberjacks'],
});

export const powerName = names<PowerName>({
  sky: ['Attaquer par le ciel', 'Attack through the sky'],
  candy: ['Ouvrir le bocal', 'Open the jar'],
  barbecue: ['Allumer le barbecue', 'Light the barbecue'],
  pool: ['Éclabousser', 'Splash'],
  pillage: ['Piller', 'Pillage'],
  poison: ['Empoisonner', 'Poison'],
  forge: ['Forger des armes', 'Forge weapons'],
  immobilise: ['Lancer des rochers', 'Hurl rocks'],
  shelter: ['Bâtir un abri', 'Build a shelter'],
});

export const powerEffect = names<PowerName>({
  sky: ['attaque n’importe quelle case adverse', 'attacks any enemy cell'],
  candy: ['des créatures de plus à placer', 'more creatures to place'],
  barbecue: ['tue jusqu’à 3 créatures sur une case', 'kills up to 3 creatures on a cell'],
  pool: ['tue jusqu’à 3 créatures sur une case', 'kills up to 3 creatures on a cell'],
  pillage: ['tue une créature et vole 2 ressources', 'kills a creature and steals 2 resources'],
  poison: ['empoisonne une case pour 3 tours', 'poisons a cell for 3 turns'],
  forge: ['une de vos cases lance des dés de 1 à 9', 'one of your cells rolls dice from 1 to 9'],
  immobilise: ['rien ne part d’une case pendant 2 tours', 'nothing leaves a cell for 2 turns'],
  shelter: ['prend une case sans combat et la protège', 'takes a cell without a fight and protects it'],
});

/** Words of the server: a pair on the wire, or named. */
export const said = (both: Words | readonly [string, string]): string =>
  Array.isArray(both) ? both[language() === 'fr' ? 0 : 1]! : (both as Words)[language()];

/** A price in words: "3 pierre", "8 points de conquête". */
export const priced = (price: number, resource: Resource | 'points'): string => `${price} ${resourceName(resource)}`;

export const PROLOGUE: Record<'fr' | 'en', string[]> = {
  fr: [
    'C’était un essai, rien qu’un essai. Mais la lune était ronde, le portail mal réglé, et les Bloubii, hauts comme une graine de radis, se sont réveillés dans un jardin.',
    'De l’herbe comme une forêt, du sable comme un désert, de la boue comme un océan : de quoi s’émerveiller mille ans. Restaient quatre merveilles hors d’atteinte : le ciel, car ils ne volent pas ; le bocal de sucreries, car son couvercle pèse le poids d’une montagne ; le barbecue, car il brûle ; la piscine, car ils coulent.',
    'Les cuisiniers avaient une idée, les forgerons une meilleure, les mineurs et les bûcherons la seule bonne. On s’est disputé, puis on s’est compté. Depuis, chaque clan veut le jardin tout entier, et le ciel par-dessus.',
  ],
  en: [
    'It was a test, nothing but a test. But the moon was full, the portal badly tuned, and the Bloubii, no taller than a radish seed, woke up in a garden.',
    'Grass like a forest, sand like a desert, mud like an ocean: enough to wonder at for a thousand years. Four marvels stayed out of reach: the sky, for they cannot fly; the candy jar, for its lid weighs as much as a mountain; the barbecue, for it burns; the pool, for they sink.',
    'The cooks had an idea, the blacksmiths a better one, the miners and the lumberjacks the only good one. They quarrelled, then they counted heads. Ever since, each clan wants the whole garden, and the sky on top of it.',
  ],
};

/** A score: the cells above, the creatures in the low 16 bits. */
export function scored(points: number): Words {
  const [cells, creatures] = [points >> 16, points & 0xffff];
  return {
    fr: `${cells} case${cells > 1 ? 's' : ''}, ${creatures} créature${creatures > 1 ? 's' : ''}`,
    en: `${cells} cell${cells === 1 ? '' : 's'}, ${creatures} creature${creatures === 1 ? '' : 's'}`,
  };
}
