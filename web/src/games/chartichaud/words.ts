// Chartichaud in French and English.

import type { Words } from '$lib/board/contract';
import { table } from '$lib/words/language.svelte';
import { ofName } from '$lib/words/named';
import { KINDS, many, readyOf, type Kind, type Place } from './shown';

const frenchUnits: Record<Kind, [string, string]> = {
  civilian: ['civil', 'civils'],
  military: ['soldat', 'soldats'],
  building: ['bâtiment', 'bâtiments'],
};
const englishUnits: Record<Kind, [string, string]> = {
  civilian: ['civilian', 'civilians'],
  military: ['soldier', 'soldiers'],
  building: ['building', 'buildings'],
};

export const words = table({
  fr: {
    map: 'Carte',
    unit: (n: number, kind: Kind) => `${n} ${frenchUnits[kind][n > 1 ? 1 : 0]}`,
    kind: (kind: Kind) => frenchUnits[kind][1].replace(/^./, (c) => c.toUpperCase()),
    turn: (n: number, of: number) => `Tour ${n} sur ${of}`,
    turnOf: (name: string) => `Au tour ${ofName(name)}`,
    over: 'La partie est finie',
    points: 'Points',
    pointsOf: (name: string, n: number) => `${name} : ${n} point${n > 1 ? 's' : ''}`,
    gold: 'Or',
    goldThere: (n: number) => `${n} pièce${n > 1 ? 's' : ''} d’or`,
    purse: 'Votre bourse',
    income: 'Récolte par tour',
    incomeHow: 'cases avec de l’or et un de vos civils',
    theirs: (name: string) => `${name}, en vue`,
    readyOf: (ready: number, n: number) => `${ready} sur ${n}`,
    ready: (n: number): string => (n > 1 ? 'peuvent agir' : 'peut agir'),
    nobodyReady: (n: number): string => (n > 1 ? 'ont déjà agi' : 'a déjà agi'),
    of: (name: string) => ofName(name),
    mine: 'à vous',
    emptyCell: 'rien',
    unknownCell: 'jamais vue',
    unknown: 'inconnue',
    remembered: (turn: number) => `souvenir du tour ${turn}`,
    short: (turn: number) => `t.${turn}`,
    reaped: 'récoltée ce tour-ci',
    target: (n: number, kind: Kind) =>
      `${n} ${frenchUnits[kind][n > 1 ? 1 : 0]} ${n > 1 ? 'peuvent' : 'peut'} venir ici`,
    cell: (cell: string) => `Case ${cell}`,
    pick: 'Vos unités au point doré peuvent agir : choisissez-les, puis où elles vont ou ce qu’elles font.',
    pickNone: 'Toutes vos unités ont agi : finissez le tour.',
    nothing: 'Rien à faire ici ce tour-ci.',
    watching: 'Vous regardez : sous le brouillard, un spectateur ne voit que le score.',
    who: 'Qui agit',
    howMany: 'Combien',
    fewer: 'Un de moins',
    more: 'Un de plus',
    all: 'Tous',
    harvest: 'Récolter',
    harvestAll: (n: number) => `Récoltes (${n})`,
    build: 'Bâtir',
    recruitCivilian: 'Recruter un civil',
    recruitMilitary: 'Recruter un soldat',
    civil: 'Civil',
    soldier: 'Soldat',
    harvestAllHow: 'récolter partout où vos civils le peuvent',
    nextHow: 'la case suivante où des unités peuvent agir',
    next: 'Suivante',
    end: 'Finir le tour',
    endAnyway: 'Finir quand même',
    goOn: 'Continuer à jouer',
    stillReady: (n: number) => (n > 1 ? `${n} unités peuvent encore agir.` : 'Une unité peut encore agir.'),
    price: (n: number) => `coûte ${n} pièces d’or`,
    gains: 'rapporte 1 pièce d’or et 1 point',
    tooPoor: (n: number) => `il faut ${n} pièces d’or`,
    noGold: 'pas d’or sur cette case',
    alreadyReaped: 'case déjà récoltée ce tour-ci',
    acted: 'elles ont toutes agi ce tour-ci',
    notNow: 'impossible ici ce tour-ci',
    zoomIn: 'Agrandir',
    zoomOut: 'Réduire',
    zoomFit: 'Toute la carte',
    legend: 'Le brouillard',
    legendSeen: 'En vue : vous y voyez tout',
    legendMemory: 'Souvenir : ce qui y était, et à quel tour',
    legendUnknown: 'Inconnue, mais peut-être pas vide',
    here: 'La case choisie',
    goal: 'Le but',
    goalText: (turns: number) =>
      `Récoltez l’or avec vos civils : chaque pièce est un point. Les bâtiments recrutent ; les soldats détruisent ce qui est à l’adversaire, et vous en marquez le prix. Après le tour ${turns}, le meilleur score gagne.`,
    legendReady: 'Un point doré : des unités peuvent agir',
    keys: 'Clavier',
    keysHow:
      'Flèches : curseur · Entrée : choisir · Maj + flèche : déplacer · 1 2 3 : civils, soldats, bâtiments · + − : combien · A : tous · H récolter · G tout récolter · B bâtir · C civil · M soldat · N suivante · E finir le tour · Échap : annuler',
    cantDraw: (line: number) => `La ligne ${line} du texte ne se dessine pas.`,
    tools: 'Outils',
    toolGold: 'Or',
    toolErase: 'Gomme',
    toolUnit: (side: string, kind: Kind) => `${frenchUnits[kind][0].replace(/^./, (c) => c.toUpperCase())} du camp ${side}`,
    amount: 'Nombre posé',
    undo: 'Annuler le dernier coup de pinceau',
    symmetric: 'Symétrie : un demi-tour de la carte échange les camps',
    width: 'Largeur',
    height: 'Hauteur',
    goldCells: (n: number) => `${n} case${n > 1 ? 's' : ''} avec de l’or`,
    side: (side: string) => `Camp ${side}`,
    fair: 'La carte est la même vue des deux camps.',
    unfair: 'La carte n’est pas la même vue des deux camps.',
    toolHow: 'Cliquez ou glissez pour poser ; un second clic enlève. Au clavier : flèches et Entrée.',
  },
  en: {
    map: 'Map',
    unit: (n: number, kind: Kind) => `${n} ${englishUnits[kind][n === 1 ? 0 : 1]}`,
    kind: (kind: Kind) => englishUnits[kind][1].replace(/^./, (c) => c.toUpperCase()),
    turn: (n: number, of: number) => `Turn ${n} of ${of}`,
    turnOf: (name: string) => `${name} to play`,
    over: 'The match is over',
    points: 'Points',
    pointsOf: (name: string, n: number) => `${name}: ${n} point${n === 1 ? '' : 's'}`,
    gold: 'Gold',
    goldThere: (n: number) => `${n} gold`,
    purse: 'Your purse',
    income: 'Harvest per turn',
    incomeHow: 'cells with gold and a civilian of yours',
    theirs: (name: string) => `${name}, in sight`,
    readyOf: (ready: number, n: number) => `${ready} of ${n}`,
    ready: (_n: number) => 'can act',
    nobodyReady: (n: number) => (n === 1 ? 'has acted' : 'have acted'),
    of: (name: string) => `of ${name}`,
    mine: 'of yours',
    emptyCell: 'nothing',
    unknownCell: 'never seen',
    unknown: 'unknown',
    remembered: (turn: number) => `remembered from turn ${turn}`,
    short: (turn: number) => `t.${turn}`,
    reaped: 'harvested this turn',
    target: (n: number, kind: Kind) => `${n} ${englishUnits[kind][n === 1 ? 0 : 1]} can come here`,
    cell: (cell: string) => `Cell ${cell}`,
    pick: 'Your units with a golden dot can act: choose them, then where they go or what they do.',
    pickNone: 'All your units have acted: end the turn.',
    nothing: 'Nothing to do here this turn.',
    watching: 'You are watching: under the fog, a spectator only sees the score.',
    who: 'Who acts',
    howMany: 'How many',
    fewer: 'One fewer',
    more: 'One more',
    all: 'All',
    harvest: 'Harvest',
    harvestAll: (n: number) => `Harvests (${n})`,
    build: 'Build',
    recruitCivilian: 'Recruit a civilian',
    recruitMilitary: 'Recruit a soldier',
    civil: 'Civilian',
    soldier: 'Soldier',
    harvestAllHow: 'harvest wherever your civilians can',
    nextHow: 'the next cell where units can act',
    next: 'Next',
    end: 'End turn',
    endAnyway: 'End anyway',
    goOn: 'Play on',
    stillReady: (n: number) => (n === 1 ? 'One unit can still act.' : `${n} units can still act.`),
    price: (n: number) => `costs ${n} gold`,
    gains: 'brings 1 gold and 1 point',
    tooPoor: (n: number) => `takes ${n} gold`,
    noGold: 'no gold on this cell',
    alreadyReaped: 'cell already harvested this turn',
    acted: 'all of them have acted this turn',
    notNow: 'not possible here this turn',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    zoomFit: 'Whole map',
    legend: 'The fog',
    legendSeen: 'In sight: you see all that is there',
    legendMemory: 'Memory: what was there, and in which turn',
    legendUnknown: 'Unknown, but perhaps not empty',
    here: 'The selected cell',
    goal: 'The goal',
    goalText: (turns: number) =>
      `Harvest gold with your civilians: each coin is a point. Buildings recruit; soldiers destroy what is the enemy’s, and you score its price. After turn ${turns} the best score wins.`,
    legendReady: 'A golden dot: units that can act',
    keys: 'Keyboard',
    keysHow:
      'Arrows: cursor · Enter: select · Shift + arrow: move · 1 2 3: civilians, soldiers, buildings · + −: how many · A: all · H harvest · G harvest all · B build · C civilian · M soldier · N next · E end turn · Escape: cancel',
    cantDraw: (line: number) => `Line ${line} of the text cannot be drawn.`,
    tools: 'Tools',
    toolGold: 'Gold',
    toolErase: 'Eraser',
    toolUnit: (side: string, kind: Kind) => `${englishUnits[kind][0].replace(/^./, (c) => c.toUpperCase())} of side ${side}`,
    amount: 'Amount painted',
    undo: 'Undo the last stroke',
    symmetric: 'Symmetry: half a turn of the map swaps the sides',
    width: 'Width',
    height: 'Height',
    goldCells: (n: number) => `${n} cell${n === 1 ? '' : 's'} with gold`,
    side: (side: string) => `Side ${side}`,
    fair: 'The map looks the same from both sides.',
    unfair: 'The map does not look the same from both sides.',
    toolHow: 'Click or drag to paint; a second click removes. With the keyboard: arrows and Enter.',
  },
});

