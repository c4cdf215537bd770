import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT, sourceOf } from './paths.js';

/**
 * Duration of the last run of each test file in seconds. The longest files start first, so that no single
 * process runs at the end.
 */
interface Durations {
  /** Sorts files by duration, the longest first; files that never ran are sorted by size. */
  sort(files: readonly string[]): readonly string[];
  /** Stores the durations of files, and keeps those of other files. */
  save(seconds: ReadonlyMap<string, number>): void;
}

type SecondsOfFiles = Readonly<Record<string, number>>;

/** Bytes of compiled tests that take about a second; used only for files that never ran. */
const BYTES_A_SECOND = 20_000;

/** Seconds of the slow test files, by their sources: all that a new checkout knows of durations. */
export const SLOW_FILES = join(ROOT, 'test', 'slow-files.json');

/** Least seconds of a file in {@link SLOW_FILES}. */
const SLOW_SECONDS = 10;

export function openDurations(cache: string, slowFiles = SLOW_FILES): Durations {
  const known = { ...readSeconds(slowFiles), ...readSeconds(cache) };
  const secondsOf = (file: string): number => known[sourceOf(file)] ?? statSync(file).size / BYTES_A_SECOND;
  return {
    sort: (files) => files.toSorted((one, other) => secondsOf(other) - secondsOf(one)),
    save(seconds) {
      mkdirSync(dirname(cache), { recursive: true });
      writeFileSync(cache, JSON.stringify({ ...known, ...bySource(seconds) }));
    },
  };
}

/** Writes the slow files of a run into a file like {@link SLOW_FILES}. A file that did not run keeps its seconds. */
export function writeSlowFiles(path: string, seconds: ReadonlyMap<string, number>): void {
  const slow = Object.entries({ ...readSeconds(path), ...bySource(seconds) })
    .map(([file, taken]) => [file, Math.round(taken)] as const)
    .filter(([file, taken]) => taken >= SLOW_SECONDS && existsSync(join(ROOT, file)))
    .sort(([, one], [, other]) => other - one);
  writeFileSync(path, `${JSON.stringify(Object.fromEntries(slow), undefined, 2)}\n`);
}

function bySource(seconds: ReadonlyMap<string, number>): SecondsOfFiles {
  return Object.fromEntries([...seconds].map(([file, taken]) => [sourceOf(file), taken]));
}

function readSeconds(path: string): SecondsOfFiles {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as SecondsOfFiles;
  } catch {
    // The cache does not exist before the first run; a torn file is ignored.
    return {};
  }
}
