import type { Words } from '$lib/board/contract';
import { language, table } from '$lib/words/language.svelte';
import { place, readOrder } from './notation';
import type { Role, Shown, Unit } from './shown';

export const words = table({
  fr: {
    board: 'Carte de Casus Belli',
    thief: 'voleur',
    barbarian: 'barbare',
    elf: 'elfe',
    N: 'nord',
    E: 'est',
    S: 'sud',
    W: 'ouest',
    facing: (to: string) =>
      `face ${to === 'E' ? 'à l’est' : to === 'W' ? 'à l’ouest' : to === 'N' ? 'au nord' : 'au sud'}`,
    grass: 'herbe',
    road: 'route',
    marsh: 'marais',
    wall: 'mur',
    forest: 'forêt',
    tower: 'tour de guet',
    hotspot: 'hotspot',
    start: 'départ',
    team: (n: number) => `équipe ${n}`,
    yours: 'à vous',
    health: (n: number) => `${n} de vie`,
    corpse: 'cadavre',
    ghost: 'silhouette entrevue',
    seen: 'en vue',
    unseen: 'hors de vue',
    inReach: 'à portée de marche',
    target: 'cible possible',
    palantir: 'Palantír',
    treachery: 'Traîtrise',
    bastoooon: 'Bastoooon',
    fus: 'Fus Ro Dah',
    reveal: 'I see what you did there',
    loto: 'Loto',
    knife: 'Couteau',
    mace: 'Masse',
    bow: 'Arc',
    hold: 'Ne pas attaquer',
    path: 'Marcher',
    aboutThiefAttack: '5 dégâts sur une case, juste devant',
    aboutBarbarianAttack: '3 dégâts en croix, là où il voit, amis compris',
    aboutElfAttack: '2 dégâts sur une case vue par l’équipe',
    aboutPalantir: 'voit le carré autour de lui jusqu’au suivant',
    aboutTreachery: 'tue les ennemis de sa propre case',
    aboutBastoooon: 'dégâts : 11 − sa vie ; frappe en dernier',
    aboutFus: 'repousse tous ceux de son cône',
    aboutReveal: 'montre un carré de 9 sur 9 au tour suivant',
    aboutLoto: '4 dégâts n’importe où ou presque',
    ready: 'prêt',
    wait: (turns: number) => (turns === 1 ? 'prêt dans 1 tour' : `prêt dans ${turns} tours`),
    phasePlacement: 'Placez vos champions',
    phaseOrders: 'Donnez vos ordres',
    phaseMoves: 'Choisissez les déplacements',
    phaseAttacks: 'Choisissez les attaques',
    phaseSealed: 'Ordres scellés',
    phaseWatched: 'Tour en cours',
    turn: (n: number, of: number) => `Tour ${n} sur ${of}`,
    over: 'La partie est finie.',
    choosePlacement:
      'Placez vos trois champions : choisissez-en un, puis une case qu’il peut atteindre. Ensuite, scellez vos ordres.',
    chooseOrders:
      'Choisissez un champion, puis où il va et ce qu’il attaque. Une fois tous les ordres scellés : les attaques, puis les déplacements.',
    chooseMoves: 'Choisissez un champion, puis où il va. Une fois tous les ordres scellés, tous marchent à la fois.',
    chooseAttacks: 'Choisissez un champion, puis son attaque. Une fois tous les ordres scellés, tous frappent à la fois.',
    idle: (who: string) => `Encore sans ordre : ${who}. Choisissez, ou scellez tel quel.`,
    allOrdered: 'Tous vos champions ont un ordre. Scellez vos ordres quand vous êtes prêt.',
    walking: (who: string) => `${who} : tracez un chemin ou choisissez une case.`,
    drawing: (who: string, cost: number, most: number) => `${who} : ${cost} points sur ${most}.`,
    tooFar: (who: string, cost: number, most: number) => `${who} : ${cost} points, il n’en a que ${most}.`,
    aiming: (what: string) => `${what} : choisissez une cible.`,
    aimingFree: (what: string) => `${what} : choisissez une case de la carte.`,
    ordered: (who: string, what: string) => `${who} : ${what}.`,
    sealedWaiting: (who: string) => `Vos ordres sont scellés. On attend ${who}.`,
    others: (n: number) => (n === 1 ? '1 autre' : `${n} autres`),
    watching: 'Vous regardez la carte ; les champions sont dans la pénombre.',
    waiting: 'Les équipes donnent leurs ordres.',
    turnOnly: (n: number) => `Tour ${n}`,
    nothingSeen: 'Il ne s’est rien passé sous vos yeux.',
    andMore: (n: number) => `… et encore ${n}.`,
    sceneAttack: 'Attaques',
    sceneHit: 'Blessures',
    sceneDeath: 'Morts',
    sceneWalk: 'Déplacements',
    sceneLook: 'En vue',
    playback: 'Le tour pas à pas',
    again: 'Revoir le tour depuis le début',
    seeAgain: (n: number) => `Revoir le tour ${n}`,
    stepBack: 'Un pas en arrière',
    stepOn: 'Un pas en avant',
    pause: 'Pause',
    goOn: 'Continuer',
    pace: 'Rythme',
    paceSlow: 'lent',
    paceNormal: 'normal',
    paceFast: 'rapide',
    paceNone: 'sans animation',
    toOrders: 'Donner mes ordres',
    toEnd: 'Passer',
    refused: (order: string) => `Refusé : ${order}.`,
    seal: 'Sceller mes ordres',
    sealAsk: 'Sceller vos ordres ? Vous ne pourrez plus les changer.',
    sealMissing: (who: string) => `Sans ordre, donc sans bouger : ${who}.`,
    sealYes: 'Oui, sceller',
    sealNo: 'Pas encore',
    order: 'Donner l’ordre',
    cancel: 'Annuler',
    look: 'Regarder vers',
    champions: 'Vos champions',
    actions: 'Ordres possibles',
    nearer: 'Approcher',
    farther: 'Éloigner',
    whole: 'Toute la carte',
    points: 'Points',
    teams: (n: number) => `${n} équipes`,
    sealed: 'scellé',
    sealedCount: (n: number, of: number) => `${n} sur ${of} ont scellé`,
    noOrder: 'sans ordre',
    goes: (to: string) => `va en ${to}`,
    turnsTo: (to: string) => `regarde vers ${{ N: 'le nord', E: 'l’est', S: 'le sud', W: 'l’ouest' }[to] ?? to}`,
    on: (what: string, cell: string) => `${what} en ${cell}`,
    comesBack: (cell: string) => `reviendra en ${cell}`,
    legend: 'Légende',
    leave: (n: number) => (n === 1 ? '1 point' : `${n} points`),
    never: 'infranchissable, bouche la vue',
    hides: 'bouche la vue',
    sees: 'voit tout autour',
    scores: '1 point pour 3 tours seul dessus',
    heldBy: (who: string, turns: number) => `tenu par ${who}, ${turns} sur 3`,
    fogged: 'Ombre : hors de vue',
    ghosts: 'Silhouette : ennemi entrevu en chemin',
    here: 'Sur cette case',
    crowd: (cell: string, n: number) => `${n} champions en ${cell} : choisissez`,
    nobody: 'Personne en vue.',
    keys: '1 2 3 : champion · flèches : marcher, case par case · Maj + flèches : regarder · A X C : attaques · H : ne pas attaquer · Entrée : donner l’ordre · Retour : effacer un pas · S : sceller · + − 0 : zoom',
    // the editor
    tools: 'Outils',
    brush: 'Pinceau',
    fill: 'Remplir',
    startTool: 'Départ',
    ground: 'Terrain',
    symmetry: 'Symétrie',
    symNone: 'aucune',
    symX: 'gauche-droite',
    symY: 'haut-bas',
    symBoth: 'les deux',
    symHalf: 'demi-tour',
    symQuarter: 'quart de tour (carte carrée)',
    width: 'Largeur',
    height: 'Hauteur',
    placementTurns: 'Tours de placement',
    playTurns: 'Tours',
    undo: 'Annuler',
    clear: 'Tout en herbe',
    allowed: 'Une partie peut se jouer sur cette carte.',
    checking: 'Vérification…',
    editKeys:
      'Flèches : case · Entrée ou Espace : peindre · 1 à 7 : terrain · B pinceau, R remplir, D départ · Ctrl+Z : annuler',
  },
  en: {
    board: 'Map of Casus Belli',
    thief: 'thief',
    barbarian: 'barbarian',
    elf: 'elf',
    N: 'north',
    E: 'east',
    S: 'south',
    W: 'west',
    facing: (to: string) => `facing ${{ N: 'north', E: 'east', S: 'south', W: 'west' }[to] ?? to}`,
    grass: 'grass',
    road: 'road',
    marsh: 'marsh',
    wall: 'wall',
    forest: 'forest',
    tower: 'watchtower',
    hotspot: 'hotspot',
    start: 'start',
    team: (n: number) => `team ${n}`,
    yours: 'yours',
    health: (n: number) => `health ${n}`,
    corpse: 'corpse',
    ghost: 'shape noticed',
    seen: 'in sight',
    unseen: 'out of sight',
    inReach: 'within walking reach',
    target: 'possible target',
    palantir: 'Palantír',
    treachery: 'Treachery',
    bastoooon: 'Bastoooon',
    fus: 'Fus Ro Dah',
    reveal: 'I see what you did there',
    loto: 'Loto',
    knife: 'Knife',
    mace: 'Mace',
    bow: 'Bow',
    hold: 'No attack',
    path: 'Walk',
    aboutThiefAttack: '5 damage on one cell, just ahead',
    aboutBarbarianAttack: '3 damage on a plus where he sees, friends too',
    aboutElfAttack: '2 damage on a cell that the team sees',
    aboutPalantir: 'sees the square around it until the next one',
    aboutTreachery: 'kills the enemies on his own cell',
    aboutBastoooon: 'damage: 11 − his health; strikes last',
    aboutFus: 'pushes away all in his cone',
    aboutReveal: 'shows a square of 9 by 9 next turn',
    aboutLoto: '4 damage anywhere, or nearly',
    ready: 'ready',
    wait: (turns: number) => (turns === 1 ? 'ready in 1 turn' : `ready in ${turns} turns`),
    phasePlacement: 'Place your champions',
    phaseOrders: 'Give your orders',
    phaseMoves: 'Choose the moves',
    phaseAttacks: 'Choose the attacks',
    phaseSealed: 'Orders sealed',
    phaseWatched: 'Turn under way',
    turn: (n: number, of: number) => `Turn ${n} of ${of}`,
    over: 'The match is over.',
    choosePlacement:
      'Place your three champions: choose one, then a cell that it can reach. Then seal your orders.',
    chooseOrders:
      'Choose a champion, then where it goes and what it attacks. When everybody has sealed: attacks first, then moves.',
    chooseMoves: 'Choose a champion, then where it goes. When everybody has sealed, all walk at once.',
    chooseAttacks: 'Choose a champion, then its attack. When everybody has sealed, all strike at once.',
    idle: (who: string) => `Still without an order: ${who}. Choose, or seal as it is.`,
    allOrdered: 'All your champions have an order. Seal them when you are ready.',
    walking: (who: string) => `${who}: draw a path or choose a cell.`,
    drawing: (who: string, cost: number, most: number) => `${who}: ${cost} points of ${most}.`,
    tooFar: (who: string, cost: number, most: number) => `${who}: ${cost} points, and there are only ${most}.`,
    aiming: (what: string) => `${what}: choose a target.`,
    aimingFree: (what: string) => `${what}: choose a cell of the map.`,
    ordered: (who: string, what: string) => `${who}: ${what}.`,
    sealedWaiting: (who: string) => `Your orders are sealed. Waiting for ${who}.`,
    others: (n: number) => (n === 1 ? '1 other' : `${n} others`),
    watching: 'You are looking at the map; the champions are in the gloom.',
    waiting: 'The teams give their orders.',
    turnOnly: (n: number) => `Turn ${n}`,
    nothingSeen: 'Nothing happened before your eyes.',
    andMore: (n: number) => `… and ${n} more.`,
    sceneAttack: 'Attacks',
    sceneHit: 'Wounds',
    sceneDeath: 'Deaths',
    sceneWalk: 'Moves',
    sceneLook: 'In sight',
    playback: 'The turn, step by step',
    again: 'See the turn again from its beginning',
    seeAgain: (n: number) => `See turn ${n} again`,
    stepBack: 'One step back',
    stepOn: 'One step on',
    pause: 'Pause',
    goOn: 'Go on',
    pace: 'Pace',
    paceSlow: 'slow',
    paceNormal: 'normal',
    paceFast: 'fast',
    paceNone: 'no animation',
    toOrders: 'Give my orders',
    toEnd: 'Skip',
    refused: (order: string) => `Refused: ${order}.`,
    seal: 'Seal my orders',
    sealAsk: 'Seal your orders? You cannot change them after that.',
    sealMissing: (who: string) => `Without an order, so they stay put: ${who}.`,
    sealYes: 'Yes, seal',
    sealNo: 'Not yet',
    order: 'Give the order',
    cancel: 'Cancel',
    look: 'Look to the',
    champions: 'Your champions',
    actions: 'Possible orders',
    nearer: 'Nearer',
    farther: 'Farther',
    whole: 'The whole map',
    points: 'Points',
    teams: (n: number) => `${n} teams`,
    sealed: 'sealed',
    sealedCount: (n: number, of: number) => `${n} of ${of} have sealed`,
    noOrder: 'no order yet',
    goes: (to: string) => `goes to ${to}`,
    turnsTo: (to: string) => `looks ${{ N: 'north', E: 'east', S: 'south', W: 'west' }[to] ?? to}`,
    on: (what: string, cell: string) => `${what} on ${cell}`,
    comesBack: (cell: string) => `will come back on ${cell}`,
    legend: 'Legend',
    leave: (n: number) => (n === 1 ? '1 point' : `${n} points`),
    never: 'impassable, blocks the view',
    hides: 'blocks the view',
    sees: 'sees all around',
    scores: '1 point for 3 turns alone on it',
    heldBy: (who: string, turns: number) => `held by ${who}, ${turns} of 3`,
    fogged: 'Shade: out of sight',
    ghosts: 'Shape: an enemy noticed on the way',
    here: 'On this cell',
    crowd: (cell: string, n: number) => `${n} champions on ${cell}: choose one`,
    nobody: 'Nobody in sight.',
    keys: '1 2 3: champion · arrows: walk, cell by cell · Shift + arrows: look · A X C: attacks · H: no attack · Enter: give the order · Backspace: one step less · S: seal · + − 0: zoom',
    tools: 'Tools',
    brush: 'Brush',
    fill: 'Fill',
    startTool: 'Start',
    ground: 'Ground',
    symmetry: 'Symmetry',
    symNone: 'none',
    symX: 'left-right',
    symY: 'top-bottom',
    symBoth: 'both',
    symHalf: 'half turn',
    symQuarter: 'quarter turn (square map)',
    width: 'Width',
    height: 'Height',
    placementTurns: 'Placement turns',
    playTurns: 'Turns',
    undo: 'Undo',
    clear: 'All grass',
    allowed: 'A match can be played on this map.',
    checking: 'Checking…',
    editKeys: 'Arrows: cell · Enter or Space: paint · 1 to 7: ground · B brush, R fill, D start · Ctrl+Z: undo',
  },
});

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function groundName(letter: string): string {
  const w = words();
  return { '.': w.grass, _: w.road, '~': w.marsh, '#': w.wall, F: w.forest, T: w.tower, H: w.hotspot }[letter] ?? '';
}

