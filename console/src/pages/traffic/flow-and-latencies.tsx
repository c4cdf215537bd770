import type { ReactNode } from 'react';
import type { TrafficReply } from '../../api/observe.js';
import { FlowDiagram } from '../../kit/flow-diagram.js';
import { LatencyBars } from '../../kit/latency-bars.js';
import { Panel } from '../../kit/page.js';
import { textOf } from '../../text/text.js';
import { pathOfAdapter } from '../adapters/adapter-path.js';

const text = textOf('traffic');

/** Renders the calls of a time from callers to adapters, and by response time; nothing without a call. */
export function FlowAndLatencies({ reply }: { readonly reply: TrafficReply }): ReactNode {
  if (reply.flows.length === 0) return null;
  return (
    <div className="gh-traffic-pair">
      <Panel title={text('flow')}>
        <FlowDiagram flows={reply.flows} pathOf={pathOfAdapter} />
      </Panel>
      <Panel title={text('latencies')}>
        <LatencyBars bars={reply.latencies} />
      </Panel>
    </div>
  );
}
