import type { ReactNode } from 'react';
import type { AdapterStatusView } from '../../api/observe.js';
import { Facts, InlineList } from '../../kit/facts.js';
import { Notice, Read } from '../../kit/feedback.js';
import { Link } from '../../kit/link.js';
import { formatAmount, formatRate, formatShare, formatDuration } from '../../kit/numbers.js';
import { Panel } from '../../kit/page.js';
import { StatusLabel } from '../../kit/status.js';
import { Ago } from '../../kit/time.js';
import { TrafficChart } from '../../kit/traffic-chart.js';
import { textOf } from '../../text/text.js';
import { breakerOf, connectionOf, adapterStatusOf, stateOf } from '../adapters/status.js';
import { spanOf } from '../../kit/chart-shapes.js';
import { FlowAndLatencies } from '../traffic/flow-and-latencies.js';
import { timeLabel } from '../traffic/time-label.js';
import { TrafficStrip } from '../traffic/traffic-strip.js';
import { TrafficTable } from '../traffic/traffic-table.js';
import { auditPath, callsPath, useTraffic } from '../traffic/use-traffic.js';
import { TimelineEvents } from './traffic-numbers.js';
import { pathOfAdapter } from '../adapters/adapter-path.js';

const text = textOf('traffic');
const statusText = textOf('status');

/** Renders the current state of an adapter, its cause, and its traffic over time. */
export function OverviewTab({ adapter }: { readonly adapter: AdapterStatusView }): ReactNode {
  return (
    <>
      {adapter.cause !== null && (
        <Notice
          kind={adapterStatusOf(adapter).status === 'bad' ? 'danger' : 'warning'}
          title={adapter.cause}
        />
      )}
      <CurrentState adapter={adapter} />
      <TrafficHistory name={adapter.name} />
      <Panel title="Details">
        <Facts facts={detailsOf(adapter)} />
      </Panel>
    </>
  );
}

function CurrentState({ adapter }: { readonly adapter: AdapterStatusView }): ReactNode {
  const { traffic, inFlight, waiting } = adapter;
  const [state, connection] = [stateOf(adapter), connectionOf(adapter)];
  const { perMinute, errorsPerMinute, p50Ms, p95Ms } = traffic;
  return (
    <InlineList
      label="Now"
      facts={{
        State: <StatusLabel status={state.status}>{state.word}</StatusLabel>,
        Connection: <StatusLabel status={connection.status}>{connection.word}</StatusLabel>,
        Calls: <Link to={`${pathOfAdapter(adapter.name)}?tab=calls`}>{formatRate(perMinute)}</Link>,
        Errors: formatShare(errorsPerMinute, perMinute),
        'p50 / p95': `${formatDuration(p50Ms)} / ${formatDuration(p95Ms)}`,
        'In flight': formatAmount(inFlight, 'call'),
        Queue: formatAmount(waiting, 'call'),
      }}
    />
  );
}

function TrafficHistory({ name }: { readonly name: string }): ReactNode {
  const { time, shown, whole } = useTraffic({ adapter: name });
  return (
    <>
      <TrafficStrip time={time} whole={whole} adapter={name} />
      <Read query={shown} what={text('what')}>
        {(reply) => (
          <>
            <Panel title={text('traffic')}>
              <TrafficChart
                cells={reply.cells}
                marks={reply.marks}
                span={spanOf(reply)}
                label={`${name}, ${timeLabel(time)}`}
                pathOf={({ at }) => callsPath(name, at, reply.cellSeconds * 1000)}
                hint={text('barHint')}
              />
              <p className="gh-traffic-links">
                <Link to={callsPath(name, reply.from, reply.to - reply.from)}>{text('callsOfTime')}</Link>
                <Link to={auditPath(reply.from, reply.to - reply.from)}>{text('auditOfTime')}</Link>
              </p>
              <TrafficTable cells={reply.cells} />
            </Panel>
            {reply.marks.length > 0 && (
              <Panel title={text('events')}>
                <TimelineEvents marks={reply.marks} />
              </Panel>
            )}
            <FlowAndLatencies reply={reply} />
          </>
        )}
      </Read>
    </>
  );
}

function detailsOf(adapter: AdapterStatusView) {
  const { model, type, origin, baseUrls, since, connectionSince } = adapter;
  const { lastTriedAt, lastTriedBy, lastOkAt } = adapter;
  return {
    Model: model,
    Plugin: type,
    Configured:
      origin.kind === 'file' ? `in the file ${origin.file}` : `in the database, revision ${origin.revision}`,
    'Running since': since === null ? undefined : <Ago at={since} />,
    'Connection since': connectionSince === null ? undefined : <Ago at={connectionSince} />,
    [statusText('lastTried')]:
      lastTriedAt === null ? (
        statusText('notContacted')
      ) : (
        <>
          <Ago at={lastTriedAt} />{' '}
          {statusText(lastTriedBy === 'call' ? 'lastTriedByCall' : 'lastTriedByProbe')}
        </>
      ),
    [statusText('lastOk')]: lastOkAt === null ? undefined : <Ago at={lastOkAt} />,
    Orchestrator:
      baseUrls.length === 0
        ? undefined
        : baseUrls.map(({ origin: url, breaker }) => (
            <span key={url} className="gh-one">
              <code>{url}</code>{' '}
              <span className="gh-quiet">{breaker === null ? '' : breakerOf(breaker).word}</span>
            </span>
          )),
  };
}