export function attackName(role: Role, what: string): string {
  const w = words();
  if (what === 'attack') return { thief: w.knife, barbarian: w.mace, elf: w.bow }[role];
  return (
    {
      hold: w.hold,
      palantir: w.palantir,
      treachery: w.treachery,
      bastoooon: w.bastoooon,
      fus: w.fus,
      reveal: w.reveal,
      loto: w.loto,
    }[what] ?? what
  );
}

export function attackAbout(role: Role, what: string): string {
  const w = words();
  if (what === 'attack')
    return { thief: w.aboutThiefAttack, barbarian: w.aboutBarbarianAttack, elf: w.aboutElfAttack }[role];
  return (
    {
      palantir: w.aboutPalantir,
      treachery: w.aboutTreachery,
      bastoooon: w.aboutBastoooon,
      fus: w.aboutFus,
      reveal: w.aboutReveal,
      loto: w.aboutLoto,
    }[what] ?? ''
  );
}

/** « Le voleur de l’équipe 3 », for lists: « voleur, équipe 3, 7 de vie, face au nord ». */
export function unitWords(unit: Unit, observer: number): string {
  const w = words();
  return [
    w[unit.role],
    unit.team === observer ? w.yours : w.team(unit.team + 1),
    w.health(unit.health),
    w.facing(unit.facing),
  ].join(', ');
}

