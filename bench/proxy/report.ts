import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chartOf } from './chart.js';
import { type Lateness, type Summary, summarise, summariseLateness } from './figures.js';
import {
  appendHistory,
  compareWithHistory,
  type HistoryEntry,
  historyEntry,
  historyTable,
  isRegression,
  readHistory,
} from './history.js';
import type { Options } from './options.js';
import { type PauseHistogram, pauseTable } from './pauses.js';
import { median } from './round-spread.js';
import type { Measured } from './rounds.js';
import { abandonedTable, latenessTable, percent, summaryTable } from './table.js';
import { targetFigures, targetTable } from './targets.js';

/** Everything that a run has found. */
export interface Found extends Measured {
  /** By contender. */
  readonly pauses: Readonly<Record<string, readonly PauseHistogram[]>>;
  readonly about: About;
}

/** Where and with what a run was measured. */
export interface About {
  readonly at: string;
  readonly commit: string;
  readonly node: string;
  readonly cpu: string;
  readonly cpus: number;
  readonly load: string;
  readonly upstream: string;
}

type PrintLine = (text: string) => void;

/** Where the tables and the figures go. */
interface Output {
  readonly print: PrintLine;
  readonly writeFigures: (figures: object) => void;
}

/** Contenders that the tables compare with, in this order, where they were measured. */
const ANCHORS = ['envoy-lua', 'fastify', 'haproxy', 'usual'];

/** Prints the tables and the summary, and writes the figures; returns false if a ratio is a regression. */
export function report(found: Found, options: Options, { print, writeFigures }: Output): boolean {
  const anchors = anchorsOf(found, options);
  const summaries = printClosedLoops(found, anchors, print);
  const lateness = printOpenLoops(found, anchors, print);
  print('\ncallers who left before the reply');
  for (const line of abandonedTable(found.abandoned)) print(line);
  for (const [contender, histograms] of Object.entries(found.pauses)) {
    print(`\n${contender} at half of capacity, in a separate round`);
    for (const line of pauseTable(histograms)) print(line);
  }
  print('\nsummary: medians of the rounds, with the least and the most');
  for (const line of targetTable(targetFigures({ ...found, summaries, lateness }))) print(line);
  for (const line of noteLines(found)) print(line);
  const { about, ...measured } = found;
  print('');
  writeFigures({ ...about, options, summaries, lateness, ...measured });
  print(`chart:   ${writeChart(summaries, options)}`);
  return keepHistory(summaries, { about, options }, print);
}

function anchorsOf({ closed }: Found, { beside }: Options): readonly string[] {
  const own = beside === undefined ? [] : ['gatehouse'];
  return [...own, ...ANCHORS].filter((name) => closed.some(({ contender }) => contender === name));
}

function printClosedLoops(
  { closed }: Found,
  anchors: readonly string[],
  print: PrintLine,
): readonly Summary[] {
  return [...new Set(closed.map(({ profile }) => profile))].flatMap((name) => {
    const summaries = summarise(closed.filter(({ profile }) => profile === name));
    print(`\n${name}, closed loop`);
    for (const line of summaryTable(summaries, anchors)) print(line);
    return summaries;
  });
}

function printOpenLoops({ open }: Found, anchors: readonly string[], print: PrintLine): readonly Lateness[] {
  return open.flatMap(({ rate, measurements }) => {
    const lateness = summariseLateness(measurements, rate);
    const rates = [...new Set(measurements.map((one) => one.rate))].join(', ');
    print(`\nopen loop, ${rates} requests a second${rate === 'half' ? ' (half of what gatehouse can)' : ''}`);
    for (const line of latenessTable(lateness, anchors)) print(line);
    return lateness;
  });
}

/** Returns what to know before a figure is believed. */
function noteLines({ closed, open }: Found): readonly string[] {
  const others = [...closed, ...open.flatMap(({ measurements }) => measurements)].map(
    ({ outcome }) => outcome.others,
  );
  const cold = new Set(closed.filter(({ outcome }) => outcome.isCold).map(({ contender }) => contender));
  return [
    `other work on the machine: ${percent(median(others))}, at most ${percent(Math.max(...others))}`,
    ...(cold.size === 0 ? [] : [`not warm in time, so that figures are too high: ${[...cold].join(', ')}`]),
  ];
}

/** Writes the chart of the closed loops; returns its path. */
function writeChart(summaries: readonly Summary[], { results }: Options): string {
  const anchor = ['envoy-lua', 'haproxy'].find((name) =>
    summaries.some(({ contender }) => contender === name),
  );
  const file = join(results, 'proxy.svg');
  writeFileSync(file, chartOf(summaries, anchor ?? ''));
  return file;
}

function keepHistory(
  summaries: readonly Summary[],
  { about, options }: { readonly about: About; readonly options: Options },
  print: PrintLine,
): boolean {
  const entry = historyEntry(summaries, historyAbout(about, options));
  if (Object.keys(entry.ratios).length === 0) {
    print('history: nothing is added or compared, because gatehouse was not measured or not warm');
    return true;
  }
  const compared = compareWithHistory(entry, readHistory(options.history));
  appendHistory(options.history, entry);
  print(`history: ${options.history}`);
  if (compared.length === 0) print('no earlier run of this machine kind and length to compare with');
  else for (const line of historyTable(compared)) print(line);
  return !compared.some(isRegression);
}

function historyAbout(about: About, { rounds, seconds, warm }: Options): Omit<HistoryEntry, 'ratios'> {
  return {
    at: about.at,
    commit: about.commit,
    machine: `${about.cpu} (${about.cpus}), Node.js ${about.node.split('.')[0] ?? ''}`,
    course: `${rounds} rounds, ${seconds} s after ${warm} s`,
  };
}
