import { type ReactNode, useState } from 'react';
import { useRead } from '../../api/queries.js';
import { useSession } from '../../app/session.js';
import { Button } from '../../kit/button.js';
import { DialogButton } from '../../kit/dialog-button.js';
import { Dialog } from '../../kit/dialog.js';
import { Empty, Notice, Read } from '../../kit/feedback.js';
import { Link } from '../../kit/link.js';
import { RowsTable } from '../../kit/rows-table.js';
import type { Column } from '../../kit/table-rows.js';
import { textOf } from '../../text/text.js';
import { HistoryTab } from './history-tab.js';
import { Origin } from './version-list.js';
import {
  OPERATIONS,
  type RecordKind,
  recordPath,
  removedPath,
  type RemovedRecord,
  type VersionedRecord,
  type VersionList,
  versionsPath,
} from './versions.js';

const text = textOf('history');

/** Renders a button that lists the deleted adapters or profiles, each with a link to its versions. */
export function RemovedRecords({ kind }: { readonly kind: RecordKind }): ReactNode {
  const { may } = useSession();
  if (!may(OPERATIONS[kind].removed)) return null;
  return (
    <DialogButton kind="link" verb={text(`removed.${kind}`)}>
      {(close) => (
        <Dialog title={text(`removed.${kind}`)} isOpen isWide onClose={close}>
          <Removed kind={kind} />
        </Dialog>
      )}
    </DialogButton>
  );
}

function Removed({ kind }: { readonly kind: RecordKind }): ReactNode {
  const removed = useRead<{ readonly results: readonly RemovedRecord[] }>(removedPath(kind));
  const [chosen, setChosen] = useState<string>();
  if (chosen !== undefined) return <HistoryTab record={{ kind, name: chosen }} />;
  return (
    <Read query={removed} what={text('removed.what')}>
      {({ results }) =>
        results.length === 0 ? (
          <Empty title={text('removed.none')}>{text('removed.none.help')}</Empty>
        ) : (
          <RowsTable
            label={text(`removed.${kind}`)}
            columns={columnsOf(kind, setChosen)}
            rows={results}
            keyOf={({ name }) => name}
          />
        )
      }
    </Read>
  );
}

function columnsOf(kind: RecordKind, onChoose: (name: string) => void): readonly Column<RemovedRecord>[] {
  return [
    {
      key: 'name',
      title: text('name'),
      cell: ({ name }) =>
        // A rule has no page of its own.
        kind === 'adapter' || kind === 'profile' ? (
          <Link to={recordPath({ kind, name })}>{name}</Link>
        ) : (
          <Button kind="link" onPress={() => onChoose(name)}>
            {name}
          </Button>
        ),
    },
    { key: 'time', title: text('deleted'), cell: (one) => <Origin version={one} /> },
    { key: 'reason', title: text('reason'), cell: ({ comment }) => comment ?? '' },
  ];
}

interface DeletedRecordProps {
  readonly record: VersionedRecord & { readonly kind: 'adapter' | 'profile' };
  /** Shown if no version of the record is stored. */
  readonly children: ReactNode;
}

/** Renders the versions of a deleted record, from which it can be created again. */
export function DeletedRecord({ record, children }: DeletedRecordProps): ReactNode {
  const { may } = useSession();
  const enabled = may(OPERATIONS[record.kind].history);
  const versions = useRead<VersionList>(versionsPath(record), { enabled });
  const last = versions.data?.results[0];
  if (versions.isLoading) return null;
  if (last?.action !== 'removed') return children;
  return (
    <>
      <Notice kind="info" title={text(`deleted.${record.kind}`, { name: record.name })}>
        <Origin version={last} /> {last.comment !== null && <q>{last.comment}</q>}
      </Notice>
      <HistoryTab record={record} />
    </>
  );
}
