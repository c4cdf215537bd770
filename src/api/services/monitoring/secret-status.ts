import type { SecretStatusView, SecretsStatusView } from '../../../core/monitoring.js';
import type { VaultSettings } from '../../../core/settings.js';
import { momentOrNull } from './adapter-status.js';
import { sectionOf } from '../../../server/reload/owners.js';
import { findReferences } from '../../../vault/find-references.js';
import type { ActiveSnapshot } from '../../../server/reload/active-snapshot.js';
import type { SecretInUse, SecretSource } from '../../../vault/open-secrets.js';
import type { Fault } from '../../../core/fault.js';

interface StatusViewsInput {
  readonly settings: VaultSettings | null;
  readonly secrets: Pick<SecretSource, 'inUse' | 'status' | 'traffic'>;
  readonly snapshot: ActiveSnapshot;
  /** Faults for which the configuration on disk was refused. */
  readonly refusal: readonly Fault[];
  /** When Vault entered its current state, in milliseconds since 1970. */
  readonly vaultSince: number;
}

/** Returns the status of the secrets; does not access their values. */
export function secretStatusViews(input: StatusViewsInput): SecretsStatusView {
  const { settings, secrets, snapshot, refusal, vaultSince } = input;
  const references = secrets.inUse().map((one) => secretStatusViewOf(one, snapshot));
  return {
    vault: settings && {
      state: WORDS[secrets.status().state],
      since: vaultSince,
      addresses: settings.address,
      authMethod: settings.auth.method,
      mount: settings.mount,
      tokenTtlSeconds: secondsOf(secrets.traffic().tokenSeconds),
    },
    references: [...references].sort((one, other) => (one.reference < other.reference ? -1 : 1)),
    encLeft: refusedIn(refusal) + encryptedIn(snapshot),
  };
}

const WORDS = { running: 'ok', degraded: 'degraded', failed: 'down' } as const;

/** Returns whole seconds; null if the token never expires, because JSON has no infinity. */
function secondsOf(left: number | undefined): number | null {
  return left !== undefined && Number.isFinite(left) ? Math.max(0, Math.floor(left)) : null;
}

function secretStatusViewOf(
  { reference, usedBy, state, failure, goodAt, version, lease }: SecretInUse,
  snapshot: ActiveSnapshot,
): SecretStatusView {
  const isPending = usedBy.some(({ owner }) => snapshot.outdated.has(sectionOf(owner)));
  return {
    reference,
    usedBy: usedBy.map(({ owner, pointer }) => {
      const name = sectionOf(owner);
      return { kind: name === '' ? 'settings' : 'adapter', name, pointer };
    }),
    resolves: RESOLVES[state],
    cause: failure?.message ?? null,
    fix: failure?.fix ?? null,
    fetchedAt: momentOrNull(goodAt),
    version,
    leaseSeconds: lease?.secondsLeft ?? null,
    renewable: lease?.renewable ?? null,
    rotation: state === 'stale' || state === 'ended' ? state : isPending ? 'pending' : 'current',
  };
}

const RESOLVES = { current: true, stale: true, ended: false, missing: false, unread: null } as const;

function refusedIn(refusal: readonly Fault[]): number {
  return refusal.filter(({ code }) => code === 'ENC_REJECTED').length;
}

/** Counts the encrypted values of registered adapters that were stored before such values were rejected. */
function encryptedIn({ desired }: ActiveSnapshot): number {
  const { faults } = findReferences(desired.state.adapters.map(({ document }) => document));
  return faults.filter(({ code }) => code === 'ENC_REJECTED').length;
}
