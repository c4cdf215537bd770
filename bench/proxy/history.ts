import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Summary } from './figures.js';
import { median } from './round-spread.js';
import { ratio, tableOf } from './table.js';

/** Ratios of one run: one line of the history file. */
export interface HistoryEntry {
  readonly at: string;
  readonly commit: string;
  /** Kind of the machine; ratios of other kinds are not compared. */
  readonly machine: string;
  /** Length of the run; ratios of shorter or longer runs are not compared. */
  readonly course: string;
  /** CPU time of gatehouse to that of the other contenders, by profile. */
  readonly ratios: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** A ratio beside the median of earlier runs. */
interface ComparedRatio {
  readonly profile: string;
  readonly contender: string;
  readonly before: number;
  readonly now: number;
}

/** Number of the latest comparable runs whose median is what a run is compared with. */
const COMPARED_RUNS = 5;

/** A ratio above this multiple of the median is a regression. */
const REGRESSION = 1.15;

/**
 * Returns gatehouse's ratios of a run: those to itself and its other forms are left out, and those of programs
 * that were not warm.
 */
export function historyEntry(
  summaries: readonly Summary[],
  about: Omit<HistoryEntry, 'ratios'>,
): HistoryEntry {
  const warm = summaries.filter(({ isCold }) => !isCold);
  const own = warm.filter(({ contender }) => contender === 'gatehouse');
  const ratios = own.map(({ profile, ratios }) => {
    const others = warm
      .filter((one) => one.profile === profile && !one.contender.startsWith('gatehouse'))
      .map(({ contender }) => [contender, ratios[contender]?.median] as const);
    return [profile, Object.fromEntries(others.filter(([, ratio]) => ratio !== undefined))] as const;
  });
  return { ...about, ratios: Object.fromEntries(ratios) as HistoryEntry['ratios'] };
}

/** Returns the entries of a history file, oldest first; none if the file does not exist. */
export function readHistory(file: string): readonly HistoryEntry[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as HistoryEntry);
}

/** Adds an entry to the end of a history file. */
export function appendHistory(file: string, entry: HistoryEntry): void {
  mkdirSync(dirname(file), { recursive: true });
  appendFileSync(file, `${JSON.stringify(entry)}\n`);
}

/** Returns each ratio beside the median of the latest comparable entries; ratios without any are left out. */
export function compareWithHistory(
  entry: HistoryEntry,
  history: readonly HistoryEntry[],
): readonly ComparedRatio[] {
  const comparable = history.filter(
    ({ machine, course }) => machine === entry.machine && course === entry.course,
  );
  return Object.entries(entry.ratios).flatMap(([profile, ratios]) =>
    Object.entries(ratios).flatMap(([contender, now]) => {
      const earlier = comparable.flatMap((one) => one.ratios[profile]?.[contender] ?? []);
      return earlier.length === 0
        ? []
        : [{ profile, contender, before: median(earlier.slice(-COMPARED_RUNS)), now }];
    }),
  );
}

/** Returns true if a ratio is more than 15 % above the median. */
export function isRegression({ before, now }: ComparedRatio): boolean {
  return now > before * REGRESSION;
}

/** Returns the table of the comparison. */
export function historyTable(compared: readonly ComparedRatio[]): readonly string[] {
  const rows = compared.map((one) => [
    `${one.profile}: CPU to ${one.contender}`,
    ratio(one.before),
    ratio(one.now),
    `${one.now < one.before ? '' : '+'}${((one.now / one.before - 1) * 100).toFixed(0)} %`,
    isRegression(one) ? 'REGRESSION' : '',
  ]);
  return tableOf([['beside earlier runs', 'before', 'now', '', ''], ...rows]);
}
