import type { ReactNode } from 'react';
import { CallerName } from '../../kit/caller-name.js';
import { DataTable } from '../../kit/data-table.js';
import { Empty } from '../../kit/feedback.js';
import { Link } from '../../kit/link.js';
import { formatDuration } from '../../kit/numbers.js';
import { RequestLink } from '../../kit/request-link.js';
import { StatusLabel } from '../../kit/status.js';
import type { Column } from '../../kit/table-rows.js';
import { Time } from '../../kit/time.js';
import { textOf } from '../../text/text.js';
import { type AuditRecord, keyOfRecord, type Outcome, outcomeOf } from './record.js';
import { auditLink } from './search.js';

const text = textOf('audit');

const OUTCOME_STATUS = { done: 'good', refused: 'warning', failed: 'bad' } as const satisfies Record<
  Outcome,
  string
>;

interface RecordsProps {
  readonly records: readonly AuditRecord[];
  /** Shown above the records. */
  readonly filters: ReactNode;
}

/**
 * Renders the records, with links to searches for the same user or operation, and to the request with all its records.
 */
export function Records({ records, filters }: RecordsProps): ReactNode {
  return (
    <DataTable
      label={text('records')}
      columns={columns()}
      rows={records}
      keyOf={keyOfRecord}
      isWide
      filters={filters}
      isSearchedByServer
      empty={<Empty title={text('none')}>{text('noneWhy')}</Empty>}
    />
  );
}

/** Returns the columns; a function, because a message is read when the table is rendered. */
function columns(): readonly Column<AuditRecord>[] {
  return [
    {
      key: 'time',
      title: text('time'),
      cell: ({ time }) => <Time show="clock" at={time} />,
      sortBy: ({ time }) => Date.parse(time),
    },
    {
      key: 'subject',
      title: text('who'),
      cell: (record) => (
        <span className="gh-line" title={record.clientAddress}>
          <Who record={record} />
        </span>
      ),
      sortBy: ({ subject, name = subject }) => name,
    },
    {
      key: 'operation',
      title: text('operation'),
      cell: ({ operation }) => (
        <span className="gh-line" title={operation}>
          <Link to={auditLink({ operation })}>{operation}</Link>
        </span>
      ),
      sortBy: ({ operation }) => operation,
    },
    {
      key: 'target',
      title: text('target'),
      cell: ({ target }) => (
        <code className="gh-line" title={target}>
          {target}
        </code>
      ),
      sortBy: ({ target }) => target,
    },
    {
      key: 'status',
      title: text('status'),
      cell: (record) => (
        <StatusLabel status={OUTCOME_STATUS[outcomeOf(record)]}>
          {record.status || text('started')}
        </StatusLabel>
      ),
      sortBy: ({ status }) => status,
    },
    {
      key: 'outcome',
      title: text('outcome'),
      cell: ({ outcome, reason }) => (
        <span className="gh-line" title={reason}>
          {reason === undefined ? outcome : text('outcomeReason', { outcome, reason })}
        </span>
      ),
      sortBy: ({ outcome }) => outcome,
    },
    {
      key: 'duration',
      isNumber: true,
      title: text('duration'),
      cell: ({ durationMs }) => (durationMs === undefined ? '' : formatDuration(durationMs)),
      sortBy: ({ durationMs }) => durationMs,
    },
    {
      key: 'request',
      title: text('request'),
      cell: ({ requestId }) =>
        requestId === '' ? (
          ''
        ) : (
          <RequestLink id={requestId}>
            <code className="gh-short-id" title={requestId}>
              {requestId}
            </code>
          </RequestLink>
        ),
    },
  ];
}

/**
 * Renders who sent the request. A request without a valid token has no subject: a failed sign-in has the name of the account
 * that it tried, or the digest of a name without an account.
 */
function Who({ record: { subject, issuer, name } }: { readonly record: AuditRecord }): ReactNode {
  if (subject === '')
    return (
      <span className="gh-quiet">{name === undefined ? text('nobody') : text('nobodyAs', { name })}</span>
    );
  return (
    <Link to={auditLink({ subject, issuer })}>
      <CallerName name={name} subject={subject} issuer={issuer} />
    </Link>
  );
}
