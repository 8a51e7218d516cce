import type { Words } from '$lib/board/contract';
import { table } from '$lib/words/language.svelte';
import { NEUTRAL, type Deed } from './notation';
import type { Obstacle, Unit } from './shown';

export const words = table({
  fr: {
    board: 'Plateau de Cultist, 13 colonnes et 7 rangées',
    west: 'Ouest',
    east: 'Est',
    neutrals: 'Neutres',
    ofWest: 'de l’Ouest',
    ofEast: 'de l’Est',
    leader: 'leader',
    cultist: 'cultiste',
    neutral: 'neutre',
    obstacle: 'obstacle',
    empty: 'libre',
    selected: 'sélectionnée',
    number: (n: number) => `n° ${n}`,
    hp: (n: number) => `${n} PV`,
    canMove: 'déplacement possible',
    canConvert: 'conversion possible',
    canShoot: (damage: number) => (damage ? `tir possible, −${damage} PV` : 'tir possible, mais un obstacle l’arrête'),
    canAim: 'tir possible',
    choose: 'Choisissez une de vos unités.',
    stuck: 'Cette unité ne peut rien faire.',
    notYours: 'Cette unité n’est pas à vous.',
    nobody: 'Un neutre : votre leader peut le convertir en se plaçant à côté de lui.',
    chosen: (what: string, can: string) => `${what} : ${can}.`,
    steps: (n: number) => (n === 1 ? '1 pas' : `${n} pas`),
    shots: (n: number) => (n === 1 ? '1 tir' : `${n} tirs`),
    conversions: (n: number) => (n === 1 ? '1 conversion' : `${n} conversions`),
    wait: 'Attendre',
    waitAsk: 'Attendre : passer votre tour sans rien faire ?',
    vainAsk: 'Un obstacle arrêtera cette balle. Tirer quand même ?',
    ownAsk: (who: string, damage: number) => `La balle touchera le ${who} : −${damage} PV. Tirer quand même ?`,
    confirm: 'Confirmer',
    cancel: 'Annuler',
    deselect: 'Désélectionner',
    aimOwn: 'Viser les vôtres',
    next: 'Unité suivante',
    waiting: (name: string) => `${name} joue.`,
    wandering: 'Un neutre va errer.',
    over: 'La partie est finie.',
    sending: 'Envoi…',
    theUnit: 'L’unité',
    noUnit: 'Choisissez une unité : ce qu’elle peut faire s’affiche ici.',
    turnOf: (n: number, of: number) => `Tour ${n} sur ${of}`,
    balance: (west: number, neutral: number, east: number) => `Ouest ${west}, neutres ${neutral}, Est ${east}`,
    more: 'À la fin, le culte le plus nombreux l’emporte.',
    moves: 'Pas',
    fires: 'Tirs',
    converts: 'Conversions',
    none: 'aucun',
    noneF: 'aucune',
    stopped: 'arrêté',
    stone: (cell: string) => `obstacle ${cell}`,
    dies: 'meurt',
    left: (n: number) => `reste ${n}`,
    aboutLeader: 'Convertit les voisins, neutres ou cultistes ennemis. Ne tire pas. Sa mort n’arrête pas la partie.',
    aboutCultist:
      'Tire jusqu’à 6 cases : 6 PV à bout portant, 1 au plus loin. Un obstacle sur la ligne arrête la balle.',
    aboutNeutral: 'N’appartient à personne. Le premier leader qui le touche le convertit.',
    brush: 'Pinceau',
    floor: 'Sol',
    stoneBrush: 'Obstacle',
    neutralBrush: 'Neutre',
    westBrush: 'Leader de l’Ouest',
    eastBrush: 'Leader de l’Est',
    symmetric: 'Peindre aussi l’image en miroir (une carte doit être symétrique)',
    undo: 'Annuler',
    clear: 'Tout effacer',
    stones: 'Obstacles',
    ofTwelve: (n: number) => `${n} sur 12`,
    painting: 'Choisissez un pinceau, puis peignez sur la carte : cliquez, ou glissez pour en peindre plusieurs.',
    full: 'Il y a déjà 12 neutres.',
    keys: 'Flèches : case · Entrée : peindre · Suppr : sol · S X N A B : pinceau · M : miroir · Ctrl Z : annuler',
    map: 'Carte de 13 colonnes et 7 rangées',
  },
  en: {
    board: 'Cultist board, 13 columns and 7 rows',
    west: 'West',
    east: 'East',
    neutrals: 'Neutral',
    ofWest: 'West’s',
    ofEast: 'East’s',
    leader: 'leader',
    cultist: 'cultist',
    neutral: 'neutral',
    obstacle: 'obstacle',
    empty: 'free',
    selected: 'selected',
    number: (n: number) => `no. ${n}`,
    hp: (n: number) => `${n} HP`,
    canMove: 'possible step',
    canConvert: 'can be converted',
    canShoot: (damage: number) =>
      damage ? `can be shot at, −${damage} HP` : 'can be shot at, but an obstacle stops it',
    canAim: 'can be shot at',
    choose: 'Choose one of your units.',
    stuck: 'This unit can do nothing.',
    notYours: 'This unit is not yours.',
    nobody: 'A neutral: your leader can convert it from a cell beside it.',
    chosen: (what: string, can: string) => `${what}: ${can}.`,
    steps: (n: number) => (n === 1 ? '1 step' : `${n} steps`),
    shots: (n: number) => (n === 1 ? '1 shot' : `${n} shots`),
    conversions: (n: number) => (n === 1 ? '1 conversion' : `${n} conversions`),
    wait: 'Wait',
    waitAsk: 'Wait: pass your turn and do nothing?',
    vainAsk: 'An obstacle will stop this bullet. Shoot all the same?',
    ownAsk: (who: string, damage: number) => `The bullet will hit ${who}: −${damage} HP. Shoot all the same?`,
    confirm: 'Confirm',
    cancel: 'Cancel',
    deselect: 'Deselect',
    aimOwn: 'Aim at your own',
    next: 'Next unit',
    waiting: (name: string) => `${name} is playing.`,
    wandering: 'A neutral is about to wander.',
    over: 'The match is over.',
    sending: 'Sending…',
    theUnit: 'The unit',
    noUnit: 'Choose a unit: what it can do is shown here.',
    turnOf: (n: number, of: number) => `Turn ${n} of ${of}`,
    balance: (west: number, neutral: number, east: number) => `West ${west}, neutral ${neutral}, East ${east}`,
    more: 'The larger cult wins at the end.',
    moves: 'Steps',
    fires: 'Shots',
    converts: 'Conversions',
    none: 'none',
    noneF: 'none',
    stopped: 'stopped',
    stone: (cell: string) => `obstacle ${cell}`,
    dies: 'dies',
    left: (n: number) => `${n} left`,
    aboutLeader: 'Converts neighbours, neutrals or enemy cultists. Does not shoot. Its death does not end the game.',
    aboutCultist:
      'Shoots up to 6 cells: 6 HP at point-blank range, 1 at the farthest. An obstacle on the line stops the bullet.',
    aboutNeutral: 'Belongs to nobody. The first leader to touch it converts it.',
    brush: 'Brush',
    floor: 'Floor',
    stoneBrush: 'Obstacle',
    neutralBrush: 'Neutral',
    westBrush: 'West’s leader',
    eastBrush: 'East’s leader',
    symmetric: 'Paint the mirror image as well (a map must be symmetric)',
    undo: 'Undo',
    clear: 'Clear all',
    stones: 'Obstacles',
    ofTwelve: (n: number) => `${n} of 12`,
    painting: 'Choose a brush, then paint the map: click, or drag to paint several cells.',
    full: 'There are 12 neutrals already.',
    keys: 'Arrows: cell · Enter: paint · Delete: floor · S X N A B: brush · M: mirror · Ctrl Z: undo',
    map: 'Map of 13 columns and 7 rows',
  },
});

