import { type ReactNode, useMemo } from 'react';
import './adapter-table.css';
import type { AdapterStatusView, TrafficReply } from '../../api/observe.js';
import { HeatStrip } from '../../kit/charts.js';
import { DataTable } from '../../kit/data-table.js';
import { Filter } from '../../kit/choices.js';
import { Link } from '../../kit/link.js';
import { formatRate, formatShare, formatDuration } from '../../kit/numbers.js';
import { StatusLabel } from '../../kit/status.js';
import type { Column } from '../../kit/table-rows.js';
import { useUrlState } from '../../kit/url-state.js';
import { textOf } from '../../text/text.js';
import { AdapterMenu } from './adapter-menu.js';
import { chosenAdapters, connectionOf, rankOf, stateFilters, stateOf, typesOf } from './status.js';
import { columnSpanOf } from '../../kit/chart-shapes.js';
import { pathOfAdapter } from './adapter-path.js';

const text = textOf('adapters');

export interface AdapterTableProps {
  readonly adapters: readonly AdapterStatusView[];
  /** Traffic of the shown adapters; undefined while it is loading. */
  readonly traffic: TrafficReply | undefined;
  /** Time of the traffic: "last hour". */
  readonly time: string;
  /** Receives the adapters of the current page. */
  readonly onShow: (shown: readonly AdapterStatusView[]) => void;
  readonly empty: ReactNode;
}

/** Renders the adapters as a table; its filters are in the URL (`?state=&type=`). */
export function AdapterTable({ adapters, traffic, time, onShow, empty }: AdapterTableProps): ReactNode {
  const [{ state, type }, setUrl] = useUrlState({ state: '', type: '' });
  const columns = useMemo(() => columnsOf(traffic, time), [traffic, time]);
  const shown = useMemo(() => chosenAdapters(adapters, { state, type }), [adapters, state, type]);
  const hasNoMatch = adapters.length > 0 && shown.length === 0;
  const filters = (
    <>
      <Filter
        label={text('state')}
        value={state}
        onChange={(next) => setUrl({ state: next })}
        options={stateFilters()}
      />
      <Filter
        label={text('type')}
        value={type}
        onChange={(next) => setUrl({ type: next })}
        options={[
          { value: '', label: text('all') },
          ...typesOf(adapters).map((one) => ({ value: one, label: one })),
        ]}
      />
    </>
  );
  if (hasNoMatch)
    return (
      <div className="gh-stack">
        <div className="gh-toolbar">{filters}</div>
        <p>{text('noMatch', { count: adapters.length })}</p>
      </div>
    );
  return (
    <div className="gh-adapters">
      <DataTable
        label={text('title')}
        columns={columns}
        rows={shown}
        keyOf={({ name }) => name}
        sort="state"
        isWide
        filters={filters}
        empty={empty}
        onShow={onShow}
      />
    </div>
  );
}

function columnsOf(traffic: TrafficReply | undefined, time: string): readonly Column<AdapterStatusView>[] {
  const span = traffic && columnSpanOf(traffic);
  const cells = new Map(traffic?.adapters.map((one) => [one.name, one.cells]));
  return [
    {
      key: 'name',
      title: text('name'),
      cell: ({ name, type }) => (
        <span className="gh-adapter-name">
          <Link to={pathOfAdapter(name)}>{name}</Link> <span className="gh-quiet">{type}</span>
        </span>
      ),
      sortBy: ({ name }) => name,
      text: ({ name, model, type }) => `${name} ${model} ${type}`,
    },
    {
      key: 'state',
      title: text('state'),
      cell: (adapter) => <State adapter={adapter} />,
      sortBy: rankOf,
      text: (adapter) => `${stateOf(adapter).word} ${adapter.cause ?? ''}`,
    },
    {
      key: 'connection',
      title: text('connection'),
      cell: (adapter) => {
        const { status, word } = connectionOf(adapter);
        return <StatusLabel status={status}>{word}</StatusLabel>;
      },
      sortBy: (adapter) => connectionOf(adapter).word,
      text: ({ baseUrls }) => baseUrls.map(({ origin }) => origin).join(' '),
    },
    ...rateColumns(),
    {
      key: 'traffic',
      title: text('traffic', { time }),
      cell: ({ name }) =>
        span && (
          <HeatStrip
            cells={cells.get(name) ?? []}
            span={span}
            label={text('trafficOf', { adapter: name, time })}
          />
        ),
    },
    { key: 'actions', title: text('actions'), cell: (adapter) => <AdapterMenu adapter={adapter} /> },
  ];
}

function rateColumns(): readonly Column<AdapterStatusView>[] {
  return [
    {
      key: 'rate',
      title: text('calls'),
      cell: ({ name, traffic }) => (
        <span className="gh-number">
          <Link to={`${pathOfAdapter(name)}?tab=calls`}>{formatRate(traffic.perMinute)}</Link>
        </span>
      ),
      sortBy: ({ traffic }) => traffic.perMinute,
    },
    {
      key: 'p95',
      title: text('p95'),
      cell: ({ traffic }) => <span className="gh-number">{formatDuration(traffic.p95Ms)}</span>,
      sortBy: ({ traffic }) => traffic.p95Ms ?? undefined,
    },
    {
      key: 'errors',
      title: text('errors'),
      cell: ({ traffic }) => (
        <span className="gh-number" data-bad={traffic.errorsPerMinute > 0}>
          {formatShare(traffic.errorsPerMinute, traffic.perMinute)}
        </span>
      ),
      sortBy: ({ traffic }) =>
        traffic.perMinute === 0 ? undefined : traffic.errorsPerMinute / traffic.perMinute,
    },
  ];
}

/** Renders the state of an adapter, and its cause if known. */
function State({ adapter }: { readonly adapter: AdapterStatusView }): ReactNode {
  const { status, word } = stateOf(adapter);
  return (
    <span className="gh-adapter-state">
      <StatusLabel status={status}>{word}</StatusLabel>
      {adapter.cause !== null && (
        <span className="gh-quiet" title={adapter.cause}>
          {adapter.cause}
        </span>
      )}
    </span>
  );
}
