import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.js';
import { pathOf } from '../../api/request.js';
import { Facts } from '../../kit/facts.js';
import { Notice, Read } from '../../kit/feedback.js';
import { Link } from '../../kit/link.js';
import { type Impact, impactSentence } from './impact.js';

/** Returns the path for the effect of activating a profile. */
export function impactPath(id: string): string {
  return pathOf(['console', 'profiles', id, 'impact']);
}

/** Shows what activating a profile would start, stop and change, according to the server. */
export function ImpactOf({ id }: { readonly id: string }): ReactNode {
  const impact = useRead<Impact>(impactPath(id));
  return (
    <Read query={impact} what="the effect of activation">
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
                <code>{pointer === '' ? '(document)' : pointer}</code> {message}. {fix}
              </li>
            ))}
          </ul>
        )}
      </Notice>
      <Facts
        facts={{
          Starts: starts.length > 0 ? <Names names={starts} /> : undefined,
          Stops: stops.length > 0 ? <Names names={stops} /> : undefined,
          Restarts: restarts.length > 0 ? <Names names={restarts} /> : undefined,
          Unchanged: unchanged === 1 ? '1 adapter' : `${unchanged} adapters`,
          Settings: settings.length > 0 ? settings.join(', ') : undefined,
          'Log level': level ? `${level.from} → ${level.to}` : undefined,
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
