import type { ReactNode } from 'react';
import type { AdapterStatusView, TrafficReply } from '../../api/observe.js';
import { useRead } from '../../api/queries.js';
import { pathOf } from '../../api/request.js';
import { Facts, InlineList } from '../../kit/facts.js';
import { Notice, Read } from '../../kit/feedback.js';
import { Filter } from '../../kit/choices.js';
import { Link } from '../../kit/link.js';
import { formatAmount, formatRate, formatShare, formatDuration } from '../../kit/numbers.js';
import { Panel } from '../../kit/page.js';
import { StatusLabel } from '../../kit/status.js';
import { Ago } from '../../kit/time.js';
import { Timeline } from '../../kit/timeline.js';
import { useUrlState } from '../../kit/url-state.js';
import { breakerOf, connectionOf, adapterStatusOf, stateOf } from '../adapters/status.js';
import { DAY_MS, spanOf } from '../../kit/chart-shapes.js';
import { textOf } from '../../text/text.js';
import { TrafficDetails } from './traffic-numbers.js';

const text = textOf('status');

const HOURS = [
  { value: '1', label: 'last hour' },
  { value: '6', label: 'last 6 hours' },
  { value: '24', label: 'last 24 hours' },
] as const;

/** Renders the current state of an adapter, its cause, and its traffic of the last hours. */
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
        Calls: (
          <Link to={`/adapters/${encodeURIComponent(adapter.name)}?tab=calls`}>{formatRate(perMinute)}</Link>
        ),
        Errors: formatShare(errorsPerMinute, perMinute),
        'p50 / p95': `${formatDuration(p50Ms)} / ${formatDuration(p95Ms)}`,
        'In flight': formatAmount(inFlight, 'call'),
        Queue: formatAmount(waiting, 'call'),
      }}
    />
  );
}

function TrafficHistory({ name }: { readonly name: string }): ReactNode {
  const [{ hours }, setUrl] = useUrlState({ hours: '24' });
  const chosen = HOURS.some(({ value }) => value === hours) ? hours : '24';
  const traffic = useRead<TrafficReply>(pathOf(['console', 'traffic'], { adapter: name, hours: chosen }), {
    everyMs: 30_000,
  });
  return (
    <Panel
      title="Latency"
      actions={
        <Filter
          label="Time range"
          value={chosen}
          onChange={(next) => setUrl({ hours: next })}
          options={HOURS}
        />
      }
    >
      <Read query={traffic} what="the traffic">
        {(reply) => {
          const cells = reply.adapters.find((one) => one.name === name)?.cells ?? [];
          return (
            <div className="gh-stack">
              <Timeline
                cells={cells}
                marks={reply.marks}
                span={spanOf(reply, DAY_MS)}
                label={`${name}, the last ${chosen === '1' ? 'hour' : `${chosen} hours`}`}
              />
              <TrafficDetails cells={cells} marks={reply.marks} />
            </div>
          );
        }}
      </Read>
    </Panel>
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
    [text('lastTried')]:
      lastTriedAt === null ? (
        text('notContacted')
      ) : (
        <>
          <Ago at={lastTriedAt} /> {text(lastTriedBy === 'call' ? 'lastTriedByCall' : 'lastTriedByProbe')}
        </>
      ),
    [text('lastOk')]: lastOkAt === null ? undefined : <Ago at={lastOkAt} />,
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
