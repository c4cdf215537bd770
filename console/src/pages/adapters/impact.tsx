import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.js';
import { pathOf } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import { Read } from '../../kit/feedback.js';
import { formatCount } from '../../kit/numbers.js';
import { RowsTable } from '../../kit/rows-table.js';
import { textOf } from '../../text/text.js';

const text = textOf('actions');

interface Counts {
  readonly calls: number;
  readonly errors: number;
  readonly clientErrors: number;
}

/** Reply of `GET /console/adapters/impact`. */
interface Impact extends Counts {
  readonly isComplete: boolean;
  readonly callers: readonly (Counts & { readonly caller: string })[];
  readonly others: Counts;
}

/** Maximum number of adapters that the server adds up. */
const MAX_ADAPTERS = 200;

/** Actions that keep calls from an orchestrator. */
type ImpactAction = 'stop' | 'pause' | 'block';

/** Returns whether an action keeps calls from an orchestrator. */
export function isImpactAction(action: string): action is ImpactAction {
  return action === 'stop' || action === 'pause' || action === 'block';
}

interface ImpactOnCallsProps {
  readonly action: ImpactAction;
  /** Names of the adapters. */
  readonly names: readonly string[];
}

/** Renders the calls of the last hour that would have failed, or waited, by caller. */
export function ImpactOnCalls({ action, names }: ImpactOnCallsProps): ReactNode {
  const isPermitted = useSession().may('getAdapterImpact');
  const enabled = isPermitted && names.length > 0 && names.length <= MAX_ADAPTERS;
  const path = pathOf(['console', 'adapters', 'impact'], { adapters: names.join(',') });
  const impact = useRead<Impact>(path, { enabled });
  if (!enabled) return null;
  return (
    <section className="gh-stack" aria-label={text('impact')}>
      <Read query={impact} what={text('impact.what')}>
        {({ isComplete, calls, callers, others }) => (
          <>
            <p>
              <strong>
                {calls === 0
                  ? text('impact.none')
                  : text(action === 'pause' ? 'impact.wait' : 'impact.fail', { count: calls })}
              </strong>{' '}
              {!isComplete && text('impact.incomplete')}
            </p>
            {calls > 0 && (
              <Callers rows={others.calls > 0 ? [...callers, { caller: '', ...others }] : callers} />
            )}
          </>
        )}
      </Read>
    </section>
  );
}

function Callers({ rows }: { readonly rows: Impact['callers'] }): ReactNode {
  return (
    <RowsTable
      label={text('impact')}
      rows={rows}
      keyOf={({ caller }) => caller}
      columns={[
        {
          key: 'caller',
          title: text('impact.caller'),
          cell: ({ caller }) => caller || text('impact.others'),
        },
        {
          key: 'calls',
          isNumber: true,
          title: text('impact.calls'),
          cell: ({ calls }) => formatCount(calls),
        },
        {
          key: 'failed',
          isNumber: true,
          title: text('impact.failedAnyway'),
          cell: ({ errors, clientErrors }) => formatCount(errors + clientErrors),
        },
      ]}
    />
  );
}
