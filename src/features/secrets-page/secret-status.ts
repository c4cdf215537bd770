import type { Fault } from '../../core/fault.js';
import type { SecretProof } from '../../core/secret-proof.js';
import { millisecondsOrNull } from '../../lib/iso-time.js';
import { cachedUntilOf, secretFilesProblem, type VaultView, vaultViewOf } from '../../secrets/condition.js';
import { findReferences } from '../../secrets/find-references.js';
import type { SecretInUse, SecretSource } from '../../secrets/open-secrets.js';
import { sectionOf } from '../../server/state/owners.js';
import type { SecretProofs } from '../../server/state/secret-proofs.js';
import type { ActiveSnapshot } from '../../server/state/snapshot.js';
import type { SecretFileSettings } from '../../settings/secret-files.js';
import type { VaultSettings } from '../../settings/vault.js';
import type { SecretRotation, SecretStatusView, SecretsStatusView } from './secret-status-view.js';

interface StatusViewsInput {
  readonly settings: VaultSettings | null;
  readonly files: SecretFileSettings | null;
  readonly secrets: Pick<SecretSource, 'inUse' | 'vaultState' | 'traffic'>;
  readonly proofs: SecretProofs;
  readonly snapshot: ActiveSnapshot;
  /** Faults for which the configuration on disk was refused. */
  readonly refusal: readonly Fault[];
  /** When Vault entered its current condition, in milliseconds since 1970. */
  readonly vaultSince: number;
  readonly now: number;
}

/** Returns the status of Vault, of the files, and of the secrets in use, without their values. */
export function secretStatusViews(input: StatusViewsInput): SecretsStatusView {
  const { settings, files, secrets, refusal, snapshot, vaultSince, now } = input;
  const inUse = secrets.inUse();
  const maxStaleSeconds = settings?.refresh.maxStaleSeconds ?? Infinity;
  const references = inUse.map((secret) => ({
    ...secretStatusViewOf(secret, input),
    isTooOld: (cachedUntilOf(secret, { now, maxStaleSeconds }) ?? Infinity) <= now,
  }));
  return {
    vault: settings && {
      state: VAULT_STATUS[secrets.vaultState()],
      ...vaultFactsOf(vaultViewOf(inUse, { now, maxStaleSeconds })),
      since: vaultSince,
      addresses: settings.address,
      authMethod: settings.auth.method,
      mount: settings.mount,
      adapterScope: settings.adapterScope,
      tokenTtlSeconds: wholeSecondsOrNull(secrets.traffic().tokenSeconds),
      tokenLifetimeSeconds: wholeSecondsOrNull(secrets.traffic().tokenLifetimeSeconds),
    },
    files: files && filesStatusOf(files, inUse),
    references: [...references].sort((first, second) => (first.reference < second.reference ? -1 : 1)),
    encLeft: countRefusedEnc(refusal) + countStoredEnc(snapshot),
  };
}

function filesStatusOf(
  { root, adapterScope }: SecretFileSettings,
  inUse: readonly SecretInUse[],
): SecretsStatusView['files'] {
  const cause = secretFilesProblem(inUse) ?? null;
  return { state: cause === null ? 'ok' : 'degraded', root, adapterScope, cause };
}

function vaultFactsOf({
  condition,
  cachedCount,
  cachedUntil,
  lostCount,
}: VaultView): Pick<
  NonNullable<SecretsStatusView['vault']>,
  'condition' | 'cachedSecrets' | 'cachedUntil' | 'lostSecrets'
> {
  const until = millisecondsOrNull(cachedUntil);
  return { condition, cachedSecrets: cachedCount, cachedUntil: until, lostSecrets: lostCount };
}

const VAULT_STATUS = { running: 'ok', degraded: 'degraded', failed: 'down' } as const;

/** Returns whole seconds; null if the token never expires, because JSON has no infinity. */
function wholeSecondsOrNull(seconds: number | undefined): number | null {
  return seconds !== undefined && Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : null;
}

function secretStatusViewOf(
  { reference, usedBy, state, failure, goodAt, version, lease, rotated }: SecretInUse,
  { snapshot, proofs }: StatusViewsInput,
): Omit<SecretStatusView, 'isTooOld'> {
  const isPending = usedBy.some(({ owner }) => snapshot.outdated.has(sectionOf(owner)));
  return {
    reference,
    usedBy: usedBy.map(({ owner, pointer }) => {
      const name = sectionOf(owner);
      const instance = snapshot.adapters.get(name);
      const proof = instance && proofs.of(instance);
      return {
        kind: name === '' ? 'settings' : 'adapter',
        name,
        pointer,
        proof: proof?.pointers.includes(pointer) ? proofViewOf(proof) : null,
      };
    }),
    resolves: HAS_VALUE[state],
    cause: failure?.message ?? null,
    fix: failure?.fix ?? null,
    fetchedAt: millisecondsOrNull(goodAt),
    version,
    leaseSeconds: lease?.secondsLeft ?? null,
    renewable: lease?.renewable ?? null,
    rotation: ROTATIONS[state] ?? (isPending ? 'pending' : 'current'),
    rotated: rotated ? { ...rotated, at: Math.floor(rotated.at) } : null,
  };
}

function proofViewOf(proof: SecretProof): NonNullable<SecretStatusView['usedBy'][number]['proof']> {
  const { at, verdict, versions, isInUse, reason = null } = proof;
  return { at, verdict, versions, isInUse, reason };
}

/** Rotation by the state of the reference; a value that Vault confirmed is `current` or `pending`. */
const ROTATIONS: Readonly<Partial<Record<SecretInUse['state'], SecretStatusView['rotation']>>> = {
  stale: 'stale',
  ended: 'ended',
  missing: 'missing',
  unread: 'missing',
};

const HAS_VALUE = { current: true, stale: true, ended: false, missing: false, unread: null } as const;

function countRefusedEnc(refusal: readonly Fault[]): number {
  return refusal.filter(({ code }) => code === 'ENC_REJECTED').length;
}

/**
 * Counts the `$ENC` values of registered adapters that were stored before the server rejected such values.
 */
function countStoredEnc({ desired }: ActiveSnapshot): number {
  const { faults } = findReferences(desired.state.adapters.map(({ document }) => document));
  return faults.filter(({ code }) => code === 'ENC_REJECTED').length;
}

/** Returns the latest rotation among the secrets of an adapter; undefined without one. */
export function latestRotationOf(
  secrets: readonly SecretInUse[],
  adapter: string,
): SecretRotation | undefined {
  return secrets
    .filter(({ usedBy }) => usedBy.some(({ owner }) => sectionOf(owner) === adapter))
    .flatMap(({ rotated }) => rotated ?? [])
    .reduce<SecretRotation | undefined>(
      (latest, one) => (latest && latest.at >= one.at ? latest : one),
      undefined,
    );
}
