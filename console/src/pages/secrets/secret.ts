import type {
  SecretsStatusView,
  SecretStatusView,
} from '../../../../src/features/secrets-page/secret-status-view.js';
import type { Status } from '../../kit/status-kinds.js';
import { formatTimeOfDay } from '../../text/span.js';
import { textOf } from '../../text/text.js';

const text = textOf('secrets');
const problemText = textOf('problems');

/** Reply of `GET /console/secrets`. */
export type Secrets = SecretsStatusView;
export type Vault = NonNullable<SecretsStatusView['vault']>;
export type Files = NonNullable<SecretsStatusView['files']>;
export type Reference = SecretStatusView;
export type Use = SecretStatusView['usedBy'][number];

/** The severity of a state, and the word that describes the state. */
interface LabeledStatus {
  readonly status: Status;
  readonly word: string;
}

/** Returns the state of a reference and of its value in one word. A reference that never had a value is never OK. */
export function referenceStatusOf({
  resolves,
  rotation,
  isTooOld,
  usedBy,
}: Pick<Reference, 'resolves' | 'rotation' | 'isTooOld' | 'usedBy'>): LabeledStatus {
  if (resolves === null) return { status: 'off', word: text('notChecked') };
  if (rotation === 'ended') return { status: 'bad', word: text('expired') };
  if (!resolves || rotation === 'missing') return { status: 'bad', word: text('missing') };
  if (isTooOld) return { status: 'bad', word: text('tooOld') };
  if (usedBy.some(({ proof }) => proof?.verdict === 'refused'))
    return { status: 'bad', word: text('refused') };
  if (rotation === 'stale') return { status: 'warning', word: text('cachedValue') };
  if (rotation === 'pending') return { status: 'busy', word: text('pending') };
  return { status: 'good', word: text('ok') };
}

/** Returns the latest rotation in words: "Rotated from version 1 to 2 at 00:44"; undefined without one. */
export function rotationTextOf({ rotated }: Pick<Reference, 'rotated'>): string | undefined {
  if (!rotated) return undefined;
  const { from, to } = rotated;
  const at = formatTimeOfDay(rotated.at);
  return from === null || to === null ? text('rotatedValue', { at }) : text('rotated', { from, to, at });
}

const PROOFS = {
  accepted: { status: 'good', key: 'proofAccepted' },
  refused: { status: 'bad', key: 'proofRefused' },
  failed: { status: 'warning', key: 'proofFailed' },
} as const;

/** Returns the result of the test of the latest rotated value: "Refused with version 3"; undefined without one. */
export function proofStatusOf({ proof }: Pick<Use, 'proof'>): LabeledStatus | undefined {
  if (!proof) return undefined;
  const { verdict, versions, isInUse } = proof;
  const { status, key } = PROOFS[verdict];
  const secret =
    versions.length === 0 ? text('newValue') : text('versions', { versions: versions.join(', ') });
  return { status, word: [text(key, { secret }), ...(isInUse ? [] : [text('formerValue')])].join(' ') };
}

const CONDITIONS = {
  connected: { status: 'good', key: 'connected' },
  sealed: { status: 'bad', key: 'sealed' },
  unreachable: { status: 'bad', key: 'unreachable' },
  'login refused': { status: 'bad', key: 'loginRefused' },
  'login failing': { status: 'bad', key: 'loginFailing' },
  'rate limited': { status: 'warning', key: 'rateLimited' },
  degraded: { status: 'warning', key: 'degraded' },
} as const;

/** Returns the condition of Vault. */
export function vaultStatusOf({ condition }: Pick<Vault, 'condition'>): LabeledStatus {
  const { status, key } = CONDITIONS[condition];
  return { status, word: text(key) };
}

const SENTENCES = {
  sealed: 'vault-sealed',
  unreachable: 'vault-unreachable',
  'login refused': 'vault-login-refused',
  'login failing': 'vault-login-failing',
  'rate limited': 'vault-rate-limited',
  degraded: 'vault-degraded',
} as const;

/** Returns what is wrong with Vault, in the same sentences as the list of problems; undefined while it is connected. */
export function vaultSentenceOf(
  vault: Pick<Vault, 'condition' | 'cachedSecrets' | 'cachedUntil' | 'lostSecrets'>,
): string | undefined {
  const { condition, cachedSecrets, cachedUntil, lostSecrets } = vault;
  if (condition === 'connected') return undefined;
  return [
    problemText(SENTENCES[condition]),
    ...(cachedSecrets > 0 && cachedUntil !== null
      ? [problemText('cached', { count: cachedSecrets, until: formatTimeOfDay(cachedUntil) })]
      : []),
    ...(lostSecrets > 0 ? [problemText('lost', { count: lostSecrets })] : []),
  ].join(' ');
}

/**
 * Returns true if the cause of a reference is that of Vault, which the page shows once: a cached value is not confirmed because
 * Vault does not answer anything.
 */
export function isCauseOfVault(
  { rotation }: Pick<Reference, 'rotation'>,
  vault: Pick<Vault, 'condition'> | null,
): boolean {
  const condition = vault?.condition ?? 'connected';
  return rotation === 'stale' && condition !== 'connected' && condition !== 'degraded';
}

const names = new Intl.Collator(undefined, { numeric: true });

/** Returns references in the order of their names: `nso2` before `nso10`. */
export function inNameOrder(references: readonly Reference[]): readonly Reference[] {
  return [...references].sort((one, other) => names.compare(one.reference, other.reference));
}

/** True for a reference that needs attention: it has no value, or its value is not confirmed. */
export function hasProblem({ resolves, rotation, usedBy }: Reference): boolean {
  const isRefused = usedBy.some(({ proof }) => proof?.verdict === 'refused');
  return resolves === false || rotation === 'ended' || rotation === 'stale' || isRefused;
}
