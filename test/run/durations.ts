import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { sourceOf } from './paths.js';

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

/** Bytes of compiled tests that take about a second; used only for files that never ran. */
const BYTES_A_SECOND = 20_000;

export function openDurations(cache: string): Durations {
  const known = readCache(cache);
  const secondsOf = (file: string): number => known[sourceOf(file)] ?? statSync(file).size / BYTES_A_SECOND;
  return {
    sort: (files) => files.toSorted((one, other) => secondsOf(other) - secondsOf(one)),
    save(seconds) {
      mkdirSync(dirname(cache), { recursive: true });
      const latest = [...seconds].map(([file, taken]) => [sourceOf(file), taken] as const);
      writeFileSync(cache, JSON.stringify({ ...known, ...Object.fromEntries(latest) }));
    },
  };
}

function readCache(cache: string): Readonly<Record<string, number>> {
  try {
    return JSON.parse(readFileSync(cache, 'utf8')) as Readonly<Record<string, number>>;
  } catch {
    // The file does not exist before the first run; a torn file is ignored.
    return {};
  }
}
