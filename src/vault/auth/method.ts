import type { Scheduler } from '../../core/lib/clock.js';
import type { Log } from '../../core/log.js';
import type { TokenCalls, VaultLogin } from '../token-calls.js';

/** One way to get a token. */
export interface Authentication {
  /** Reads the credentials anew and trades them for a token; throws `VAULT_LOGIN_FAILED` or `VAULT_LOCKED_OUT`. */
  logIn(): Promise<VaultLogin>;
  /** True when the token is ours to replace and to revoke, because we asked for it. */
  readonly ownsToken: boolean;
  /** Calls back when a new token lies ready; the result ends that. */
  watch?(changed: () => void): () => void;
}

/** What the ways to log in work with. */
export interface AuthenticationDeps {
  readonly calls: TokenCalls;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly scheduler: Scheduler;
  readonly log: Log;
  /** Reads the files of the TLS block anew, for the connections that are made from then on. */
  readonly rereadTls: () => Promise<void>;
}
