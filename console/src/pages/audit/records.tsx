import { type ReactNode, useMemo, useState } from 'react';
import { Button } from '../../kit/button.js';
import { CallerName } from '../../kit/caller-name.js';
import { DataTable } from '../../kit/data-table.js';
import { Drawer } from '../../kit/drawer.js';
import { Empty } from '../../kit/feedback.js';
import { Link } from '../../kit/link.js';
import { formatCount, formatDuration } from '../../kit/numbers.js';
import { RequestLink } from '../../kit/request-link.js';
import { StatusLabel } from '../../kit/status.js';
import type { Column } from '../../kit/table-rows.js';
import { Time } from '../../kit/time.js';
import { textOf } from '../../text/text.js';
import { RecordView } from '../request/request-drawer.js';
import { type AuditRecord, keyOfRecord, type Outcome, outcomeOf, type RecordChange } from './record.js';
import { auditLink } from './search.js';
import { sentenceOf } from './sentences.js';

const text = textOf('audit');

const OUTCOME_STATUS = { done: 'good', refused: 'warning', failed: 'bad' } as const satisfies Record<
  Outcome,
  string
>;

interface RecordsProps {
  readonly records: readonly AuditRecord[];
  /** What the changes among the records did; absent if the server does not say so. */
  readonly changes: readonly RecordChange[] | undefined;
  /** Shown above the records. */
  readonly filters: ReactNode;
}

/**
 * Renders each record as a sentence, with links to searches for the same user or operation, to the record as it is stored, and
 * to the request with all its records.
 */
export function Records({ records, changes = [], filters }: RecordsProps): ReactNode {
  const [opened, open] = useState<SpokenRecord>();
  const rows = useMemo(() => spoken(records, changes), [records, changes]);
  return (
    <>
      <DataTable
        label={text('records')}
        columns={columns(open)}
        rows={rows}
        keyOf={({ record }) => keyOfRecord(record)}
        filters={filters}
        isSearchedByServer
        empty={<Empty title={text('none')}>{text('noneWhy')}</Empty>}
      />
      {opened && (
        <Drawer title={recordTitle(opened.record)} onClose={() => open(undefined)}>
          <p>
            <Who record={opened.record} /> {opened.sentence}
          </p>
          <RecordView record={{ durationMs: 0, before: '', after: '', ...opened.record }} isOpen />
        </Drawer>
      )}
    </>
  );
}

/** A record and its sentence, without the caller at its begin. */
interface SpokenRecord {
  readonly record: AuditRecord;
  readonly sentence: string;
}

function spoken(records: readonly AuditRecord[], changes: readonly RecordChange[]): readonly SpokenRecord[] {
  const bySeq = new Map(changes.map((change) => [change.seq, change]));
  return records.map((record) => ({
    record,
    sentence: sentenceOf(record, record.seq === undefined ? undefined : bySeq.get(record.seq)),
  }));
}

function recordTitle({ seq, operation }: AuditRecord): string {
  return seq === undefined ? operation : text('recordTitle', { seq });
}

/** Returns the columns; a function, because a message is read when the table is rendered. */
function columns(open: (row: SpokenRecord) => void): readonly Column<SpokenRecord>[] {
  return [
    {
      key: 'time',
      card: 'bare',
      title: text('time'),
      cell: ({ record }) => <Time show="clock" at={record.time} />,
      sortBy: ({ record }) => Date.parse(record.time),
    },
    {
      key: 'sentence',
      card: 'title',
      title: text('what.happened'),
      cell: ({ record, sentence }) => (
        <span className="gh-line gh-sentence" title={`${nameOf(record)} ${sentence}`}>
          <Who record={record} /> {sentence}
        </span>
      ),
      sortBy: ({ record, sentence }) => `${nameOf(record)} ${sentence}`,
    },
    {
      key: 'operation',
      card: 'hidden',
      title: text('operation'),
      cell: ({ record: { operation } }) => (
        <span className="gh-line" title={operation}>
          <Link to={auditLink({ operation })}>{operation}</Link>
        </span>
      ),
      sortBy: ({ record }) => record.operation,
    },
    {
      key: 'status',
      card: 'bare',
      title: text('status'),
      cell: ({ record }) => (
        <StatusLabel status={OUTCOME_STATUS[outcomeOf(record)]}>
          {record.status || text('started')}
        </StatusLabel>
      ),
      sortBy: ({ record }) => record.status,
    },
    {
      key: 'outcome',
      card: 'hidden',
      title: text('outcome'),
      cell: ({ record: { outcome, reason } }) => (
        <span className="gh-line" title={reason ?? outcome}>
          {reason === undefined ? outcome : text('outcomeReason', { outcome, reason })}
        </span>
      ),
      sortBy: ({ record }) => record.outcome,
    },
    {
      key: 'duration',
      card: 'bare',
      isNumber: true,
      title: text('duration'),
      cell: ({ record: { durationMs } }) => (durationMs === undefined ? '' : formatDuration(durationMs)),
      sortBy: ({ record }) => record.durationMs,
    },
    {
      key: 'record',
      card: 'end',
      title: text('record'),
      cell: (row) => (
        <Button
          kind="link"
          isSmall
          label={text('recordOf', {
            title: recordTitle(row.record),
            sentence: `${nameOf(row.record)} ${row.sentence}`,
          })}
          onPress={() => open(row)}
        >
          {row.record.seq === undefined ? text('record') : formatCount(row.record.seq)}
        </Button>
      ),
    },
    {
      key: 'request',
      card: 'hidden',
      title: text('request'),
      cell: ({ record: { requestId } }) =>
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

/** Returns the name of the caller for people. */
function nameOf({ subject, name }: AuditRecord): string {
  if (subject !== '') return name ?? subject;
  return name === undefined ? text('nobody') : text('nobodyAs', { name });
}

/**
 * Renders who sent the request. A request without a valid token has no subject: a failed sign-in has the name of the account
 * that it tried, or the digest of a name without an account.
 */
function Who({ record }: { readonly record: AuditRecord }): ReactNode {
  const { subject, issuer, name, clientAddress } = record;
  if (subject === '') return <span className="gh-quiet">{nameOf(record)}</span>;
  return (
    <span title={clientAddress}>
      <Link to={auditLink({ subject, issuer })}>
        <CallerName name={name} subject={subject} issuer={issuer} />
      </Link>
    </span>
  );
}
