import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import './adapter-table.css';
import type { AdapterStatusView, TrafficReply } from '../../api/observe.js';
import { columnSpanOf } from '../../kit/chart-shapes.js';
import { HeatStrip } from '../../kit/charts.js';
import { Filter } from '../../kit/choices.js';
import { DataTable } from '../../kit/data-table.js';
import { RowCheck } from '../../kit/fields.js';
import { Link } from '../../kit/link.js';
import { formatDuration, formatRate, formatShare } from '../../kit/numbers.js';
import { StatusLabel, Tag } from '../../kit/status.js';
import type { Column } from '../../kit/table-rows.js';
import { useUrlState } from '../../kit/url-state.js';
import { textOf } from '../../text/text.js';
import { AdapterMenu } from './adapter-menu.js';
import { pathOfAdapter } from './adapter-path.js';
import { BulkActions, useMayAct } from './bulk-actions.js';
import { causeOf, scheduleOf } from './cause.js';
import { SavedViews } from './saved-views.js';
import { nextSelection } from './selection.js';
import { chosenAdapters, connectionOf, rankOf, stateFilters, stateOf, typesOf } from './status.js';
import { TagGroups } from './tag-groups.js';
import { tagGroupsOf } from './tags.js';

const text = textOf('adapters');
const bulkText = textOf('bulk');
const trafficText = textOf('traffic');

interface AdapterTableProps {
  readonly adapters: readonly AdapterStatusView[];
  /** Traffic of the shown adapters; undefined while it is loading. */
  readonly traffic: TrafficReply | undefined;
  /** Time of the traffic: "last hour". */
  readonly time: string;
  /** Receives the adapters of the current page. */
  readonly onShow: (shown: readonly AdapterStatusView[]) => void;
  readonly empty: ReactNode;
}

/** Renders the adapters as a table; its filters are in the URL (`?state=&type=&tag=`). */
export function AdapterTable({ adapters, traffic, time, onShow, empty }: AdapterTableProps): ReactNode {
  const [{ state, type, tag }, setUrl] = useUrlState({ state: '', type: '', tag: '' });
  const mayAct = useMayAct();
  const { picked, setPicked, pickColumn, onPage } = useSelection();
  const columns = useMemo(
    () => [...(mayAct ? [pickColumn] : []), ...columnsOf(traffic, time)],
    [mayAct, pickColumn, traffic, time],
  );
  const shown = useMemo(() => chosenAdapters(adapters, { state, type, tag }), [adapters, state, type, tag]);
  const showPage = useCallback(
    (rows: readonly AdapterStatusView[]) => {
      onPage(rows);
      onShow(rows);
    },
    [onPage, onShow],
  );
  const tags = tagGroupsOf(adapters).map((group) => group.tag);
  const filters = adapters.length > 0 && (
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
      {tags.length > 0 && (
        <Filter
          label={text('tag')}
          value={tag}
          onChange={(next) => setUrl({ tag: next })}
          options={[
            { value: '', label: text('all') },
            ...[...tags].sort().map((one) => ({ value: one, label: one })),
          ]}
        />
      )}
      <SavedViews />
    </>
  );
  return (
    <div className="gh-adapters gh-stack" data-selectable={mayAct}>
      <TagGroups adapters={adapters} chosen={tag} />
      <DataTable
        label={text('title')}
        columns={columns}
        rows={shown}
        keyOf={({ name }) => name}
        sort="state"
        filters={filters}
        bulk={
          mayAct
            ? (found) => (
                <BulkActions adapters={found} total={adapters.length} picked={picked} onPick={setPicked} />
              )
            : undefined
        }
        empty={adapters.length === 0 ? empty : <p>{text('noMatch', { count: adapters.length })}</p>}
        onShow={showPage}
      />
    </div>
  );
}

