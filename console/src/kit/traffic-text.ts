import type { DetailedCell, Mark, TrafficCell } from '../api/observe.js';
import { textOf } from '../text/text.js';
import { sumOf } from './chart-shapes.js';
import { formatDuration, formatShare } from './numbers.js';
import { formatMoment } from './time-axis.js';

const text = textOf('traffic');

/** Describes a cell: `Nov 25, 14:05: 120 calls, 3 errors, p50 20 ms, p95 80 ms`. */
export function describeCell(
  at: number,
  cell: TrafficCell | DetailedCell | undefined,
  events: readonly Pick<Mark, 'text'>[] = [],
): string {
  return [formatMoment(at), ...partsOf(cell), ...events.map((event) => event.text)].join(' · ');
}

function partsOf(cell: TrafficCell | DetailedCell | undefined): readonly string[] {
  if (!cell) return [text('noCalls')];
  const { calls, errors, clientErrors, p50Ms, p95Ms } = cell;
  const counts =
    calls === 0
      ? [text('noCalls')]
      : [
          text('calls', { count: calls }),
          text('errors', { count: errors }),
          ...rejectedParts(clientErrors),
          text('latencyOf', { p50: formatDuration(p50Ms), p95: formatDuration(p95Ms) }),
        ];
  if (!('maxInFlight' in cell)) return counts;
  const { maxInFlight, maxWaiting, openSeconds } = cell;
  return [
    ...counts,
    ...(maxInFlight + maxWaiting > 0
      ? [text('queueOf', { inFlight: maxInFlight, waiting: maxWaiting })]
      : []),
    ...(openSeconds > 0 ? [text('breakerOpenFor', { time: formatDuration(openSeconds * 1000) })] : []),
  ];
}

/** Summarizes all cells in one sentence, for screen readers. */
export function describeCells(cells: readonly TrafficCell[]): string {
  const calls = sumOf(cells, 'calls');
  if (calls === 0) return text('noCalls');
  const errors = sumOf(cells, 'errors');
  const rejected = sumOf(cells, 'clientErrors');
  const parts = {
    calls: text('calls', { count: calls }),
    errors: text('errors', { count: errors }),
    share: formatShare(errors, calls),
    slowest: formatDuration(Math.max(...cells.map(({ p95Ms }) => p95Ms ?? 0))),
  };
  return rejected === 0
    ? text('summary', parts)
    : text('summaryRejected', {
        ...parts,
        rejected: text('rejected', { count: rejected }),
        rejectedShare: formatShare(rejected, calls),
      });
}

/** Returns the number of rejected calls as text; nothing without one. */
export function rejectedParts(count: number): readonly string[] {
  return count === 0 ? [] : [text('rejected', { count })];
}
