import { writeFileSync } from 'node:fs';
import { constants, performance, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';
import type { PauseRecording } from './pauses.js';

// Loaded with `node --import` into the measured process: records how late its event loop is and how long its
// garbage collections take, and writes both at the exit to the file that the query of this URL names.

/** Interval in milliseconds between two looks at the event loop. */
const INTERVAL_MS = 1;

const GC_NAMES: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'gc: minor',
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'gc: major',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'gc: incremental',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'gc: weak callbacks',
};

/** An entry of type `gc`, whose detail the types of Node.js leave out. */
interface GcEntry extends PerformanceEntry {
  readonly detail: { readonly kind: number };
}

const file = new URL(import.meta.url).searchParams.get('file');
// Worker threads inherit the option.
if (isMainThread && file !== null) record(file);

function record(file: string): void {
  const pauses: PauseRecording = {};
  const note = (kind: string, at: number, ms: number): void => {
    (pauses[kind] ??= []).push([performance.timeOrigin + at, ms]);
  };
  let last = performance.now();
  setInterval(() => {
    const now = performance.now();
    note('event loop', last, Math.max(0, now - last - INTERVAL_MS));
    last = now;
  }, INTERVAL_MS).unref();
  new PerformanceObserver((list) => {
    for (const { startTime, duration, detail } of list.getEntries() as GcEntry[])
      note(GC_NAMES[detail.kind] ?? 'gc: other', startTime, duration);
  }).observe({ entryTypes: ['gc'] });
  process.on('exit', () => {
    writeFileSync(file, JSON.stringify(pauses));
  });
}
