import type { Clock } from '../core/lib/clock.js';
import { VaultError } from './vault-error.js';

// Vault locks a role after five refused logins, so after a refusal the next try waits longer each time.
const WAITS_MS = [5_000, 60_000];
const LONGEST_WAIT_MS = 300_000;

/** Makes logins that Vault refuses rare: while one waits its turn, the last refusal is thrown again. */
export function backoffRereads<T>(logIn: () => Promise<T>, clock: Clock): () => Promise<T> {
  let refused: { readonly error: VaultError; readonly times: number; readonly until: number } | undefined;
  return async () => {
    if (refused && clock.now() < refused.until) throw refused.error;
    try {
      const result = await logIn();
      refused = undefined;
      return result;
    } catch (error) {
      if (isRefusal(error)) {
        const times = (refused?.times ?? 0) + 1;
        refused = { error, times, until: clock.now() + (WAITS_MS[times - 1] ?? LONGEST_WAIT_MS) };
      }
      throw error;
    }
  };
}

function isRefusal(error: unknown): error is VaultError {
  if (!(error instanceof VaultError)) return false;
  const { status, refused = false } = error.facts;
  return refused || status === 400 || status === 403;
}
