import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.js';
import { CodeView } from '../../kit/copy.js';
import { diffJson } from '../../kit/diff-lines.js';
import { DiffView } from '../../kit/diff-view.js';
import { Read } from '../../kit/feedback.js';
import { textOf } from '../../text/text.js';
import { recordPath, type Version, type VersionDocument, type VersionedRecord } from './versions.js';

const text = textOf('history');

interface DifferenceProps {
  readonly record: VersionedRecord;
  readonly before: Version;
  readonly after: Version;
}

/** Renders the difference between the documents of two versions. */
export function Difference({ record, before, after }: DifferenceProps): ReactNode {
  const first = useRead<VersionDocument>(documentPath(record, before), { isCached: true });
  const second = useRead<VersionDocument>(documentPath(record, after), { isCached: true });
  const label = ({ revision }: Version) => text('version', { revision });
  return (
    <Read query={first} what={label(before)}>
      {(from) => (
        <Read query={second} what={label(after)}>
          {(to) => (
            <DiffView before={from.document} after={to.document} labels={[label(before), label(after)]} />
          )}
        </Read>
      )}
    </Read>
  );
}

/** Renders the document of a version that has no other version to compare with. */
export function Document({
  record,
  version,
}: {
  readonly record: VersionedRecord;
  readonly version: Version;
}): ReactNode {
  const read = useRead<VersionDocument>(documentPath(record, version), { isCached: true });
  const label = text('version', { revision: version.revision });
  return (
    <Read query={read} what={label}>
      {({ document }) => <CodeView text={JSON.stringify(document, null, 2)} label={label} />}
    </Read>
  );
}

/** Returns whether the documents of two versions differ; undefined until both are read. */
export function useIsDifferent(
  record: VersionedRecord,
  [one, other]: readonly [Version, Version],
): boolean | undefined {
  const { data: first } = useRead<VersionDocument>(documentPath(record, one), { isCached: true });
  const { data: second } = useRead<VersionDocument>(documentPath(record, other), { isCached: true });
  if (!first || !second) return undefined;
  return diffJson(first.document, second.document).some(({ kind }) => kind !== 'same');
}

function documentPath(record: VersionedRecord, { revision }: Version): string {
  return recordPath(record, 'history', String(revision));
}
