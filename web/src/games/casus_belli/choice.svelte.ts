// What is selected and being prepared on the map: which champion, the path that is drawn, what is aimed at, the seal. What
// may be done comes from `legal`; the server judges any path that is drawn. `choice` is for the board and the panel
// beside it: one board a page is played on; miniatures leave it alone.

import type { BoardSettings } from '$lib/board/contract';
import { MOVEMENT, price } from './drawing';
import { actsOf, attackText, isAimed, isFree, Memory, MOST_STEPS, pathText, place, readOrder, ROLES, stride, trail } from './notation';
import type { Facing, Role, Shown } from './shown';
import { attackName, awaited, capital, chooseWords, orderWords, words } from './words';

export const choice = $state<{
  role: Role | null;
  /** 'path', or the attack that is being aimed. */
  mode: string;
  /** A cell that is only looked at. */
  looked: string | null;
}>({ role: null, mode: 'path', looked: null });

/** What the board knows. */
interface Given {
  shown: Shown;
  observer: number;
  seat: number | null;
  legal: string[];
  names: string[];
  /** A mace hits around its target, too. */
  wide: boolean;
  mini: boolean;
  settings: BoardSettings;
  /** A turn is being told: nothing is prepared meanwhile. */
  telling: boolean;
  play: (action: string) => Promise<boolean>;
  /** Brings a cell into sight, and the cursor to it. */
  show: (cell: string) => void;
}

export class Planning {
  /** Steps that are not sent yet. */
  draft = $state<string | null>(null);
  refused = $state('');
  sending = $state(false);
  asking = $state(false);
  #memory = new Memory();

  constructor(private given: () => Given) {}

  // -- what is selected, and what it may do ------------------------------------------------------------------------

  ended = $derived.by(() => this.given().shown.turn >= this.given().shown.turns);
  active = $derived.by(() => {
    const { seat, legal, telling } = this.given();
    return seat !== null && legal.length > 0 && !this.ended && !telling;
  });
  selected = $derived.by(() => (this.active && !this.given().mini ? choice.role : null));
  moves = $derived.by(() => this.given().shown.phase !== 'attacks');
  attacks = $derived.by(() => ['orders', 'attacks'].includes(this.given().shown.phase));
  mode = $derived.by(() =>
    choice.mode === 'path' ? (this.moves ? 'path' : 'attack') : this.attacks ? choice.mode : 'path',
  );
  standing = $derived.by(() => {
    const { shown, observer } = this.given();
    return new Map(shown.units.filter(({ team }) => team === observer).map((unit) => [unit.role, unit]));
  });
  unit = $derived.by(() => (this.selected ? this.standing.get(this.selected) : undefined));
  own = $derived.by(() => this.given().shown.own.find(({ role }) => role === this.selected));
  /** A new one ends whatever was being prepared; an order or a seal of somebody else does not. */
  moment = $derived.by(() => {
    const { shown, observer } = this.given();
    return `${observer}/${shown.turn}/${shown.phase}`;
  });
  offers = $derived.by(() => {
    const { legal, shown } = this.given();
    const ordered = shown.own.some(({ attack, path }) => attack || path);
    return this.#memory.offers(this.moment, legal, this.standing, ordered);
  });
  offer = $derived.by(() => (this.selected ? this.offers.get(this.selected) : undefined));
  targets = $derived.by(() => {
    const aimed = this.mode !== 'path' && this.mode !== 'reveal' && this.offer;
    return new Set<string>(aimed ? aimed.attacks.get(this.mode) : []);
  });
  reach = $derived.by(() => new Set<string>(this.mode === 'path' ? this.offer?.paths.keys() : []));
  cost = $derived.by(() => {
    if (!this.unit || !this.draft) return 0;
    return price(this.given().shown.rows, trail(this.unit.cell, this.draft).slice(0, -1).map(place));
  });
  tooFar = $derived.by(() => !!this.selected && this.cost > MOVEMENT[this.selected]);
  facing = $derived.by(() => readOrder(this.own?.path ?? '')?.facing ?? '');
  acts = $derived.by(() => (this.own ? actsOf(this.own, this.offer, this.moves, this.attacks) : []));

  // -- what one does -----------------------------------------------------------------------------------------------

  /** Nothing is prepared any more. */
  clear(): void {
    this.draft = null;
    this.asking = false;
    this.refused = '';
    if (!this.given().mini) Object.assign(choice, { role: null, mode: 'path' });
  }

  select(role: Role | null): void {
    this.draft = null;
    this.asking = false;
    this.refused = '';
    const again = role === choice.role;
    Object.assign(choice, { role: again ? null : role, mode: 'path', looked: null });
    const there = role && this.standing.get(role);
    if (there && !again) this.given().show(there.cell);
  }

