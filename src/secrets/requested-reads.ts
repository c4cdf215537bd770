import { type Clock, elapsedSince } from '../lib/clock.js';
import { type CachedSecret, isImmutable } from './cached-secret.js';

/** Minimum time between two reads of a secret after refusals by orchestrators, in milliseconds. */
const REFUSAL_PAUSE_MS = 1_000;
/** The same for leased credentials: each read creates an account, so a hostile orchestrator must create few. */
const LEASE_PAUSE_MS = 5_000;
/** The same while Vault grants no other credentials. */
const FAILED_LEASE_PAUSE_MS = 30_000;

/** Returns true if a refusal of the owner by its orchestrator may cause a read of the secret now. */
export function mayReadAfterRefusal(secret: CachedSecret, owner: string, clock: Clock): boolean {
  const { users, store, heldLease, failure, refusalReadAt } = secret;
  if (!users.has(owner) || isImmutable(secret)) return false;
  if (refusalReadAt === undefined || store.refresh.afterRefusal === 'always') return true;
  const leasePauseMs = failure ? FAILED_LEASE_PAUSE_MS : LEASE_PAUSE_MS;
  return elapsedSince(clock, refusalReadAt) >= (heldLease ? leasePauseMs : REFUSAL_PAUSE_MS);
}

/** Runs reads that a person or an orchestrator caused. Plans reads that confirm those with the same values. */
export async function readOnRequest<Result>(
  secrets: readonly CachedSecret[],
  clock: Clock,
  read: () => Promise<Result>,
): Promise<Result> {
  const before = secrets.map(contentOf);
  try {
    return await read();
  } finally {
    for (const [at, secret] of secrets.entries())
      secret.confirmAt = before[at] === contentOf(secret) ? confirmationsOf(secret, clock.now()) : [];
  }
}

/** Time by which a timer may fire early, in milliseconds. */
const EARLY_MS = 10;

/** Removes the confirmations that are due, because the secret is read now. */
export function noteConfirmation(secret: CachedSecret, now: number): void {
  const later = secret.confirmAt.filter((at) => at > now + EARLY_MS);
  if (later.length < secret.confirmAt.length) secret.refusalReadAt = now;
  secret.confirmAt = later;
}

/** Returns the times of the reads that confirm the values; none for leased credentials, which are others with each read. */
function confirmationsOf(secret: CachedSecret, now: number): readonly number[] {
  if (secret.heldLease || isImmutable(secret)) return [];
  return secret.store.refresh.confirmMs.map((ms) => now + ms);
}

/** Returns a text that is another one after a read of other values or of another version. */
function contentOf({ data, users }: CachedSecret): string {
  return [data?.version, ...[...users.values()].map(({ fingerprint }) => fingerprint)].join(' ');
}
