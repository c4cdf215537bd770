import { type ReactNode, useState } from 'react';
import { Button } from '../../kit/button.js';
import { CallerName } from '../../kit/caller-name.js';
import { CodeView } from '../../kit/copy.js';
import { DataTable } from '../../kit/data-table.js';
import { Dialog } from '../../kit/dialog.js';
import { Empty } from '../../kit/feedback.js';
import { Link } from '../../kit/link.js';
import { StatusLabel } from '../../kit/status.js';
import type { Column } from '../../kit/table-rows.js';
import { Ago } from '../../kit/time.js';
import { type AuditRecord, type Outcome, outcomeOf, keyOfRecord } from './record.js';
import { auditLink } from './search.js';

const OUTCOME_STATUS = { done: 'good', refused: 'warning', failed: 'bad' } as const satisfies Record<
  Outcome,
  string
>;

/** Renders the records, with links to searches for the same user or operation. */
export function Records({ records }: { readonly records: readonly AuditRecord[] }): ReactNode {
  return (
    <DataTable
      label="Records"
      columns={COLUMNS}
      rows={records}
      keyOf={keyOfRecord}
      empty={<Empty title="No records">No record matches the search.</Empty>}
    />
  );
}

const COLUMNS: readonly Column<AuditRecord>[] = [
  {
    key: 'time',
    title: 'Time',
    cell: ({ time }) => <Ago at={time} />,
    sortBy: ({ time }) => Date.parse(time),
    text: ({ time }) => time,
  },
  {
    key: 'subject',
    title: 'User',
    cell: ({ subject, issuer, name = subject }) => (
      <Link to={auditLink({ subject, issuer })}>
        <CallerName name={name} subject={subject} issuer={issuer} />
      </Link>
    ),
    sortBy: ({ subject, name = subject }) => name,
    text: ({ subject, issuer, name = subject }) => `${name} ${subject} ${issuer}`,
  },
  {
    key: 'clientAddress',
    title: 'Address',
    cell: ({ clientAddress = '' }) => <span className="gh-breakable">{clientAddress}</span>,
    sortBy: ({ clientAddress }) => clientAddress,
    text: ({ clientAddress = '' }) => clientAddress,
  },
  {
    key: 'operation',
    title: 'Operation',
    cell: ({ operation }) => (
      <span className="gh-breakable">
        <Link to={auditLink({ operation })}>{operation}</Link>
      </span>
    ),
    sortBy: ({ operation }) => operation,
    text: ({ operation }) => operation,
  },
  {
    key: 'target',
    title: 'Target',
    cell: ({ target }) => <code className="gh-breakable">{target}</code>,
    sortBy: ({ target }) => target,
    text: ({ target }) => target,
  },
  {
    key: 'status',
    title: 'Status',
    cell: (record) => (
      <StatusLabel status={OUTCOME_STATUS[outcomeOf(record)]}>{record.status || 'started'}</StatusLabel>
    ),
    sortBy: ({ status }) => status,
    text: ({ status }) => String(status),
  },
  {
    key: 'outcome',
    title: 'Outcome',
    cell: ({ outcome, reason }) => (
      <span className="gh-breakable">{reason === undefined ? outcome : `${outcome}: ${reason}`}</span>
    ),
    sortBy: ({ outcome }) => outcome,
    text: ({ outcome, reason = '' }) => `${outcome} ${reason}`,
  },
  {
    key: 'duration',
    title: 'Duration',
    cell: ({ durationMs }) => (durationMs === undefined ? '' : `${Math.round(durationMs)} ms`),
    sortBy: ({ durationMs }) => durationMs,
  },
  {
    key: 'request',
    title: 'Request',
    cell: (record) => <Details record={record} />,
    text: ({ requestId }) => requestId,
  },
];

/**
 * Renders a button that opens the complete record with its hash, and a link to all records of the same
 * request.
 */
function Details({ record }: { readonly record: AuditRecord }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { requestId } = record;
  return (
    <>
      <Button kind="link" isSmall label={`Request ${requestId}`} onPress={() => setOpen(true)}>
        {requestId.slice(0, 8)}
      </Button>
      <Dialog title="Record" isOpen={isOpen} onClose={() => setOpen(false)} isWide>
        <p>
          <Link to={auditLink({ requestId })}>All records of this request</Link>
        </p>
        <CodeView label={`Record of request ${requestId}`} text={JSON.stringify(record, null, 2)} />
      </Dialog>
    </>
  );
}
