import type { ReactNode } from 'react';
import type { ObservedCall } from '../../api/observe.js';
import { useRead } from '../../api/queries.js';
import { pathOf } from '../../api/request.js';
import { DataTable } from '../../kit/data-table.js';
import { Empty, Read } from '../../kit/feedback.js';
import { formatDuration } from '../../kit/numbers.js';
import { RawLinks } from '../../kit/copy.js';
import { StatusLabel } from '../../kit/status.js';
import type { Status } from '../../kit/status-kinds.js';
import type { Column } from '../../kit/table-rows.js';
import { Ago } from '../../kit/time.js';

/** Renders the latest calls through an adapter, newest first. */
export function CallsTab({ name }: { readonly name: string }): ReactNode {
  const path = pathOf(['console', 'calls'], { adapter: name, limit: 1000 });
  const calls = useRead<{ readonly calls: readonly ObservedCall[] }>(path, { everyMs: 5000 });
  return (
    <Read query={calls} what="the calls">
      {(data) => (
        <DataTable
          label="Calls"
          columns={COLUMNS}
          rows={data.calls}
          keyOf={({ requestId, at }) => `${requestId} ${at}`}
          sort="-at"
          isWide
          filters={<RawLinks path={path} />}
          empty={
            <Empty title="No calls">
              This tab lists the latest 1,000 calls since gatehouse started. Send a request through the
              adapter to see it here.
            </Empty>
          }
        />
      )}
    </Read>
  );
}

const COLUMNS: readonly Column<ObservedCall>[] = [
  { key: 'at', title: 'Time', cell: ({ at }) => <Ago at={at} />, sortBy: ({ at }) => at },
  {
    key: 'status',
    title: 'Status',
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
    title: 'Request',
    cell: ({ about, method, path }) => <code className="gh-wrap">{about ?? `${method} ${path}`}</code>,
    sortBy: ({ about, method, path }) => about ?? `${method} ${path}`,
    text: ({ about, method, path }) => `${about ?? ''} ${method} ${path}`,
  },
  {
    key: 'ms',
    title: 'Duration',
    cell: ({ ms }) => <span className="gh-number">{formatDuration(ms)}</span>,
    sortBy: ({ ms }) => ms,
  },
  {
    key: 'caller',
    title: 'Caller',
    cell: ({ caller }) => caller,
    sortBy: ({ caller }) => caller,
    text: ({ caller }) => caller,
  },
  {
    key: 'operation',
    title: 'Operation',
    cell: ({ operation }) => <span className="gh-wrap">{operation}</span>,
    sortBy: ({ operation }) => operation,
    text: ({ operation }) => operation,
  },
  {
    key: 'requestId',
    title: 'Request ID',
    cell: ({ requestId }) => <code className="gh-id">{requestId}</code>,
    text: ({ requestId }) => requestId,
  },
];

function statusOf(status: number): Status {
  if (status >= 500) return 'bad';
  return status >= 400 ? 'warning' : 'good';
}
