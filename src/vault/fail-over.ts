import { mayRepeat } from './retry.js';
import type { VaultCall, VaultTransport } from './transport.js';
import { VaultError } from './vault-error.js';

// A node that is no use for now: of these, 472 to 474 are what load balancers pass on from sys/health.
const HEALTH_CODES = [472, 473, 474];

/**
 * Sends every request to the address that last worked, and goes on to the next one when it does not answer or answers
 * that it cannot serve. A request that this node may have carried out is not sent to another.
 */
export function withFailOver(transport: VaultTransport, addresses: readonly string[]): VaultTransport {
  const origins = addresses.map((address) => new URL(address).origin);
  let current = 0;
  return async (call) => {
    for (let tried = 1; ; tried += 1) {
      const at = current;
      try {
        return await transport({
          ...call,
          uri: call.uri.replace(new URL(call.uri).origin, origins[at] ?? ''),
        });
      } catch (error) {
        if (!isAway(error)) throw error;
        // Others may have moved on already.
        if (current === at) current = (at + 1) % origins.length;
        if (tried >= origins.length || !mayTryElsewhere(call, error)) throw error;
      }
    }
  };
}

function isAway(error: unknown): error is VaultError {
  if (!(error instanceof VaultError)) return false;
  const { status } = error.facts;
  if (status !== undefined) return status >= 500 || HEALTH_CODES.includes(status);
  return ['VAULT_UNAVAILABLE', 'VAULT_TIMEOUT', 'VAULT_TLS'].includes(error.code);
}

/** Beside what may be repeated at the same node: what only this node cannot do. */
function mayTryElsewhere(call: VaultCall, error: VaultError): boolean {
  const { status, unsent = false } = error.facts;
  const unserved = unsent || status === 501 || HEALTH_CODES.includes(status ?? 0);
  return mayRepeat(call, error) || (unserved && call.once !== true);
}
