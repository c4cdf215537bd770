import { type ReactNode, useMemo } from 'react';
import { SPAN_MS } from '../../kit/time-range.js';
import type { TimeSpan, TimeSpanActions } from '../../kit/time-span.js';
import { TimeStrip } from '../../kit/time-strip.js';
import { textOf } from '../../text/text.js';
import { stripSpanOf } from '../traffic/use-traffic.js';
import { auditCells, auditSpan, loadedTime, outcomeCounts } from './audit-cells.js';
import type { AuditReply } from './record.js';

const text = textOf('audit');

interface AuditStripProps {
  readonly time: TimeSpan & TimeSpanActions;
  /** Undefined until the records are loaded. */
  readonly page: AuditReply | undefined;
  /** True if the page has older records than the newest. */
  readonly isLaterPage: boolean;
  /** End of the strip, in milliseconds since 1970. */
  readonly now: number;
}

/** Renders the time strip with the records that are loaded; the rest of the time is marked. */
export function AuditStrip({ time, page, isLaterPage, now }: AuditStripProps): ReactNode {
  const { selected } = time;
  const lengthMs = SPAN_MS[stripSpanOf(time, now)];
  const span = useMemo(() => auditSpan(now, lengthMs), [now, lengthMs]);
  const records = page?.results ?? [];
  const cells = useMemo(() => auditCells(page?.results ?? [], span), [page, span]);
  const loaded = loadedTime({
    records,
    searched: selected ?? span,
    hasOlder: page?.next !== undefined,
    hasNewer: isLaterPage,
  });
  return (
    <TimeStrip
      time={time}
      cells={cells}
      marks={[]}
      span={span}
      label={text('stripLabel', outcomeCounts(records))}
      loaded={page && loaded}
    />
  );
}
