import type { WriteSecrets } from '../../core/keep-secrets.js';
import type { Log } from '../../core/log.js';
import { Problem } from '../../core/problem.js';
import { failureOf, mayPass } from '../../vault/vault-error.js';
import type { SecretSource } from '../../vault/open-secrets.js';

/** Keeps secrets in a source. The log has the reason when Vault does not take them; callers get its code alone. */
export function createWriteSecrets(source: Pick<SecretSource, 'store'>, log: Log): WriteSecrets {
  return async (path, fields) => {
    try {
      await source.store(path, fields);
    } catch (error) {
      const { code, message: reason, fix } = failureOf(error);
      log.error('secret not written to vault', { code, reason, fix });
      const later = mayPass(code) || code === 'VAULT_WRITE_CONFLICT';
      const detail = `the secrets were not written to Vault (${code}), so the adapter was not changed`;
      throw new Problem(later ? 'vault_unavailable' : 'vault_refused', detail);
    }
  };
}
