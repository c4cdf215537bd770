import type { ReactNode } from 'react';
import { spanOf } from '../../kit/chart-shapes.js';
import { Notice, Read } from '../../kit/feedback.js';
import { TimeStrip } from '../../kit/time-strip.js';
import { describeCells } from '../../kit/traffic-text.js';
import { textOf } from '../../text/text.js';
import type { Traffic } from './use-traffic.js';

const text = textOf('traffic');

interface TrafficStripProps extends Pick<Traffic, 'time' | 'whole'> {
  /** Absent for all adapters. */
  readonly adapter?: string;
}

/** Renders the time strip of a page. */
export function TrafficStrip({ time, whole, adapter }: TrafficStripProps): ReactNode {
  return (
    <Read query={whole} what={text('what')}>
      {(reply) => (
        <>
          {!reply.isComplete && <Notice kind="warning" title={text('incomplete')} />}
          <TimeStrip
            time={time}
            cells={reply.cells}
            marks={reply.marks}
            span={spanOf(reply)}
            label={`${adapter ?? text('allAdapters')}: ${describeCells(reply.cells)}`}
          />
        </>
      )}
    </Read>
  );
}
