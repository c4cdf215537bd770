import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.js';
import { pathOf } from '../../api/request.js';
import { Facts } from '../../kit/facts.js';
import { Notice, Read } from '../../kit/feedback.js';
import { Link } from '../../kit/link.js';
import { formatList } from '../../kit/numbers.js';
import { textOf } from '../../text/text.js';
import { type Impact, impactSentence } from './impact.js';

const text = textOf('profiles');

/** Returns the path for the effect of activating a profile. */
export function impactPath(id: string): string {
  return pathOf(['console', 'profiles', id, 'impact']);
}

/** Shows what activating a profile would start, stop and change, according to the server. */
export function ImpactOf({ id }: { readonly id: string }): ReactNode {
  const impact = useRead<Impact>(impactPath(id));
  return (
    <Read query={impact} what={text('impact.what')}>
      {(found) => <ImpactView impact={found} />}
    </Read>
  );
}

function ImpactView({ impact }: { readonly impact: Impact }): ReactNode {
  const { starts, stops, restarts, unchanged, settings, level, faults } = impact;
  const isHarmless = stops.length + restarts.length === 0;
  const kind = faults.length > 0 ? 'danger' : isHarmless ? 'info' : 'warning';
  return (
    <div className="gh-stack">
      <Notice kind={kind} title={impactSentence(impact)}>
        {faults.length > 0 && (
          <ul className="gh-faults">
            {faults.map(({ pointer, message, fix }) => (
              <li key={`${pointer} ${message}`}>
                <code>{pointer === '' ? text('impact.document') : pointer}</code>{' '}
                {fix === '' ? message : `${message}. ${fix}`}
              </li>
            ))}
          </ul>
        )}
      </Notice>
      <Facts
        facts={{
          [text('starts')]: starts.length > 0 ? <Names names={starts} /> : undefined,
          [text('stops')]: stops.length > 0 ? <Names names={stops} /> : undefined,
          [text('restarts')]: restarts.length > 0 ? <Names names={restarts} /> : undefined,
          [text('unchanged')]: text('unchanged.adapters', { count: unchanged }),
          [text('settings')]: settings.length > 0 ? formatList(settings) : undefined,
          [text('level')]: level ? text('level.change', level) : undefined,
        }}
      />
    </div>
  );
}

function Names({ names }: { readonly names: readonly string[] }): ReactNode {
  return (
    <ul className="gh-inline-list">
      {names.map((name) => (
        <li key={name}>
          <Link to={pathOf(['adapters', name])}>{name}</Link>
        </li>
      ))}
    </ul>
  );
}
