import type { SecretStatusView, SecretsStatusView } from '../../../../src/core/monitoring.js';
import type { Status } from '../../kit/status-kinds.js';

/** Reply of `GET /console/secrets`. */
export type Secrets = SecretsStatusView;
export type Vault = NonNullable<SecretsStatusView['vault']>;
export type Reference = SecretStatusView;
export type Use = SecretStatusView['usedBy'][number];

/** A state and the word for it. */
export interface Stand {
  readonly status: Status;
  readonly word: string;
}

/** Returns whether a reference resolves to a value. */
export function resolution({ resolves }: Pick<Reference, 'resolves'>): Stand {
  if (resolves === null) return { status: 'off', word: 'not checked yet' };
  return resolves ? { status: 'good', word: 'resolves' } : { status: 'bad', word: 'does not resolve' };
}

const ROTATIONS = {
  current: { status: 'good', word: 'current' },
  stale: { status: 'warning', word: 'stale: previous value in use' },
  ended: { status: 'bad', word: 'expired' },
  pending: { status: 'busy', word: 'changed, not applied yet' },
} as const satisfies Record<Reference['rotation'], Stand>;

/** Returns whether the value in use is the one that Vault has now. */
export function rotationOf({ rotation }: Pick<Reference, 'rotation'>): Stand {
  return ROTATIONS[rotation];
}

const VAULTS = {
  ok: { status: 'good', word: 'ok' },
  degraded: { status: 'warning', word: 'degraded' },
  down: { status: 'bad', word: 'down' },
} as const satisfies Record<Vault['state'], Stand>;

/** Returns the state of Vault. */
export function vaultStand({ state }: Pick<Vault, 'state'>): Stand {
  return VAULTS[state];
}

/** Formats a duration: 42 s, 7 min, 3 h, 2 d. Whole units, rounded down. */
export function spanOf(seconds: number): string {
  const [unit, size] = (
    [
      ['d', 86_400],
      ['h', 3600],
      ['min', 60],
    ] as const
  ).find(([, least]) => seconds >= 2 * least) ?? ['s', 1];
  return `${Math.floor(Math.max(seconds, 0) / size)} ${unit}`;
}

/** True for a reference that needs attention: it does not resolve, or the value in use is out of date. */
export function isTrouble({ resolves, rotation }: Reference): boolean {
  return resolves === false || rotation === 'ended' || rotation === 'stale';
}
