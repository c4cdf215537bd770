import type { Operation } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import type { PlatformDeps, VaultState } from './deps.js';
import { vaultSchema } from './vault-schema.js';

const replySchema = {
  title: 'Readiness',
  type: 'object',
  required: ['ready', 'vault'],
  properties: { ready: { const: true }, vault: vaultSchema },
} as const;

/**
 * Reports to load balancers whether the server is ready for calls. The reply names no adapter and no path
 * (secrets specification section 5.7).
 */
export const getReadiness: Operation<PlatformDeps> = {
  id: 'getReadiness',
  summary: 'Get the readiness of the server.',
  method: 'GET',
  path: '/readyz',
  roles: 'public',
  reply: replySchema,
  handle(_call, { secrets }) {
    const vault = vaultWord(secrets.status().state);
    if (vault === 'down')
      throw new Problem('not_ready', 'vault: down: secrets in use have ended, or are older than allowed');
    return { body: { ready: true, vault } };
  },
};

/** Converts the state of Vault to the value that the probes report. */
export function vaultWord(state: VaultState): 'ok' | 'degraded' | 'down' {
  return ({ running: 'ok', degraded: 'degraded', failed: 'down' } as const)[state];
}
