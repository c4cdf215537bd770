import type { Status } from '../../kit/status-kinds.js';

/** What `GET /console/secrets` tells. */
export interface Secrets {
  /** Null: none is configured. */
  readonly vault: Vault | null;
  readonly references: readonly Reference[];
  /** Encrypted values of the platform in what is configured; all of them are refused. */
  readonly encLeft: number;
}

export interface Vault {
  readonly state: 'ok' | 'degraded' | 'down';
  /** Milliseconds since 1970. */
  readonly since: number | null;
  readonly addresses: readonly string[];
  readonly authMethod: string;
  readonly mount: string;
  /** Null: none yet, or one that never ends. */
  readonly tokenTtlSeconds: number | null;
}

export interface Reference {
  /** `$VAULT_<path>#<field>`, which is no secret. */
  readonly reference: string;
  readonly usedBy: readonly Use[];
  /** Null: not asked yet. */
  readonly resolves: boolean | null;
  readonly cause: string | null;
  readonly fix: string | null;
  readonly fetchedAt: number | null;
  readonly version: number | null;
  /** What is left of it; null: it is not lent. */
  readonly leaseSeconds: number | null;
  readonly renewable: boolean | null;
  readonly rotation: 'current' | 'stale' | 'ended' | 'pending';
}

export interface Use {
  readonly kind: 'adapter' | 'settings';
  readonly name: string;
  readonly pointer: string;
}

/** A state and the word for it. */
export interface Stand {
  readonly status: Status;
  readonly word: string;
}

/** Whether a reference gets a value. */
export function resolution({ resolves }: Pick<Reference, 'resolves'>): Stand {
  if (resolves === null) return { status: 'off', word: 'not asked yet' };
  return resolves ? { status: 'good', word: 'resolves' } : { status: 'bad', word: 'does not resolve' };
}

const ROTATIONS = {
  current: { status: 'good', word: 'current' },
  stale: { status: 'warning', word: 'stale: serves from before' },
  ended: { status: 'bad', word: 'ended' },
  pending: { status: 'busy', word: 'changed, not taken up yet' },
} as const satisfies Record<Reference['rotation'], Stand>;

/** Whether what serves is what Vault has now. */
export function rotationOf({ rotation }: Pick<Reference, 'rotation'>): Stand {
  return ROTATIONS[rotation];
}

const VAULTS = {
  ok: { status: 'good', word: 'in order' },
  degraded: { status: 'warning', word: 'degraded' },
  down: { status: 'bad', word: 'down' },
} as const satisfies Record<Vault['state'], Stand>;

/** How Vault stands. */
export function vaultStand({ state }: Pick<Vault, 'state'>): Stand {
  return VAULTS[state];
}

/** A time as one says it: 42 s, 7 min, 3 h, 2 d. Whole units, rounded down. */
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

/** Those that need somebody to look: not resolving, or not serving what Vault has. */
export function isTrouble({ resolves, rotation }: Reference): boolean {
  return resolves === false || rotation === 'ended' || rotation === 'stale';
}
