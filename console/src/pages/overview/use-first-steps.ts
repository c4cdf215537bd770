import {
  type OverviewReply,
  type Rates,
  TRAFFIC_EVENT,
  type TrafficEvent,
  type TrafficReply,
} from '../../api/observe.js';
import { useCached, useRead } from '../../api/queries.js';
import { useSession } from '../../app/session.js';
import { useFirstStepsChoice } from './first-steps-choice.js';
import { type FirstStep, firstStepsOf, isEstablished, mayTakeFirstSteps } from './first-steps.js';

interface SecretsReply {
  readonly vault: { readonly condition: string } | null;
}

/** Interval between reads of what the server does not report by events, in milliseconds. */
const READ_MS = 30_000;

/**
 * Returns the first steps while they are shown: on a new installation until the user hides them, and on every
 * installation after the user asked for them. The server's events keep them current.
 */
export function useFirstSteps():
  | { readonly steps: readonly FirstStep[]; readonly isRequested: boolean }
  | undefined {
  const { may, name } = useSession();
  const choice = useFirstStepsChoice();
  const enabled = choice !== 'hidden' && mayTakeFirstSteps(may);
  const options = { enabled, everyMs: READ_MS };
  const { data: traffic } = useRead<TrafficReply>('/console/traffic?span=7d&limit=0', options);
  const isShown = enabled && traffic !== undefined && (choice === 'shown' || !isEstablished(traffic));
  const { data: overview } = useRead<OverviewReply>('/console/overview', { enabled: isShown });
  const { data: secrets } = useRead<SecretsReply>('/console/secrets', { enabled: isShown, everyMs: READ_MS });
  const { data: forms } = useRead<readonly unknown[]>('/json-forms/forms?limit=1', { enabled: isShown });
  const { data: live } = useCached<TrafficEvent>(TRAFFIC_EVENT);
  if (!isShown || !overview || !secrets || !forms) return undefined;
  const steps = firstStepsOf({
    userName: name,
    vault: vaultStateOf(secrets),
    adapters: overview.adapters,
    hasCalls: hasRate(live ?? overview.server.traffic) || overview.callers.length > 0 || hasCalls(traffic),
    hasForms: forms.length > 0,
  });
  return { steps, isRequested: choice === 'shown' };
}

function vaultStateOf({ vault }: SecretsReply): 'missing' | 'failed' | 'connected' {
  if (!vault) return 'missing';
  return vault.condition === 'connected' ? 'connected' : 'failed';
}

function hasRate({ perMinute }: Rates): boolean {
  return perMinute > 0;
}

function hasCalls({ cells }: TrafficReply): boolean {
  return cells.some(({ calls }) => calls > 0);
}
