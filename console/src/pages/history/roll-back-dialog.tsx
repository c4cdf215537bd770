import { type ReactNode, useState } from 'react';
import { RequestDialog } from '../../kit/request-dialog.js';
import { useToast } from '../../kit/toasts.js';
import { textOf } from '../../text/text.js';
import { areValid, NO_TERMS, TermsFields, termsOf } from './change-terms.js';
import { Difference } from './difference.js';
import { CHANGED_PATHS, OPERATIONS, recordPath, type Version, type VersionedRecord } from './versions.js';

const text = textOf('history');

interface RollBackDialogProps {
  readonly record: VersionedRecord;
  readonly etag?: string | undefined;
  readonly to: Version;
  readonly current: Version;
  readonly onClose: () => void;
}

/** Shows what a rollback changes, asks for the reason, and rolls back; creates a deleted record again. */
export function RollBackDialog({ record, etag, to, current, onClose }: RollBackDialogProps): ReactNode {
  const [terms, setTerms] = useState(NO_TERMS);
  const showToast = useToast();
  const { name, kind } = record;
  const { revision } = to;
  const isDeleted = current.action === 'removed';
  return (
    <RequestDialog
      title={text(isDeleted ? 'restore.title' : 'rollBack.title', { name, revision })}
      verb={text(isDeleted ? 'restore' : 'rollBack', { revision })}
      request={{
        method: 'POST',
        path: recordPath(record, 'rollback'),
        body: { revision, ...termsOf(terms) },
        ...(etag !== undefined && { ifMatch: etag }),
      }}
      affects={CHANGED_PATHS}
      isWide
      isReady={areValid(terms)}
      below={!isDeleted && <Difference record={record} before={current} after={to} />}
      onDone={() => {
        showToast('success', text(isDeleted ? 'restored' : 'rolledBack', { name, revision }));
        onClose();
      }}
      onClose={onClose}
    >
      <p>{text(`effect.${kind}`)}</p>
      <TermsFields
        entry={terms}
        onChange={setTerms}
        canWait={!isDeleted && OPERATIONS[kind].confirm !== null}
      />
    </RequestDialog>
  );
}
