import type { SecretStatusView, SecretsStatusView } from '../../../../src/core/monitoring.js';
import type { Status } from '../../kit/status-kinds.js';

/** Reply of `GET /console/secrets`. */
export type Secrets = SecretsStatusView;
export type Vault = NonNullable<SecretsStatusView['vault']>;
export type Reference = SecretStatusView;
export type Use = SecretStatusView['usedBy'][number];

/** The severity of a state, and the word that describes the state. */
export interface LabeledStatus {
  readonly status: Status;
  readonly word: string;
}

/** Returns whether a reference resolves to a value. */
export function resolutionOf({ resolves }: Pick<Reference, 'resolves'>): LabeledStatus {
  if (resolves === null) return { status: 'off', word: 'not checked yet' };
  return resolves ? { status: 'good', word: 'resolves' } : { status: 'bad', word: 'does not resolve' };
}

const ROTATION_STATUS = {
  current: { status: 'good', word: 'current' },
  stale: { status: 'warning', word: 'stale: previous value in use' },
  ended: { status: 'bad', word: 'expired' },
  pending: { status: 'busy', word: 'changed, not applied yet' },
} as const satisfies Record<Reference['rotation'], LabeledStatus>;

/** Returns whether the value in use equals the current value in Vault. */
export function rotationOf({ rotation }: Pick<Reference, 'rotation'>): LabeledStatus {
  return ROTATION_STATUS[rotation];
}

const VAULT_STATUS = {
  ok: { status: 'good', word: 'ok' },
  degraded: { status: 'warning', word: 'degraded' },
  down: { status: 'bad', word: 'down' },
} as const satisfies Record<Vault['state'], LabeledStatus>;

/** Returns the state of Vault. */
export function vaultStatusOf({ state }: Pick<Vault, 'state'>): LabeledStatus {
  return VAULT_STATUS[state];
}

/** Formats a duration: 42 s, 7 min, 3 h, 2 d. Whole units, rounded down. */
export function formatSeconds(seconds: number): string {
  const [unit, size] = (
    [
      ['d', 86_400],
      ['h', 3600],
      ['min', 60],
    ] as const
  ).find(([, unitSeconds]) => seconds >= 2 * unitSeconds) ?? ['s', 1];
  return `${Math.floor(Math.max(seconds, 0) / size)} ${unit}`;
}

/** True for a reference that needs attention: it does not resolve, or the value in use is out of date. */
export function hasProblem({ resolves, rotation }: Reference): boolean {
  return resolves === false || rotation === 'ended' || rotation === 'stale';
}
