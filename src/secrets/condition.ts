import { failureClass } from './secret-error.js';
import type { SecretInUse } from './secret-status.js';

/**
 * Condition of Vault, as the secrets in use show it. `degraded`: Vault answers, but does not confirm a value that is in use,
 * for example because a policy was removed.
 */
type VaultCondition =
  | 'connected'
  | 'sealed'
  | 'unreachable'
  | 'login refused'
  | 'login failing'
  | 'rate limited'
  | 'degraded';

/** What the secrets in use say about Vault. */
export interface VaultView {
  readonly condition: VaultCondition;
  /** Number of references that run on a cached value, which Vault does not confirm. */
  readonly cachedCount: number;
  /** Time when the first cached value becomes too old or its lease ends, in milliseconds since 1970; absent without one. */
  readonly cachedUntil?: number;
  /** True if that time is on the day of the view, in UTC. */
  readonly endsToday?: boolean;
  /** Number of references that had a value and have none any more, or whose cached value is too old. */
  readonly lostCount: number;
  /** Reference, message and next step of the failure that decides the condition; absent while `connected`. */
  readonly failure?: { readonly reference: string; readonly message: string; readonly fix: string };
}

const OTHER_OUTAGES: Readonly<Partial<Record<ReturnType<typeof failureClass>, VaultCondition>>> = {
  unavailable: 'unreachable',
  login: 'login refused',
};
/** The condition of the first entry decides. */
const BY_SEVERITY: readonly VaultCondition[] = [
  ...(['sealed', 'unreachable', 'login refused', 'login failing', 'rate limited', 'degraded'] as const),
];

/**
 * Returns the condition of Vault. A reference that never had a value is a fault of the configuration, so it counts only if Vault
 * itself failed.
 */
export function vaultViewOf(
  secretsInUse: readonly SecretInUse[],
  { now, maxStaleSeconds }: { readonly now: number; readonly maxStaleSeconds: number },
): VaultView {
  const references = secretsInUse.filter(({ store }) => store !== 'file');
  const failing = references.flatMap((secret) => {
    const condition = conditionOf(secret);
    return condition ? [{ secret, condition }] : [];
  });
  const condition = BY_SEVERITY.find((one) => failing.some((found) => found.condition === one));
  const worst = failing.find((found) => found.condition === condition)?.secret;
  const ends = references.flatMap((secret) => cachedUntilOf(secret, { now, maxStaleSeconds }) ?? []);
  const cached = ends.filter((end) => end > now);
  const endedCount = references.filter(({ state }) => state === 'ended').length;
  return {
    condition: condition ?? 'connected',
    cachedCount: cached.length,
    ...(cached.length > 0 && endOf(Math.min(...cached), now)),
    lostCount: endedCount + ends.length - cached.length,
    ...(worst && {
      failure: {
        reference: worst.reference,
        message: worst.failure?.message ?? 'the lease of the secret has ended',
        fix: worst.failure?.fix ?? '',
      },
    }),
  };
}

/** Returns the condition that a reference shows; undefined if it shows no failure of Vault. */
function conditionOf({ state, failure }: SecretInUse): VaultCondition | undefined {
  if (!failure) return state === 'ended' ? 'degraded' : undefined;
  if (failure.code === 'VAULT_SEALED') return 'sealed';
  if (failure.code === 'VAULT_LOGIN_UNAVAILABLE') return 'login failing';
  if (failure.code === 'VAULT_RATE_LIMITED') return 'rate limited';
  if (failure.code === 'VAULT_LEASE_ENDED') return 'degraded';
  // A failed engine says nothing about Vault, which answers.
  const outage =
    failure.code === 'VAULT_ENGINE_FAILED' ? undefined : OTHER_OUTAGES[failureClass(failure.code)];
  return outage ?? (state === 'stale' || state === 'ended' ? 'degraded' : undefined);
}

function endOf(cachedUntil: number, now: number): Pick<VaultView, 'cachedUntil' | 'endsToday'> {
  return { cachedUntil, endsToday: utcOf(cachedUntil).date === utcOf(now).date };
}

function utcOf(time: number): { readonly date: string; readonly minute: string } {
  const text = new Date(time).toISOString();
  return { date: text.slice(0, 10), minute: text.slice(11, 16) };
}

/** Returns the time until which a cached value may be used; undefined if the reference does not run on one. */
export function cachedUntilOf(
  { state, goodAt, lease }: SecretInUse,
  { now, maxStaleSeconds }: { readonly now: number; readonly maxStaleSeconds: number },
): number | undefined {
  if (state !== 'stale' || goodAt === undefined) return undefined;
  const tooOldAt = goodAt + maxStaleSeconds * 1000;
  return lease ? Math.min(tooOldAt, now + lease.secondsLeft * 1000) : tooOldAt;
}

/**
 * Returns why files of secrets that are in use cannot be read again, as a sentence; undefined if all can. A reference that
 * never had a value is a fault of its component.
 */
export function secretFilesProblem(secretsInUse: readonly SecretInUse[]): string | undefined {
  const stale = secretsInUse.filter(({ store, state }) => store === 'file' && state === 'stale');
  const [first] = stale;
  if (!first) return undefined;
  const more = stale.length === 1 ? '' : ` (and ${stale.length - 1} more)`;
  return `${first.reference}: ${first.failure?.message ?? 'not read'}${more}. The last good value stays in use.`;
}

const SENTENCES: Readonly<Record<VaultCondition, string>> = {
  connected: 'Vault is connected',
  sealed: 'Vault is sealed',
  unreachable: 'Vault is unreachable',
  'login refused': 'Vault refused the login',
  'login failing': 'The login method of Vault fails',
  'rate limited': 'A quota of Vault limits the requests',
  degraded: 'Vault does not confirm secrets in use',
};

/**
 * Returns the condition of Vault as sentences, with times in UTC: "Vault is sealed. 2 secrets run on cached values until 00:47
 * UTC." The time of another day has its date.
 */
export function describeVault(view: VaultView): string {
  const { condition, cachedCount, lostCount } = view;
  const until = untilText(view);
  return [
    `${SENTENCES[condition]}.`,
    ...(cachedCount > 0
      ? [
          `${secrets(cachedCount)} ${cachedCount === 1 ? 'runs on a cached value' : 'run on cached values'}${until}.`,
        ]
      : []),
    ...(lostCount > 0
      ? [
          `${secrets(lostCount)} ${lostCount === 1 ? 'has' : 'have'} expired or ${lostCount === 1 ? 'is' : 'are'} too old.`,
        ]
      : []),
  ].join(' ');
}

function untilText({ cachedUntil, endsToday = true }: VaultView): string {
  if (cachedUntil === undefined) return '';
  const { date, minute } = utcOf(cachedUntil);
  return ` until ${endsToday ? '' : `${date} `}${minute} UTC`;
}

function secrets(count: number): string {
  return count === 1 ? '1 secret' : `${count} secrets`;
}
