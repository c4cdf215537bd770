import type { Scheduler } from '../../core/lib/clock.js';
import type { Log } from '../../core/log.js';
import type { TokenCalls, VaultLogin } from '../token-calls.js';

/** A method to obtain a token. */
export interface Authentication {
  /**
   * Reads the credentials again and exchanges them for a token. Throws `VAULT_LOGIN_FAILED` or
   * `VAULT_LOCKED_OUT`.
   */
  logIn(): Promise<VaultLogin>;
  /** True if the gateway requested the token, and therefore replaces and revokes it. */
  readonly ownsToken: boolean;
  /** Calls back when a new token is available; returns the unsubscribe function. */
  watch?(changed: () => void): () => void;
}

/** Dependencies of the login methods. */
export interface AuthenticationDeps {
  readonly calls: TokenCalls;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly scheduler: Scheduler;
  readonly log: Log;
  /** Reads the files of the TLS block again; later requests use them. */
  readonly rereadTls: () => Promise<void>;
}