/** Keeps the selected rows, and creates the column of their checkboxes. */
function useSelection() {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const previous = useRef<string>(undefined);
  const shown = useRef<readonly string[]>([]);
  const onPage = useCallback((rows: readonly AdapterStatusView[]) => {
    shown.current = rows.map(({ name }) => name);
  }, []);
  const pickColumn = useMemo<Column<AdapterStatusView>>(
    () => ({
      key: 'pick',
      card: 'pick',
      title: bulkText('pick'),
      cell: ({ name: key }) => (
        <RowCheck
          label={bulkText('pickOne', { name: key })}
          isChecked={picked.has(key)}
          onChange={(isPicked, isRange) => {
            const order = { shown: shown.current, previous: previous.current };
            setPicked(nextSelection(picked, { key, isPicked, isRange }, order));
            previous.current = key;
          }}
        />
      ),
    }),
    [picked],
  );
  return { picked, setPicked, pickColumn, onPage };
}

function columnsOf(traffic: TrafficReply | undefined, time: string): readonly Column<AdapterStatusView>[] {
  const span = traffic && columnSpanOf(traffic);
  const cells = new Map(traffic?.adapters.map((one) => [one.name, one.cells]));
  return [
    {
      key: 'name',
      card: 'title',
      title: text('name'),
      cell: ({ name, type, tags }) => (
        <span className="gh-adapter-name">
          <Link to={pathOfAdapter(name)}>{name}</Link> <span className="gh-quiet">{type}</span>
          {tags.length > 0 && (
            <span className="gh-tags">
              {tags.map((tag) => (
                <Tag key={tag}>{tag}</Tag>
              ))}
            </span>
          )}
        </span>
      ),
      sortBy: ({ name }) => name,
      text: ({ name, model, type, tags }) => [name, model, type, ...tags].join(' '),
    },
    {
      key: 'state',
      card: 'line',
      title: text('state'),
      cell: (adapter) => <State adapter={adapter} />,
      sortBy: rankOf,
      text: (adapter) =>
        [
          stateOf(adapter).word,
          connectionOf(adapter).word,
          causeOf(adapter) ?? scheduleOf(adapter) ?? '',
          ...adapter.baseUrls.map(({ origin }) => origin),
        ].join(' '),
    },
    ...rateColumns(),
    {
      key: 'traffic',
      card: 'bare',
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
    {
      key: 'actions',
      card: 'end',
      title: text('actions'),
      cell: (adapter) => <AdapterMenu adapter={adapter} />,
    },
  ];
}

function rateColumns(): readonly Column<AdapterStatusView>[] {
  return [
    {
      key: 'rate',
      card: 'bare',
      isNumber: true,
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
      isNumber: true,
      title: text('p95'),
      cell: ({ traffic }) => <span className="gh-number">{formatDuration(traffic.p95Ms)}</span>,
      sortBy: ({ traffic }) => traffic.p95Ms ?? undefined,
    },
    {
      key: 'errors',
      isNumber: true,
      title: text('errors'),
      cell: ({ traffic }) => (
        <span className="gh-number" data-bad={traffic.errors > 0}>
          {formatShare(traffic.errors, traffic.calls)}
          {traffic.clientErrors > 0 && (
            <span className="gh-rejected">
              {trafficText('rejectedOf', { share: formatShare(traffic.clientErrors, traffic.calls) })}
            </span>
          )}
        </span>
      ),
      // Adapters with the same share of errors are sorted by their share of rejected calls.
      sortBy: ({ traffic: { calls, errors, clientErrors } }) =>
        calls === 0 ? undefined : (errors + clientErrors / 1e6) / calls,
    },
  ];
}

/** Renders state and connection of an adapter; beside a cause only those that are not as they should be. */
function State({ adapter }: { readonly adapter: AdapterStatusView }): ReactNode {
  const cause = causeOf(adapter);
  const state = stateOf(adapter);
  const both = [state, connectionOf(adapter)];
  const unusual = both.filter(({ status }) => status === 'bad' || status === 'warning' || status === 'busy');
  const labels = cause === undefined ? both : unusual.length > 0 ? unusual : [state];
  const shown = cause ?? scheduleOf(adapter);
  return (
    <span className="gh-adapter-state">
      {labels.map(({ status, word }) => (
        <StatusLabel key={word} status={status}>
          {word}
        </StatusLabel>
      ))}
      {shown !== undefined && (
        <span className="gh-quiet" title={shown} data-act={adapter.request !== null}>
          {shown}
        </span>
      )}
    </span>
  );
}