/** « leader de l’Ouest », “West’s leader”. */
export function unitName({ id, owner, leader }: Pick<Unit, 'id' | 'owner' | 'leader'>): string {
  const w = words();
  const kind = owner === NEUTRAL ? w.neutral : leader ? w.leader : w.cultist;
  const whose = owner === NEUTRAL ? '' : owner === 0 ? w.ofWest : w.ofEast;
  const parts = w.west === 'West' ? [whose, kind] : [kind, whose];
  return [...parts, leader ? '' : w.number(id)].filter(Boolean).join(' ');
}

export function deedWords({ verb, aim }: Deed): string {
  const w = words();
  if (verb === 'MOVE') return w.canMove;
  if (verb === 'CONVERT') return w.canConvert;
  return aim ? w.canShoot(aim.damage) : w.canAim;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function scored(points: number): Words {
  return { fr: `${points} unité${points > 1 ? 's' : ''}`, en: `${points} unit${points === 1 ? '' : 's'}` };
}

/** What stands on a cell, and what may be done there. */
export function cellWords(cell: string, unit?: Unit, stone?: Obstacle, deed?: Deed, selected = false): string {
  const w = words();
  const hard = stone && (stone.hp ? `${w.obstacle}, ${w.hp(stone.hp)}` : w.obstacle);
  const what = unit ? `${unitName(unit)}, ${w.hp(unit.hp)}` : (hard ?? w.empty);
  return [cell, what, ...(deed ? [deedWords(deed)] : []), ...(selected ? [w.selected] : [])].join(', ');
}
