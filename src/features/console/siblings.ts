import type { FindLines, FoundLines, LineQuery } from '../../core/log.js';
import type { AnsweredRequest } from '../../core/metric.js';
import type { Clock } from '../../lib/clock.js';
import { singleFlight } from '../../lib/single-flight.js';
import type { CallerSums, CallerWindow } from '../traffic/caller-window.js';
import type { RecentCalls } from '../traffic/recent-calls.js';
import type { AdapterSums, TrafficWindow } from '../traffic/traffic-window.js';
import type { CallQuery } from './monitoring.js';

/** A question to the other processes of this server about what they have in memory. */
export type SiblingQuestion =
  | { readonly about: 'numbers' }
  | { readonly about: 'calls'; readonly query: CallQuery }
  | { readonly about: 'lines'; readonly query: LineQuery };

/** Numbers of the last five minutes in one process. */
interface SiblingNumbers {
  readonly adapters: readonly AdapterSums[];
  readonly callers: readonly CallerSums[];
}

/** Asks all other processes of this server; those that do not answer are left out. The answers are JSON. */
export type AskSiblings = (question: SiblingQuestion) => Promise<readonly unknown[]>;

/** Time for which numbers of other processes are shown, in milliseconds: they are requested only for a page. */
const MAX_AGE_MS = 5_000;

/** The numbers of the other processes, as they answered last. */
interface OtherNumbers {
  /** Asks the other processes, and then calls `read`. */
  readonly thenRead: <T>(read: () => Promise<T>) => Promise<T>;
  /** Asks the other processes for the next time, and returns what `read` returns with the latest numbers. */
  readonly readNow: <T>(read: () => T) => T;
  readonly adapters: () => readonly AdapterSums[];
  readonly callers: () => readonly CallerSums[];
}

/** Creates the numbers of the other processes, which are requested only for a page. */
export function createOtherNumbers(ask: AskSiblings, clock: Clock): OtherNumbers {
  let latest: readonly SiblingNumbers[] = [];
  let answeredAt = -Infinity;
  const recent = (): readonly SiblingNumbers[] => (clock.now() - answeredAt > MAX_AGE_MS ? [] : latest);
  const refresh = singleFlight(async () => {
    latest = (await ask({ about: 'numbers' })) as readonly SiblingNumbers[];
    answeredAt = clock.now();
  });
  return {
    thenRead: (read) => refresh().then(read),
    readNow(read) {
      void refresh();
      return read();
    },
    adapters: () => recent().flatMap(({ adapters }) => adapters),
    callers: () => recent().flatMap(({ callers }) => callers),
  };
}

interface OwnMemory {
  readonly window: TrafficWindow;
  readonly callers: CallerWindow;
  readonly calls: RecentCalls;
  readonly lines: FindLines;
}

export function answerOf(
  question: SiblingQuestion,
  { window, callers, calls, lines }: OwnMemory,
): SiblingNumbers | readonly AnsweredRequest[] | FoundLines {
  switch (question.about) {
    case 'numbers':
      return { adapters: window.sums(), callers: callers.sums() };
    case 'calls':
      return calls.latest(question.query);
    case 'lines':
      return lines(question.query);
  }
}

/** Returns the newest calls of all processes, newest first. */
export async function callsOfAll(
  query: CallQuery,
  { own, ask }: { readonly own: (query: CallQuery) => readonly AnsweredRequest[]; readonly ask: AskSiblings },
): Promise<readonly AnsweredRequest[]> {
  const answers = (await ask({ about: 'calls', query })) as readonly (readonly AnsweredRequest[])[];
  const all = [own(query), ...answers].flat();
  return all.sort((one, other) => other.startedAt - one.startedAt).slice(0, query.most);
}

/** Returns the newest lines of all processes, oldest first. */
export async function linesOfAll(
  query: LineQuery,
  { own, ask }: { readonly own: FindLines; readonly ask: AskSiblings },
): Promise<FoundLines> {
  const answers = (await ask({ about: 'lines', query })) as readonly FoundLines[];
  const all = [own(query), ...answers];
  // Each process has answered at another time: what is later than the first answer belongs to the next one.
  const latest = Math.min(...all.map((found) => found.latest));
  const lines = all
    .flatMap((found) => found.lines)
    .filter(({ id }) => id <= latest)
    .sort((one, other) => one.id - other.id);
  return {
    lines: lines.slice(-query.most),
    latest,
    missed: all.some(({ missed }) => missed) || (query.after > 0 && lines.length > query.most),
  };
}
