import type { ReactNode } from 'react';
import type { ObservedCall } from '../../api/observe.js';
import { useRead } from '../../api/queries.js';
import { pathOf } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import { Button } from '../../kit/button.js';
import { Filter } from '../../kit/choices.js';
import { RawLinks } from '../../kit/copy.js';
import { DataTable } from '../../kit/data-table.js';
import { Empty, Read } from '../../kit/feedback.js';
import { Link } from '../../kit/link.js';
import { formatDuration } from '../../kit/numbers.js';
import { RequestLink } from '../../kit/request-link.js';
import type { Status } from '../../kit/status-kinds.js';
import { StatusLabel } from '../../kit/status.js';
import type { Column } from '../../kit/table-rows.js';
import { formatTime, Time } from '../../kit/time.js';
import { useUrlState } from '../../kit/url-state.js';
import { textOf } from '../../text/text.js';
import { auditLink } from '../audit/search.js';
import { TrafficStrip } from '../traffic/traffic-strip.js';
import { useTraffic } from '../traffic/use-traffic.js';
import { type CallFilters, NO_CALL_FILTERS, queryOf, STATUS_CLASSES } from './call-filters.js';

const text = textOf('calls');

/** Renders the latest calls through an adapter, newest first. The time strip, or a bar of a chart, selects their time. */
export function CallsTab({ name }: { readonly name: string }): ReactNode {
  const [filters, setFilters] = useUrlState<CallFilters>(NO_CALL_FILTERS);
  const path = pathOf(['console', 'calls'], { adapter: name, limit: 1000, ...queryOf(filters) });
  const calls = useRead<{ readonly calls: readonly ObservedCall[] }>(path, { everyMs: 5000 });
  const isFiltered = Object.values(filters).some((value) => value !== '');
  const { may } = useSession();
  const { time, whole } = useTraffic({ adapter: name });
  const clear = (): void => {
    time.reset();
    setFilters(NO_CALL_FILTERS);
  };
  const tools = (
    <>
      <Filter
        label={text('status')}
        value={filters.status}
        onChange={(status) => setFilters({ status })}
        options={STATUS_CLASSES.map((value) => ({ value, label: value === '' ? text('all') : value }))}
      />
      <FilterText filters={filters} />
      {isFiltered && (
        <Button kind="link" onPress={clear}>
          {text('clear')}
        </Button>
      )}
      <RawLinks path={path} />
    </>
  );
  return (
    <>
      {may('getTraffic') && <TrafficStrip time={time} whole={whole} adapter={name} />}
      <Read query={calls} what={text('what')}>
        {(data) => (
          <DataTable
            label={text('title')}
            columns={columns()}
            rows={data.calls}
            keyOf={({ requestId, at }) => `${requestId} ${at}`}
            sort="-at"
            filters={tools}
            beyond={
              may('getAudit')
                ? (words) => (
                    <p>
                      {text('noMatchWhy')}{' '}
                      <Link to={auditLink({ search: words })}>{text('searchAudit', { words })}</Link>
                    </p>
                  )
                : undefined
            }
            empty={
              <Empty title={isFiltered ? text('noMatch') : text('none')}>
                {isFiltered ? text('noMatchWhy') : text('noneWhy')}
              </Empty>
            }
          />
        )}
      </Read>
    </>
  );
}

/** Renders the time range and the caller that the address selects. */
function FilterText({ filters }: { readonly filters: CallFilters }): ReactNode {
  const { from, to } = queryOf(filters);
  return (
    <>
      {from !== undefined && to !== undefined && (
        <span className="gh-quiet">{text('range', { from: formatTime(from), to: formatTime(to) })}</span>
      )}
      {filters.caller !== '' && <span className="gh-quiet">{text('by', { caller: filters.caller })}</span>}
    </>
  );
}

/** Returns the columns; a function, because a message is read when the table is rendered. */
function columns(): readonly Column<ObservedCall>[] {
  return [
    {
      key: 'at',
      card: 'bare',
      title: text('time'),
      cell: ({ at }) => <Time show="clock" at={at} />,
      sortBy: ({ at }) => at,
    },
    {
      key: 'requestId',
      card: 'bare',
      title: text('requestId'),
      cell: ({ requestId, at }) => (
        <RequestLink id={requestId} at={at}>
          <code className="gh-short-id" title={requestId}>
            {requestId}
          </code>
        </RequestLink>
      ),
      text: ({ requestId }) => requestId,
    },
    {
      key: 'status',
      card: 'end',
      title: text('status'),
      cell: ({ status, outcome }) => (
        <StatusLabel status={statusOf(status)}>
          {outcome === 'ok' ? status : `${status} ${outcome}`}
        </StatusLabel>
      ),
      sortBy: ({ status }) => status,
      text: ({ status, outcome }) => `${status} ${outcome}`,
    },
    {
      key: 'about',
      card: 'title',
      title: text('request'),
      cell: (call) => (
        <code className="gh-one-line" title={requestOf(call)}>
          {requestOf(call)}
        </code>
      ),
      sortBy: requestOf,
      text: (call) => `${requestOf(call)} ${call.method} ${call.path}`,
    },
    {
      key: 'ms',
      card: 'bare',
      title: text('duration'),
      cell: ({ ms }) => <span className="gh-number">{formatDuration(ms)}</span>,
      sortBy: ({ ms }) => ms,
    },
    {
      key: 'caller',
      card: 'bare',
      title: text('caller'),
      cell: ({ caller }) => caller,
      sortBy: ({ caller }) => caller,
      text: ({ caller }) => caller,
    },
    {
      key: 'operation',
      card: 'hidden',
      title: text('operation'),
      cell: ({ operation }) => <span title={operation}>{operation.slice(operation.indexOf('.') + 1)}</span>,
      sortBy: ({ operation }) => operation,
      text: ({ operation }) => operation,
    },
  ];
}

function requestOf({ about, method, path }: ObservedCall): string {
  return about === undefined || about === null || about === '' ? `${method} ${path}` : about;
}

function statusOf(status: number): Status {
  if (status >= 500) return 'bad';
  return status >= 400 ? 'warning' : 'good';
}
