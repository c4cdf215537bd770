import { ADAPTER_ID_HINT, isAdapterId } from '../../core/adapter-names.js';
import type { Redactor } from '../../core/secret.js';
import type { SecretSource } from '../../secrets/open-secrets.js';
import { formatReference, parseReference, type Reference } from '../../secrets/reference.js';
import { refusedSecret } from '../../server/state/record-restrictions.js';
import { redactedSecrets } from '../../server/state/resolve.js';
import type { ActiveSnapshot } from '../../server/state/snapshot.js';
import type { SnapshotHolder } from '../../server/state/swap.js';
import type { Monitoring } from '../console/monitoring.js';
import type { SecretTest, SecretTestQuery } from './secret-status-view.js';

interface TestInput {
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly secrets: Pick<SecretSource, 'inUse' | 'resolve'>;
  readonly redactor: Redactor;
  /** Returns the milliseconds until the next test is allowed; 0 allows and counts this test. */
  readonly cooldown: () => number;
}

type Untried = Extract<SecretTest, { readonly untried: unknown }>;

/**
 * Creates a function that reads a reference and returns only whether it has a value. The reference is in use, or
 * the named adapter may use it. The function reads like a regular refresh: it applies a new value, and does not
 * request a leased secret again.
 */
export function createSecretTest(input: TestInput): Monitoring['testSecret'] {
  const { secrets, redactor, cooldown } = input;
  return async (query) => {
    const allowed = allowedReference(query, input);
    if ('untried' in allowed) return allowed;
    const waitMs = cooldown();
    if (waitMs > 0) return { untried: 'too soon', waitMs };
    const redactedSource = redactedSecrets(secrets, redactor);
    try {
      const resolved = (await redactedSource.resolve([{ pointer: '', reference: allowed }])).get('');
      if (!resolved) throw new Error('the secret source returned no result');
      if ('value' in resolved) return { ok: true };
      return { ok: false, cause: resolved.message, fix: resolved.fix };
    } finally {
      await redactedSource.close();
    }
  };
}

/**
 * Returns the reference that a caller may test. A caller must not probe other entries of Vault: without an
 * adapter only references in use are tested, with one also those that a registration of this adapter may name.
 */
function allowedReference(
  { reference: text, adapter }: SecretTestQuery,
  input: TestInput,
): Reference | Untried {
  const parsed = parseReference(text);
  if (parsed.kind !== 'reference')
    return adapter === undefined ? { untried: 'unknown' } : notAReference(parsed);
  const { reference } = parsed;
  const canonical = formatReference(reference);
  if (input.secrets.inUse().some((item) => item.reference === canonical)) return reference;
  if (adapter === undefined) return { untried: 'unknown' };
  // A "/" in the name would widen the scope to the secrets of another adapter.
  if (!isAdapterId(adapter)) return { untried: 'refused', member: 'adapter', cause: ADAPTER_ID_HINT };
  const { files } = input.current.current().desired;
  if (files.adapters.some(({ id }) => id === adapter)) return ADAPTER_OF_FILE;
  const refused = refusedSecret(reference, adapter, files.main);
  if (!refused) return reference;
  const { message: cause, fix } = refused;
  return { untried: 'refused', member: 'reference', cause, fix };
}

const ADAPTER_OF_FILE: Untried = {
  untried: 'refused',
  member: 'adapter',
  cause: 'is an adapter of a file, for which only references in use are tested',
  fix: 'Test the references of the file with "gatehouse check --probe".',
};

function notAReference(
  parsed: Exclude<ReturnType<typeof parseReference>, { readonly kind: 'reference' }>,
): Untried {
  if (parsed.kind === 'fault')
    return { untried: 'refused', member: 'reference', cause: faultWords(parsed.message), fix: parsed.fix };
  return {
    untried: 'refused',
    member: 'reference',
    cause: 'is not a reference to Vault',
    fix: 'Write "$VAULT_<path>#<field>".',
  };
}

/** Returns a message as words that continue the name of the member. */
function faultWords(message: string): string {
  return message.replace(/^The reference /, '');
}
