import type { Clock } from '../core/lib/clock.js';
import type { VaultTransport } from './transport.js';
import { VaultError } from './vault-error.js';

const FAILURES = 5;
const PROBE_EVERY_MS = 5000;

/**
 * Spares a Vault that does not answer: after five requests in a row without any reply, one goes through every 5 s and
 * the others fail at once with `VAULT_UNAVAILABLE`. The first reply, whatever it says, opens the way again.
 */
export function withCircuit(transport: VaultTransport, clock: Clock): VaultTransport {
  let failures = 0;
  let nextProbe = 0;
  return async (call) => {
    if (failures >= FAILURES) {
      if (clock.now() < nextProbe) throw heldBack();
      nextProbe = clock.now() + PROBE_EVERY_MS;
    }
    try {
      const answer = await transport(call);
      failures = 0;
      return answer;
    } catch (error) {
      failures = hadNoReply(error) ? failures + 1 : 0;
      if (failures === FAILURES) nextProbe = clock.now() + PROBE_EVERY_MS;
      throw error;
    }
  };
}

function hadNoReply(error: unknown): boolean {
  if (!(error instanceof VaultError) || error.facts.status !== undefined) return false;
  return ['VAULT_UNAVAILABLE', 'VAULT_TIMEOUT', 'VAULT_TLS'].includes(error.code);
}

function heldBack(): VaultError {
  const what = {
    code: 'VAULT_UNAVAILABLE',
    message: 'Vault did not answer the last requests, so this one was held back',
    fix: 'Check that Vault is up and that vault.address is right; it is tried again every 5 seconds.',
  } as const;
  return new VaultError(what, { unsent: true, heldBack: true });
}
