import { listFormat, numberFormat } from '../text/locale.js';

const wholeNumber = { maximumFractionDigits: 0 } as const;
const oneDigit = { maximumFractionDigits: 1 } as const;

/** Formats a count with thousands separators: `12,345`. */
export function formatCount(count: number): string {
  return numberFormat(wholeNumber).format(count);
}

/** Formats a count with its noun: `1 call`, `2 calls`. */
export function formatAmount(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** Formats calls per minute: `0.4/min`, `1,204/min`. */
export function formatRate(perMinute: number): string {
  return `${numberFormat(perMinute < 10 ? oneDigit : wholeNumber).format(perMinute)}/min`;
}

/** Formats a duration in milliseconds: `0.4 ms`, `87 ms`, `1.2 s`, `2 min`; a dash for null. */
export function formatDuration(ms: number | null): string {
  if (ms === null) return '–';
  if (ms < 10) return `${numberFormat(oneDigit).format(ms)} ms`;
  if (ms < 999.5) return `${numberFormat(wholeNumber).format(ms)} ms`;
  return ms < 120_000
    ? `${numberFormat(oneDigit).format(ms / 1000)} s`
    : `${numberFormat(wholeNumber).format(ms / 60_000)} min`;
}

/** Formats a share: `0 %`, `<0.1 %`, `2.5 %`; a dash if the total is 0. */
export function formatShare(part: number, all: number): string {
  if (all === 0) return '–';
  const percent = (part / all) * 100;
  if (percent > 0 && percent < 0.1) return '<0.1 %';
  return `${numberFormat(oneDigit).format(percent)} %`;
}

/** Formats a list of names: `a, b, and c`. */
export function formatList(names: readonly string[]): string {
  return listFormat().format(names);
}

/** Formats a list of alternatives: `a, b, or c`. */
export function formatAlternatives(names: readonly string[]): string {
  return listFormat('disjunction').format(names);
}

/** Formats a duration in its two largest units: `3 d 4 h`, `12 min`, `45 s`. */
export function formatUptime(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  if (first === -1) return `${seconds} s`;
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}