/** An order as a player says it; '' for none. */
export function orderWords(text: string, end: string): string {
  const order = readOrder(text);
  if (!order) return '';
  const w = words();
  if (order.what === 'path') {
    const look = w.turnsTo(order.facing);
    if (!order.steps) return look;
    return order.facing === order.steps.at(-1) ? w.goes(end) : `${w.goes(end)}, ${look}`;
  }
  const name = attackName(order.role, order.what);
  return order.cell ? w.on(name, order.cell) : name;
}

export function playerName(names: readonly string[], seat: number): string {
  return names[seat] || capital(words().team(seat + 1));
}

export function phaseName(phase: Shown['phase']): string {
  const w = words();
  return { placement: w.phasePlacement, orders: w.phaseOrders, moves: w.phaseMoves, attacks: w.phaseAttacks }[phase];
}

/** What is to be done when no champion is chosen. */
export function chooseWords(shown: Shown): string {
  const w = words();
  const idle = shown.own.filter(({ attack, path }) => !attack && !path).map(({ role }) => w[role]);
  if (!idle.length) return w.allOrdered;
  if (idle.length < shown.own.length) return w.idle(list(idle));
  return {
    placement: w.choosePlacement,
    orders: w.chooseOrders,
    moves: w.chooseMoves,
    attacks: w.chooseAttacks,
  }[shown.phase];
}