/** Below zero: no unit was left. */
export function scored(points: number): Words {
  if (points < 0) return { fr: 'plus d’unité', en: 'no unit left' };
  return { fr: `${points} point${points > 1 ? 's' : ''}`, en: `${points} point${points === 1 ? '' : 's'}` };
}

/** A cell in words, for those who do not see the map. */
export function describe(place: Place | undefined, cell: string, observer: number, names: string[]): string {
  const said = [words().cell(cell)];
  if (!place) return `${said[0]}, ${words().unknownCell}`;
  if (!place.seen) said.push(words().remembered((place.since ?? 0) + 1));
  for (const stack of place.stacks) {
    const whose = stack.owner === observer ? words().mine : words().of(names[stack.owner] ?? 'AB'[stack.owner]!);
    for (const kind of KINDS) {
      const n = many(stack, kind);
      const ready = readyOf(stack, kind);
      const able =
        ready === null
          ? ''
          : ready
            ? ` (${words().readyOf(ready, n)} ${words().ready(ready)})`
            : ` (${words().nobodyReady(n)})`;
      if (n) said.push(`${words().unit(n, kind)} ${whose}${able}`);
    }
  }
  if (place.gold) said.push(words().goldThere(place.gold));
  if (place.reaped) said.push(words().reaped);
  if (!place.gold && !place.stacks.length) said.push(words().emptyCell);
  return said.join(', ');
}
