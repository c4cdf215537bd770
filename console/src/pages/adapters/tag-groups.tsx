import { type ReactNode, useState } from 'react';
import type { AdapterStatusView } from '../../api/observe.js';
import { Button } from '../../kit/button.js';
import { Link } from '../../kit/link.js';
import { StatusLabel } from '../../kit/status.js';
import { textOf } from '../../text/text.js';
import './tags.css';
import { tagGroupsOf } from './tags.js';

const text = textOf('adapters');

/** Number of tags that are visible at first. */
const MAX_VISIBLE = 12;

/** Renders the tags with the number of their adapters and of those with problems; each opens the filtered list. */
export function TagGroups({
  adapters,
  chosen = '',
}: {
  readonly adapters: readonly AdapterStatusView[];
  /** Tag of the present filter. */
  readonly chosen?: string;
}): ReactNode {
  const [isWhole, setWhole] = useState(false);
  const groups = tagGroupsOf(adapters);
  if (groups.length === 0) return null;
  const shown = isWhole ? groups : groups.slice(0, MAX_VISIBLE);
  return (
    <ul className="gh-tag-groups" aria-label={text('tagGroups')}>
      {shown.map(({ tag, count, problems }) => (
        <li key={tag} data-chosen={tag === chosen}>
          <Link to={`/adapters?tag=${encodeURIComponent(tag)}`}>{tag}</Link>{' '}
          <span className="gh-quiet">{text('tagCount', { count })}</span>{' '}
          {problems > 0 && <StatusLabel status="bad">{text('tagProblems', { count: problems })}</StatusLabel>}
        </li>
      ))}
      {groups.length > shown.length && (
        <li>
          <Button kind="link" isSmall onPress={() => setWhole(true)}>
            {text('moreTags', { count: groups.length - shown.length })}
          </Button>
        </li>
      )}
    </ul>
  );
}
