import type { Operation } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import type { PlatformDeps } from './deps.js';
import { vaultWord } from './readiness.js';
import { vaultSchema } from './vault-schema.js';

const replySchema = {
  title: 'Refreshed secrets',
  type: 'object',
  required: ['vault'],
  properties: { vault: vaultSchema },
} as const;

/** Reads every secret in use now, before its scheduled refresh (secrets specification section 5.6). */
export const refreshSecrets: Operation<PlatformDeps> = {
  id: 'refreshSecrets',
  summary: 'Refresh every secret in use from Vault; adapters apply changed secrets.',
  method: 'POST',
  path: '/admin/vault/refresh',
  roles: ['admin'],
  reply: replySchema,
  audited: true,
  async handle(_call, { secrets }) {
    const waitMs = await secrets.refreshNow();
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1000);
      throw new Problem(
        'too_many_requests',
        `the secrets were read a moment ago; ask again in ${seconds} s`,
        {
          headers: { 'retry-after': String(seconds) },
        },
      );
    }
    return { body: { vault: vaultWord(secrets.status().state) } };
  },
};
