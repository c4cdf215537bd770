import { formatMoment } from '../../kit/time-axis.js';
import type { TimeSpan } from '../../kit/time-range.js';
import { textOf } from '../../text/text.js';

const text = textOf('traffic');
const SPAN_KEYS = { '1h': '1hLong', '24h': '24hLong', '7d': '7dLong' } as const;

/** Describes a time: "last hour", or the start and the end of the selected part. */
export function timeLabel({ span, selected }: TimeSpan): string {
  if (!selected) return text(SPAN_KEYS[span]);
  return text('range', { from: formatMoment(selected.from), to: formatMoment(selected.to) });
}
