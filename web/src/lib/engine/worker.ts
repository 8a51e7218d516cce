// The worker in which an engine thinks: one question after the other, away from the page's thread. To end a thought
// before its time the page ends the worker: without a shared memory nothing else can reach it.

import { Adviser } from './adviser';
import { Engine } from './engine';
import { Opponent } from './opponent';
import { Rules, type Outlook } from './rules';
import type { Answer, Question } from './talk';

let adviser: Adviser | undefined;
let opponent: Opponent | undefined;
let rules: Rules;
let outlook: Outlook;

async function answer(question: Question): Promise<Answer> {
  const { id } = question;
  if (question.kind === 'begin') {
    rules = new Rules(await Engine.make(question.module, question.about));
    outlook = rules.newOutlook(rules.engine.rows('Terms'));
    return { id, kind: 'ready' };
  }
  rules.outlookFromBytes(outlook, question.seat, question.bytes);
  if (question.kind === 'choose') {
    opponent ??= new Opponent(rules);
    return { id, kind: 'chosen', chosen: opponent.choose(outlook, question.task) };
  }
  adviser ??= new Adviser(rules); // either has room for millions of positions
  if (question.kind === 'judge') return { id, kind: 'judged', judged: adviser.judge(outlook, question.action, question.time) };
  const told = adviser.think(outlook, question.time, (opinion) => postMessage({ id, kind: 'told', opinion } satisfies Answer));
  return { id, kind: 'thought', opinion: told };
}

onmessage = async ({ data }: MessageEvent<Question>) => {
  try {
    postMessage(await answer(data));
  } catch (error) {
    postMessage({ id: data.id, kind: 'failed', why: String(error) } satisfies Answer);
  }
};
