import { type ReactNode, useState } from 'react';
import { type StoredVersion, versionOf } from '../../../../src/core/record-history.js';
import { useRead } from '../../api/queries.js';
import { DiffView } from '../../kit/diff-view.js';
import { Failure, Loading } from '../../kit/feedback.js';
import { textOf } from '../../text/text.js';
import { recordPath } from '../history/versions.js';
import type { TrailReply } from './request-trail.js';

const text = textOf('request');

interface VersionReply {
  readonly document: unknown;
}

/**
 * Renders what a recorded change did: the stored version beside the version before it. Records of other changes, and of
 * earlier servers, have only digests of both states.
 */
export function RecordChange({ record }: { readonly record: TrailReply['records'][number] }): ReactNode {
  const version = versionOf(record.outcome);
  const [isOpen, setOpen] = useState(false);
  if (!version)
    return record.before === '' && record.after === '' ? null : (
      <p className="gh-quiet">{text('noChange')}</p>
    );
  return (
    <details className="gh-fold" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{text('change', { revision: version.revision })}</summary>
      {isOpen && <VersionChange version={version} isNew={record.before === ''} />}
    </details>
  );
}

interface VersionChangeProps {
  readonly version: StoredVersion;
  /** True if nothing existed before. */
  readonly isNew: boolean;
}

function VersionChange({ version: { kind, name, revision }, isNew }: VersionChangeProps): ReactNode {
  const pathTo = (wanted: number) => recordPath({ kind, name }, 'history', String(wanted));
  const after = useRead<VersionReply>(pathTo(revision), { isCached: true });
  const before = useRead<VersionReply>(pathTo(revision - 1), { isCached: true, enabled: !isNew });
  const problem = after.error ?? before.error;
  if (problem?.code === 'version_not_found') return <p className="gh-quiet">{text('versionGone')}</p>;
  if (problem) return <Failure problem={problem} />;
  if (!after.data || (!isNew && !before.data)) return <Loading what={text('changeWhat')} />;
  return (
    <DiffView
      before={before.data?.document ?? {}}
      after={after.data.document}
      labels={[
        isNew ? text('nothingBefore') : text('version', { revision: revision - 1 }),
        text('version', { revision }),
      ]}
    />
  );
}
