import { type ReactNode, useMemo } from 'react';
import type { AdapterStatusView, TrafficReply } from '../../api/observe.js';
import { HeatStrip } from '../../kit/charts.js';
import { DataTable } from '../../kit/data-table.js';
import { Filter } from '../../kit/choices.js';
import { Link } from '../../kit/link.js';
import { formatRate, formatShare, formatDuration } from '../../kit/numbers.js';
import { StatusLabel } from '../../kit/status.js';
import type { Column } from '../../kit/table-rows.js';
import { useUrlState } from '../../kit/url-state.js';
import { AdapterMenu } from './adapter-menu.js';
import { chosenAdapters, connectionOf, rankOf, stateFilters, stateOf, typesOf } from './status.js';
import { DAY_MS, spanOf } from '../../kit/chart-shapes.js';

export interface AdapterTableProps {
  readonly adapters: readonly AdapterStatusView[];
  /** Traffic of the last day; undefined while it is loading. */
  readonly traffic: TrafficReply | undefined;
  readonly empty: ReactNode;
}

/** Renders the adapters as a table; its filters are in the URL (`?state=&type=`). */
export function AdapterTable({ adapters, traffic, empty }: AdapterTableProps): ReactNode {
  const [{ state, type }, setUrl] = useUrlState({ state: '', type: '' });
  const columns = useMemo(() => columnsOf(traffic), [traffic]);
  const shown = chosenAdapters(adapters, { state, type });
  const hasNoMatch = adapters.length > 0 && shown.length === 0;
  const filters = (
    <>
      <Filter
        label="State"
        value={state}
        onChange={(next) => setUrl({ state: next })}
        options={stateFilters()}
      />
      <Filter
        label="Type"
        value={type}
        onChange={(next) => setUrl({ type: next })}
        options={[
          { value: '', label: 'any' },
          ...typesOf(adapters).map((one) => ({ value: one, label: one })),
        ]}
      />
    </>
  );
  if (hasNoMatch)
    return (
      <div className="gh-stack">
        <div className="gh-toolbar">{filters}</div>
        <p>None of {adapters.length} adapters matches the filters.</p>
      </div>
    );
  return (
    <DataTable
      label="Adapters"
      columns={columns}
      rows={shown}
      keyOf={({ name }) => name}
      sort="state"
      isWide
      filters={filters}
      empty={empty}
    />
  );
}

function columnsOf(traffic: TrafficReply | undefined): readonly Column<AdapterStatusView>[] {
  const span = spanOf(traffic, DAY_MS);
  const cells = new Map(traffic?.adapters.map((one) => [one.name, one.cells]));
  return [
    {
      key: 'name',
      title: 'Name',
      cell: ({ name, type }) => (
        <>
          <Link to={pathOfAdapter(name)}>{name}</Link> <span className="gh-below gh-quiet">{type}</span>
        </>
      ),
      sortBy: ({ name }) => name,
      text: ({ name, model, type }) => `${name} ${model} ${type}`,
    },
    {
      key: 'state',
      title: 'State',
      cell: (adapter) => <State adapter={adapter} />,
      sortBy: rankOf,
      text: (adapter) => `${stateOf(adapter).word} ${adapter.cause ?? ''}`,
    },
    {
      key: 'connection',
      title: 'Connection',
      cell: (adapter) => {
        const { status, word } = connectionOf(adapter);
        return <StatusLabel status={status}>{word}</StatusLabel>;
      },
      sortBy: (adapter) => connectionOf(adapter).word,
      text: ({ baseUrls }) => baseUrls.map(({ origin }) => origin).join(' '),
    },
    ...RATE_COLUMNS,
    {
      key: 'day',
      title: 'Last 24 hours',
      cell: ({ name }) => (
        <HeatStrip cells={cells.get(name) ?? []} span={span} label={`${name}, the last 24 hours`} />
      ),
    },
    { key: 'actions', title: 'Actions', cell: (adapter) => <AdapterMenu adapter={adapter} /> },
  ];
}

const RATE_COLUMNS: readonly Column<AdapterStatusView>[] = [
  {
    key: 'rate',
    title: 'Calls',
    cell: ({ name, traffic }) => (
      <span className="gh-number">
        <Link to={`${pathOfAdapter(name)}?tab=calls`}>{formatRate(traffic.perMinute)}</Link>
      </span>
    ),
    sortBy: ({ traffic }) => traffic.perMinute,
  },
  {
    key: 'p95',
    title: 'p95',
    cell: ({ traffic }) => <span className="gh-number">{formatDuration(traffic.p95Ms)}</span>,
    sortBy: ({ traffic }) => traffic.p95Ms ?? undefined,
  },
  {
    key: 'errors',
    title: 'Errors',
    cell: ({ traffic }) => (
      <span className="gh-number" data-bad={traffic.errorsPerMinute > 0}>
        {formatShare(traffic.errorsPerMinute, traffic.perMinute)}
      </span>
    ),
    sortBy: ({ traffic }) =>
      traffic.perMinute === 0 ? undefined : traffic.errorsPerMinute / traffic.perMinute,
  },
];

/** Renders the state of an adapter, and its cause if known. */
function State({ adapter }: { readonly adapter: AdapterStatusView }): ReactNode {
  const { status, word } = stateOf(adapter);
  return (
    <>
      <StatusLabel status={status}>{word}</StatusLabel>
      {adapter.cause !== null && (
        <span className="gh-cell-cause gh-quiet" title={adapter.cause}>
          {adapter.cause}
        </span>
      )}
    </>
  );
}

function pathOfAdapter(name: string): string {
  return `/adapters/${encodeURIComponent(name)}`;
}
