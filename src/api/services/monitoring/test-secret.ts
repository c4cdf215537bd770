import type { Monitoring } from '../../../core/monitoring.js';
import type { Redactor } from '../../../core/redactor.js';
import { redactedSecrets } from '../../../server/reload/redacted-secrets.js';
import { formatReference, parseReference } from '../../../vault/reference.js';
import type { SecretSource } from '../../../vault/open-secrets.js';

interface TestInput {
  readonly secrets: Pick<SecretSource, 'inUse' | 'resolve'>;
  readonly redactor: Pick<Redactor, 'add'>;
  /** Milliseconds until another test may be made; 0 makes it. */
  readonly mayGo: () => number;
}

/**
 * Asks for a reference that is in use, and tells no more than whether there is a value. The read is that of every look at a
 * secret: what it finds new is taken up, and what is lent is not asked for again.
 */
export function createSecretTest({ secrets, redactor, mayGo }: TestInput): Monitoring['testSecret'] {
  return async (text) => {
    const parsed = parseReference(text);
    if (parsed.kind !== 'reference') return { untried: 'unknown' };
    const { reference } = parsed;
    const wanted = formatReference(reference);
    // Whatever else is in Vault is nobody's business here.
    if (!secrets.inUse().some((one) => one.reference === wanted)) return { untried: 'unknown' };
    const waitMs = mayGo();
    if (waitMs > 0) return { untried: 'too soon', waitMs };
    const masked = redactedSecrets(secrets, redactor);
    try {
      const found = (await masked.resolve([{ pointer: '', reference }])).get('');
      if (!found) throw new Error('the secret source gave no answer');
      if ('value' in found) return { ok: true };
      return { ok: false, cause: found.message, fix: found.fix };
    } finally {
      await masked.close();
    }
  };
}
