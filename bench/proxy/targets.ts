import type { Figure } from '../figure.js';
import type { Abandoned } from './abandoned.js';
import type { Lateness, Summary } from './figures.js';

/** Results that the targets are checked against. */
export interface CheckedTarget {
  readonly summaries: readonly Summary[];
  readonly lateness: readonly Lateness[];
  readonly abandoned: Readonly<Record<string, Abandoned>>;
}

/**
 * Returns gatehouse's targets relative to the other contenders. Figures of skipped contenders are missing.
 */
export function targetFigures({ summaries, lateness, abandoned }: CheckedTarget): readonly Figure[] {
  const action = (name: string) =>
    summaries.find(({ contender, profile }) => contender === name && profile === 'action')?.ratios;
  const late = lateness.find(({ contender, rate }) => contender === 'gatehouse' && rate === 'half');
  const own = summaries.filter(({ contender }) => contender.startsWith('gatehouse'));
  const amiss = own.reduce((sum, { wrong, different, letIn }) => sum + wrong + different + letIn, 0);
  const figures: readonly Figure[] = [
    ratioFigure('CPU to HAProxy', action('gatehouse')?.['haproxy'], 1),
    ratioFigure('CPU to HAProxy, through Express', action('gatehouse-express')?.['haproxy'], 2),
    ratioFigure('CPU to the usual recipe', action('gatehouse')?.['usual'], 0.08),
    ratioFigure('p99 to HAProxy at half of capacity', late?.ratios['haproxy'], 1.5),
    countFigure('answers that were not right', amiss),
    countFigure('calls held for nobody', abandoned['gatehouse']?.held),
  ];
  return figures.filter(({ median }) => Number.isFinite(median));
}

function ratioFigure(what: string, ratio: number | undefined, most: number): Figure {
  return { what, unit: 'x', median: ratio ?? Number.NaN, target: { most } };
}

function countFigure(what: string, median = Number.NaN): Figure {
  return { what, unit: '', median, target: { most: 0 } };
}
