import { type ReactNode, useCallback, useMemo, useState } from 'react';
import type { TrafficCell, TrafficReply } from '../../api/observe.js';
import { Button } from '../../kit/button.js';
import { columnSpanOf, spanOf } from '../../kit/chart-shapes.js';
import { Read } from '../../kit/feedback.js';
import { HeatMap } from '../../kit/heat-map.js';
import { Panel } from '../../kit/page.js';
import { timeQuery } from '../../kit/time-range.js';
import { TrafficChart } from '../../kit/traffic-chart.js';
import { textOf } from '../../text/text.js';
import { pathOfAdapter } from '../adapters/adapter-path.js';
import { FlowAndLatencies } from '../traffic/flow-and-latencies.js';
import { timeLabel } from '../traffic/time-label.js';
import { TrafficStrip } from '../traffic/traffic-strip.js';
import { TrafficTable } from '../traffic/traffic-table.js';
import { auditPath, useTraffic } from '../traffic/use-traffic.js';

const text = textOf('traffic');

/** Number of adapters in the heat map at first, and on demand. */
const [SHOWN_ADAPTERS, MAX_ADAPTERS] = [40, 200];

/** Renders the traffic of all adapters over time: the strip, the chart, the heat map, and who calls whom. */
export function TrafficOverview(): ReactNode {
  const [limit, setLimit] = useState(SHOWN_ADAPTERS);
  const { time, shown, whole } = useTraffic({ limit });
  return (
    <>
      <TrafficStrip time={time} whole={whole} />
      <Read query={shown} what={text('what')}>
        {(reply) => (
          <>
            <Panel title={text('traffic')}>
              <TrafficChart
                cells={reply.cells}
                marks={reply.marks}
                span={spanOf(reply)}
                label={`${text('allAdapters')}, ${timeLabel(time)}`}
                pathOf={({ at }) => auditPath(at, reply.cellSeconds * 1000)}
                hint={text('barHintAudit')}
              />
              <TrafficTable cells={reply.cells} />
            </Panel>
            {reply.adapters.length > 0 && (
              <Panel title={text('heatMap')}>
                <AdapterHeatMap reply={reply} />
                {reply.adaptersLeft > 0 && (
                  <p className="gh-quiet">
                    {text('heatLeft', { count: reply.adaptersLeft })}{' '}
                    {limit < MAX_ADAPTERS && (
                      <Button kind="link" isSmall onPress={() => setLimit(MAX_ADAPTERS)}>
                        {text('heatAll')}
                      </Button>
                    )}
                  </p>
                )}
              </Panel>
            )}
            <FlowAndLatencies reply={reply} />
          </>
        )}
      </Read>
    </>
  );
}

function AdapterHeatMap({ reply }: { readonly reply: TrafficReply }): ReactNode {
  const { from, to, columnSeconds } = reply;
  // The same values for each render, so that the map is rendered again only with new numbers.
  const span = useMemo(() => columnSpanOf({ from, to, columnSeconds }), [from, to, columnSeconds]);
  const pathOfCell = useCallback(
    (name: string, cell?: TrafficCell) =>
      cell
        ? `${pathOfAdapter(name)}?${timeQuery({ from: cell.at, to: cell.at + columnSeconds * 1000 })}`
        : pathOfAdapter(name),
    [columnSeconds],
  );
  return <HeatMap rows={reply.adapters} span={span} pathOf={pathOfCell} />;
}