/** Those who have not sealed yet: « Blaise, Carl et 3 autres ». */
export function awaited(shown: Shown, names: readonly string[], observer: number): string {
  const who = shown.sealed.flatMap((sealed, seat) => (sealed || seat === observer ? [] : [playerName(names, seat)]));
  return list(who.length > 3 ? [...who.slice(0, 2), words().others(who.length - 2)] : who);
}

/** A cell as a screen reader tells it. */
export function cellWords(shown: Shown, cell: string, observer: number, more: readonly string[]): string {
  const w = words();
  const { x, y } = place(cell);
  const units = shown.units.filter((unit) => unit.cell === cell).map((unit) => unitWords(unit, observer));
  const dead = shown.corpses
    .filter((corpse) => corpse.cell === cell)
    .map((corpse) => `${w.corpse} (${w[corpse.role]}, ${w.team(corpse.team + 1)})`);
  const marks = [...(cell === shown.start ? [w.start] : []), ...(cell === shown.palantir ? [w.palantir] : [])];
  const sight = observer < 0 ? [] : [shown.sight[y]?.[x] === 'o' ? w.seen : w.unseen];
  return [cell, groundName(shown.rows[y]?.[x] ?? ''), ...marks, ...units, ...dead, ...sight, ...more].join(', ');
}

/** « 1,5 » stays a cell in both languages; lists end with « et » or “and”. */
export function list(items: readonly string[]): string {
  return new Intl.ListFormat(language(), { type: 'conjunction' }).format(items);
}

export function scored(points: number): Words {
  return { fr: `${points} point${points > 1 ? 's' : ''}`, en: `${points} point${points === 1 ? '' : 's'}` };
}

/** « Ada : 3 · Blaise : 2 », where there are few teams. */
export function tally(story: readonly { kind: string; seat?: number; points?: number }[], names: readonly string[]): string {
  if (names.length > 4) return '';
  const points = names.map(() => 0);
  for (const { kind, seat, points: now } of story) if (kind === 'scored') points[seat!] = now!;
  const colon = language() === 'fr' ? '\u00a0: ' : ': ';
  return names.map((name, seat) => `${name}${colon}${points[seat]}`).join(' · ');
}
