import type { Monitoring } from '../../../core/monitoring.js';
import type { Redactor } from '../../../core/secret.js';
import { redactedSecrets } from '../../../server/reload/resolve-sections.js';
import type { SecretSource } from '../../../vault/open-secrets.js';
import { formatReference, parseReference } from '../../../vault/reference.js';

interface TestInput {
  readonly secrets: Pick<SecretSource, 'inUse' | 'resolve'>;
  readonly redactor: Pick<Redactor, 'add'>;
  /** Returns the milliseconds until the next test is allowed; 0 allows and counts this test. */
  readonly cooldown: () => number;
}

/**
 * Creates a function that reads a reference in use and returns only whether it has a value. The function
 * reads like a regular refresh: it applies a new value, and does not request a leased secret again.
 */
export function createSecretTest({ secrets, redactor, cooldown }: TestInput): Monitoring['testSecret'] {
  return async (text) => {
    const parsed = parseReference(text);
    if (parsed.kind !== 'reference') return { untried: 'unknown' };
    const { reference } = parsed;
    const canonical = formatReference(reference);
    // Callers must not probe other entries of Vault.
    if (!secrets.inUse().some((item) => item.reference === canonical)) return { untried: 'unknown' };
    const waitMs = cooldown();
    if (waitMs > 0) return { untried: 'too soon', waitMs };
    const redactedSource = redactedSecrets(secrets, redactor);
    try {
      const resolved = (await redactedSource.resolve([{ pointer: '', reference }])).get('');
      if (!resolved) throw new Error('the secret source returned no result');
      if ('value' in resolved) return { ok: true };
      return { ok: false, cause: resolved.message, fix: resolved.fix };
    } finally {
      await redactedSource.close();
    }
  };
}
