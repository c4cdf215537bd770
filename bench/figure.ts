import { quantile } from './quantile.js';

/** A figure with its maximum (`most`) or minimum (`least`); without either, it is reported for comparison. */
export interface Figure {
  readonly what: string;
  readonly unit: string;
  readonly median: number;
  /** 95th percentile of the measurements. */
  readonly p95?: number;
  readonly target?: { readonly most: number } | { readonly least: number };
  /** True if the target applies to the 95th percentile instead of the median. */
  readonly isP95?: boolean;
}

/** Returns true if a figure meets its target. */
export function isMet({ median, p95 = median, target, isP95 = false }: Figure): boolean {
  if (!target) return true;
  const value = isP95 ? p95 : median;
  return 'most' in target ? value <= target.most : value >= target.least;
}

/** Summarizes many measurements. */
export function spread(values: readonly number[]): { readonly median: number; readonly p95: number } {
  return { median: quantile(values, 0.5), p95: quantile(values, 0.95) };
}

/** Head of a table of figures. */
export const FIGURE_HEAD = cells(['figure', 'median', 'p95', 'target', '']);

/** Returns one line of a table of figures. */
export function figureLine(figure: Figure): string {
  const { what, unit, median, p95 } = figure;
  const verdict = isMet(figure) ? 'ok' : 'MISSED';
  const p95Shown = p95 === undefined ? '' : short(p95);
  return cells([
    what,
    `${short(median)}${figure.target ? '' : ` ${unit}`}`,
    p95Shown,
    boundOf(figure),
    figure.target ? verdict : '',
  ]);
}

function boundOf({ target, unit, isP95 = false }: Figure): string {
  if (!target) return '';
  const bound = 'most' in target ? `<= ${target.most}` : `>= ${target.least}`;
  return `${bound} ${unit}${isP95 ? ' (p95)' : ''}`;
}

function short(value: number): string {
  return value < 10 ? value.toFixed(value < 3 ? 2 : 1) : String(Math.round(value));
}

function cells([what = '', ...rest]: readonly string[]): string {
  return `${what.padEnd(44)}${rest.map((cell) => cell.padStart(18)).join('')}`.trimEnd();
}
