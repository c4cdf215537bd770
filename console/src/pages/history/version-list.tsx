import type { ReactNode } from 'react';
import { Time } from '../../kit/time.js';
import { rich } from '../../text/rich.js';
import { textOf } from '../../text/text.js';
import { actionText, type Version } from './versions.js';
import './versions.css';

const text = textOf('history');

interface VersionListProps {
  readonly versions: readonly Version[];
  readonly chosen: number;
  readonly onChoose: (revision: number) => void;
}

/** Renders the versions of a record, newest first: what was done, who did it, when and why. */
export function VersionList({ versions, chosen, onChoose }: VersionListProps): ReactNode {
  return (
    <ol className="gh-versions" aria-label={text('versions')}>
      {versions.map((version, index) => (
        <li key={version.revision}>
          <button
            type="button"
            className="gh-version"
            aria-current={version.revision === chosen}
            onClick={() => onChoose(version.revision)}
          >
            <strong>
              {text('version', { revision: version.revision })}
              {index === 0 && version.action !== 'removed' && ` · ${text('current')}`}
            </strong>
            <span>{actionText(version)}</span>
            <span className="gh-quiet">
              <Origin version={version} />
            </span>
            {version.comment !== null && <q className="gh-breakable">{version.comment}</q>}
          </button>
        </li>
      ))}
    </ol>
  );
}

/** Renders the author and the time of a version; the server makes a change that goes back. */
export function Origin({
  version: { author, time },
  isWhole = false,
}: {
  readonly version: Pick<Version, 'author' | 'time'>;
  /** True shows the whole time, for details. */
  readonly isWhole?: boolean;
}): ReactNode {
  const at = () => <Time show={isWhole ? 'both' : 'ago'} at={time} />;
  if (time === null) return text('origin.unknown');
  if (author === null) return rich(text, 'origin.server', { time: at });
  return rich(text, 'origin', { name: author.name, time: at });
}
