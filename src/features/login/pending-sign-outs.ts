import type { Log } from '../../core/log.js';
import { type Principal, type TokenVerifier, describeIdentity } from '../../core/principal.js';
import { Problem } from '../../core/problem.js';
import type { Lease } from '../../core/snapshot.js';
import type { Scheduler } from '../../lib/clock.js';
import { networkOf } from '../../lib/network-of.js';

/**
 * Tokens that were signed out while the keys of their issuer were missing. Nothing accepts such a token before it can be checked. It is
 * revoked once it can be: an unchecked revocation would let a stranger write what others must keep.
 */
export interface PendingSignOuts {
  /** Keeps a token until it can be checked. Returns false if too many wait, or too many of the network. */
  readonly add: (token: string, address: string) => boolean;
}

interface PendingSignOutsDeps {
  readonly lease: Lease;
  readonly endToken: (token: string, principal: Principal) => Promise<void>;
  readonly log: Log;
  readonly scheduler: Scheduler;
}

/** Maximum number of tokens that wait, of all callers and of one network. */
const [MAX_TOKENS, MAX_OF_NETWORK] = [1_000, 20];
/** Interval of the checks, in milliseconds. The issuer is asked less often. */
const CHECK_MS = 1_000;

/** Creates an empty list. */
export function createPendingSignOuts({
  lease,
  endToken,
  log,
  scheduler,
}: PendingSignOutsDeps): PendingSignOuts {
  /** The network of each token. */
  const waiting = new Map<string, string>();

  const check = (): void => {
    void Promise.all([...waiting.keys()].map(endIfValid)).then(checkLater);
  };
  const checkLater = (): void => {
    if (waiting.size > 0) scheduler.after(CHECK_MS, check);
  };

  async function endIfValid(token: string): Promise<void> {
    const verify = async ({ verifier }: { readonly verifier: TokenVerifier }): Promise<Principal> =>
      verifier.verify(token);
    try {
      const principal = await lease(verify);
      waiting.delete(token);
      await endToken(token, principal);
      log.info('signed out after the keys of the issuer arrived', { caller: describeIdentity(principal) });
    } catch (error) {
      if (error instanceof Problem && error.code === 'issuer_unavailable') return;
      // An invalid token needs no revocation.
      if (!waiting.delete(token)) log.error('sign-out is not stored yet', { error });
    }
  }

  return {
    add(token, address) {
      if (waiting.has(token)) return true;
      const network = networkOf(address);
      const ofNetwork = [...waiting.values()].filter((other) => other === network).length;
      if (waiting.size >= MAX_TOKENS || ofNetwork >= MAX_OF_NETWORK) return false;
      waiting.set(token, network);
      if (waiting.size === 1) checkLater();
      return true;
    },
  };
}
