// Files that somebody opens: a record, with the log of a program beside it or not; or a log alone, for the match that
// is on the screen.

import { api, Problem } from '$lib/api/client';
import { checkLog, isLog, readLog, type Recorded } from './log';
import { keepLog } from './shelf';

const LONE_LOG = {
  fr: 'C’est le journal d’un programme\u00a0: ouvrez avec lui le fichier de sa partie (.json).',
  en: 'This is a program’s log: open the file of its match (.json) together with it.',
};

export interface Opened {
  name: string;
  text: string;
}

export async function contents(files: Iterable<File>): Promise<Opened[]> {
  return Promise.all([...files].map(async (file) => ({ name: file.name, text: await file.text() })));
}

const stem = ({ name }: Opened) => name.replace(/(\.flight\.jsonl|\.json)$/, '');

/** The record among some files, and the log that goes with it. */
export function pair(files: readonly Opened[]): { record: Opened | undefined; log: Opened | undefined } {
  const logs = files.filter(({ text }) => isLog(text));
  const records = files.filter((file) => !logs.includes(file));
  const record = records.find((each) => logs.some((log) => stem(log) === stem(each))) ?? records[0];
  return { record, log: logs.find((each) => record && stem(each) === stem(record)) ?? logs[0] };
}

/** Brings a record to the server, and its log no further than here; the id of the match. */
export async function bring(files: readonly Opened[]): Promise<string> {
  const { record, log } = pair(files);
  if (!record) throw new Problem('lone_log', LONE_LOG);
  if (log) checkLog(readLog(log.text), recordOf(record.text));
  const { id } = await api.importRecord(record.text);
  if (log) await keepLog(id, log.text);
  return id;
}

/** What is no record at all matches no log; the server says what is wrong with others. */
function recordOf(text: string): Recorded {
  const none = { game: '', start_digest: '', seats: [], entries: [] };
  try {
    return { ...none, ...(JSON.parse(text) as Partial<Recorded>) };
  } catch {
    return none;
  }
}

/** Puts a log beside the match that is on the screen, if it is its own. */
export async function attach(match: string, file: Opened): Promise<void> {
  const log = readLog(file.text);
  checkLog(log, await api.record(match));
  await keepLog(match, file.text);
}