  async send(text: string): Promise<boolean> {
    if (this.sending) return false;
    this.sending = true;
    this.refused = '';
    const accepted = await this.given().play(text);
    this.sending = false;
    this.draft = null;
    if (!accepted) this.refused = text;
    return accepted;
  }

  act(what: string): void {
    const { selected, mode } = this;
    if (!selected) return;
    this.draft = null;
    this.refused = '';
    if (what === 'path') choice.mode = 'path';
    else if (!isAimed(selected, what, this.given().wide)) void this.send(attackText(selected, what, ''));
    else choice.mode = mode === what ? 'path' : what;
  }

  look(to: Facing): void {
    if (!this.selected || !this.own || !this.moves) return;
    const steps = this.draft ?? readOrder(this.own.path)?.steps ?? '';
    void this.send(pathText(this.selected, steps, to));
  }

  async aim(cell: string): Promise<void> {
    if (!this.selected) return;
    const listed = this.offer?.attacks.get(this.mode) ?? [];
    if (listed.length && !listed.includes(cell) && !isFree(this.mode))
      return void (this.refused = words().on(attackName(this.selected, this.mode), cell));
    if ((await this.send(attackText(this.selected, this.mode, cell))) && this.moves) choice.mode = 'path';
  }

  ownAt(cell: string): Role[] {
    return ROLES.filter((role) => this.standing.get(role)?.cell === cell);
  }

  /** Where a path may be drawn from: a champion of one's own, or the end of the selected one's path. */
  begins(cell: string): boolean {
    if (!this.active || !this.moves || this.mode !== 'path') return false;
    if (this.ownAt(cell).length > 0) return true;
    return !!this.unit && !!this.own?.path && trail(this.unit.cell, readOrder(this.own.path)!.steps).at(-1) === cell;
  }

  /** The pointer came to a cell on the way; null: it is given up. */
  draw(cell: string | null): void {
    if (cell === null) return void (this.draft = null);
    if (this.draft === null) {
      const here = this.ownAt(cell);
      if (here.length && !(this.selected && here.includes(this.selected))) this.select(here[0]!);
      this.draft = here.length ? '' : (readOrder(this.own?.path ?? '')?.steps ?? '');
      return;
    }
    const from = this.standing.get(choice.role!)?.cell;
    if (!from) return;
    const back = trail(from, this.draft).indexOf(cell);
    if (back >= 0) return void (this.draft = this.draft.slice(0, back));
    for (const step of stride(trail(from, this.draft).at(-1)!, cell)) if (!this.extend(step as Facing)) break;
  }

  /** One step more, unless a wall or the edge is there. */
  extend(step: Facing): boolean {
    if (!this.unit || (this.draft?.length ?? 0) >= MOST_STEPS) return false;
    const { x, y } = place(trail(this.unit.cell, (this.draft ?? '') + step).at(-1)!);
    if ((this.given().shown.rows[y]?.[x] ?? '#') === '#') return false;
    this.draft = (this.draft ?? '') + step;
    return true;
  }

  /** Where the path that is being drawn ends. */
  get end(): string {
    return trail(this.unit!.cell, this.draft ?? '').at(-1)!;
  }

  order(): void {
    if (this.selected && this.draft) void this.send(pathText(this.selected, this.draft, ''));
    else this.draft = null;
  }

  async seal(): Promise<void> {
    if (!this.active || this.sending) return;
    if (this.given().settings.confirm && !this.asking) return void (this.asking = true);
    this.asking = false;
    await this.send('seal');
  }

  back(): void {
    if (this.asking) this.asking = false;
    else if (this.draft !== null) this.draft = null;
    else if (this.mode !== 'path' && this.moves) choice.mode = 'path';
    else this.select(null);
  }

  // -- in words ----------------------------------------------------------------------------------------------------

  says = $derived.by(() => {
    const { shown, observer, names } = this.given();
    const { selected, unit, own, mode } = this;
    const w = words();
    if (this.ended) return w.over;
    if (this.refused) return w.refused(this.refused);
    if (observer < 0) return w.watching;
    if (!this.active) return shown.sealed[observer] ? w.sealedWaiting(awaited(shown, names, observer)) : w.waiting;
    if (!selected || !unit) return chooseWords(shown);
    const who = capital(w[selected]);
    if (this.draft) return (this.tooFar ? w.tooFar : w.drawing)(who, this.cost, MOVEMENT[selected]);
    if (mode !== 'path') return (isFree(mode) ? w.aimingFree : w.aiming)(attackName(selected, mode));
    const text = own?.path ? orderWords(own.path, trail(unit.cell, readOrder(own.path)!.steps).at(-1)!) : '';
    return text ? w.ordered(who, text) : w.walking(who);
  });
}
