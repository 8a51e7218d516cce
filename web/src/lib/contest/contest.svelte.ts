// A contest on the screen: how it stood when we came, and everything that changed since.

import { at } from '$lib/base';
import type { components } from '$lib/api/schema';
import { Line, type LineState, type Wire } from '$lib/match/socket';

type Schemas = components['schemas'];
export type Shown = Schemas['ContestShown'];
export type News = Schemas['ContestNews'];
export type TableLine = Schemas['ContestLine'];
export type Meeting = Schemas['ContestMeeting'];
export type Result = Schemas['ContestResult'];

const RECENT = 12;

/** Pure: how things stand after the news. */
export function after(before: News, news: News): News {
  const lines = new Map([...before.lines, ...news.lines].map((line) => [line.name, line]));
  const meetings = new Map([...before.meetings, ...news.meetings].map((met) => [JSON.stringify([met.one, met.two]), met]));
  return {
    ...news,
    lines: [...lines.values()].sort((a, b) => (a.place || Infinity) - (b.place || Infinity) || 0),
    meetings: [...meetings.values()],
    results: [...before.results, ...news.results].slice(-RECENT),
  };
}

export class ContestOnScreen {
  about = $state.raw<Shown | null>(null);
  now = $state.raw<News | null>(null);
  /** By how many places each has just moved, upwards positive. */
  moved = $state.raw<Record<string, number>>({});
  state = $state<LineState>('connecting');
  private line: Line;

  constructor(id: string, dial?: (address: string) => Wire) {
    const address = `${location.origin.replace('http', 'ws')}${at(`/ws/contests/${encodeURIComponent(id)}`)}`;
    const events = {
      greeting: () => [],
      heard: (word: unknown) => this.hear(word as Shown | News | { type: 'pong' }),
      changed: (state: LineState) => (this.state = state),
    };
    this.line = new Line(address, events, dial);
  }

  close(): void {
    this.line.close();
  }

  private hear(word: Shown | News | { type: 'pong' }): void {
    if ('now' in word) {
      this.about = word;
      this.now = word.now;
    } else if ('seq' in word && this.now) {
      const places = new Map(this.now.lines.map((line) => [line.name, line.place]));
      this.now = after(this.now, word);
      this.moved = Object.fromEntries(
        this.now.lines.flatMap(({ name, place }) => {
          const was = places.get(name) ?? place;
          return was === place || !was || !place ? [] : [[name, was - place]]; // 0: no place yet
        }),
      );
    }
  }
}
