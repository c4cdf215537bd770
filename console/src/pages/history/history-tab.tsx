import { type ReactNode, useState } from 'react';
import { useRead } from '../../api/queries.js';
import { useSession } from '../../app/session.js';
import { Segments } from '../../kit/choices.js';
import { RawLinks } from '../../kit/copy.js';
import { DialogButton } from '../../kit/dialog-button.js';
import { Read } from '../../kit/feedback.js';
import { Actions, Columns } from '../../kit/page.js';
import { useUrlState } from '../../kit/url-state.js';
import { textOf } from '../../text/text.js';
import { Difference, Document, useIsDifferent } from './difference.js';
import { RollBackDialog } from './roll-back-dialog.js';
import { Origin, VersionList } from './version-list.js';
import {
  actionText,
  OPERATIONS,
  type Version,
  type VersionedRecord,
  type VersionList as Versions,
  versionsPath,
} from './versions.js';

const text = textOf('history');

interface HistoryTabProps {
  readonly record: VersionedRecord;
  /** State that a rollback changes; absent for a deleted record. */
  readonly etag?: string | undefined;
}

/** Renders the versions of an adapter or a profile, what each of them changed, and a way back to it. */
export function HistoryTab({ record, etag }: HistoryTabProps): ReactNode {
  const path = versionsPath(record);
  const versions = useRead<Versions>(path);
  return (
    <Read query={versions} what={text('what')}>
      {({ results }) => <History record={record} etag={etag} versions={results} />}
    </Read>
  );
}

function History({
  record,
  etag,
  versions,
}: HistoryTabProps & { readonly versions: readonly Version[] }): ReactNode {
  const [{ version }, setUrl] = useUrlState({ version: '' });
  const at = Math.max(
    versions.findIndex(({ revision }) => String(revision) === version),
    0,
  );
  const chosen = versions[at];
  const [newest] = versions;
  if (!chosen || !newest) return null;
  return (
    <Columns kind="narrow-first">
      <VersionList
        versions={versions}
        chosen={chosen.revision}
        onChoose={(revision) => setUrl({ version: String(revision) })}
      />
      <Comparison
        key={chosen.revision}
        record={record}
        etag={etag}
        chosen={chosen}
        previous={versions[at + 1]}
        newest={newest}
      />
    </Columns>
  );
}

interface ComparisonProps extends HistoryTabProps {
  readonly chosen: Version;
  /** Version before the chosen one; undefined for the oldest one that is kept. */
  readonly previous: Version | undefined;
  readonly newest: Version;
}

/** Renders the difference of a version to the one before it, or to the current state. */
function Comparison(props: ComparisonProps): ReactNode {
  const { record, chosen, previous, newest } = props;
  const [to, setTo] = useState<'previous' | 'current'>(previous ? 'previous' : 'current');
  const [before, after] = to === 'previous' && previous ? [previous, chosen] : [chosen, newest];
  return (
    <div className="gh-stack">
      <Actions>
        {previous && chosen !== newest && (
          <Segments
            label={text('compareWith')}
            options={[
              { key: 'previous', label: text('compare.previous') },
              {
                key: 'current',
                label: text(newest.action === 'removed' ? 'compare.last' : 'compare.current'),
              },
            ]}
            value={to}
            onChange={setTo}
          />
        )}
        <RollBack {...props} />
        <RawLinks path={versionsPath(record)} />
      </Actions>
      <p>
        {text('version', { revision: chosen.revision })} · {actionText(chosen)} ·{' '}
        <Origin version={chosen} isWhole />
      </p>
      {before === after ? (
        <>
          <p className="gh-quiet">{text('onlyVersion')}</p>
          <Document record={record} version={after} />
        </>
      ) : (
        <Difference record={record} before={before} after={after} />
      )}
    </div>
  );
}

/** Renders the button that rolls back to the chosen version, or that creates a deleted record again from it. */
function RollBack({ record, etag, chosen, newest }: ComparisonProps): ReactNode {
  const { may } = useSession();
  const isDeleted = newest.action === 'removed';
  const isDifferent = useIsDifferent(record, [chosen, newest]);
  const isPermitted = may(OPERATIONS[record.kind].rollBack);
  if (!isPermitted) return null;
  if (chosen === newest && !isDeleted) return <span className="gh-quiet">{text('inEffect')}</span>;
  if (!isDeleted && isDifferent !== true)
    return isDifferent === false && <span className="gh-quiet">{text('sameAsCurrent')}</span>;
  return (
    <DialogButton
      kind="primary"
      verb={text(isDeleted ? 'restore' : 'rollBack', { revision: chosen.revision })}
    >
      {(close) => <RollBackDialog record={record} etag={etag} to={chosen} current={newest} onClose={close} />}
    </DialogButton>
  );
}
