import { niceTop } from './chart-shapes.js';

/** Scale of an axis: values above `top` are drawn at the top, with a mark. */
export interface ClippedScale {
  readonly top: number;
  readonly isClipped: boolean;
}

/** Part of the values that a clipped scale shows in full. */
const SHOWN_PART = 0.95;
/** A scale is clipped if the highest value is this many times the highest value that is shown in full. */
const SPIKE_FACTOR = 4;

/** Returns the scale of values from 0. A few spikes do not flatten all other values. */
export function clippedScale(values: readonly number[]): ClippedScale {
  const sorted = values.filter((value) => value > 0).sort((one, other) => one - other);
  const highest = sorted.at(-1) ?? 1;
  const usual = sorted[Math.max(0, Math.ceil(sorted.length * SHOWN_PART) - 1)] ?? 1;
  if (highest <= usual * SPIKE_FACTOR) return { top: niceTop(highest), isClipped: false };
  return { top: niceTop(usual * 1.5), isClipped: true };
}

/** Logarithmic scale of durations, in whole decades. */
export interface LogScale {
  readonly low: number;
  readonly high: number;
  /** Lines of the scale, the lowest first. */
  readonly lines: readonly number[];
}

/** Returns the decades that contain all durations; one millisecond is the lowest. */
export function logScale(durations: readonly number[]): LogScale {
  const known = durations.map((ms) => Math.max(ms, 1));
  const low = 10 ** Math.floor(Math.log10(Math.min(...known, 10)));
  const high = Math.max(low * 10, 10 ** Math.ceil(Math.log10(Math.max(...known, 1))));
  const decades = Math.round(Math.log10(high / low));
  return { low, high, lines: Array.from({ length: decades + 1 }, (_line, index) => low * 10 ** index) };
}

/** Returns the height of a duration on a scale, from 0 to 1. */
export function logHeight(ms: number, { low, high }: LogScale): number {
  const part = Math.log10(Math.max(ms, low) / low) / Math.log10(high / low);
  return Math.min(1, Math.max(0, part));
}
