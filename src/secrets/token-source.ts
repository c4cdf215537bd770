import type { Clock } from '../domain/clock.js';
import type { Secret } from '../domain/secret.js';
import type { Authentication } from './authentication.js';
import type { VaultLogin } from './vault.js';
import { VaultError } from './vault-error.js';

// Vault locks a role after five refused logins, so after a refusal the next try waits longer each time.
const REFUSED_WAITS_MS = [5_000, 60_000];
const LONGEST_WAIT_MS = 300_000;
/** Part of a token's life after which a new one is fetched. */
const USED_PART = 0.9;

/** Owns the token for Vault: one login at a time, a new one when it nears its end or is found to be bad. */
export class TokenSource {
  readonly #authentication: Authentication;
  readonly #clock: Clock;
  #held: { readonly token: Secret; readonly until: number } | undefined;
  #login: Promise<Secret> | undefined;
  #refused: { readonly error: VaultError; readonly times: number; readonly until: number } | undefined;

  constructor(authentication: Authentication, clock: Clock) {
    this.#authentication = authentication;
    this.#clock = clock;
  }

  /** The token to use now. Throws the login's {@link VaultError}; one that Vault refused is not tried again at once. */
  current(): Promise<Secret> {
    if (this.#held && this.#clock.now() < this.#held.until) return Promise.resolve(this.#held.token);
    this.#login ??= this.#logIn().finally(() => {
      this.#login = undefined;
    });
    return this.#login;
  }

  /** Forgets a token that Vault refused, unless it has been replaced already. */
  drop(token: Secret): void {
    if (this.#held?.token === token) this.#held = undefined;
  }

  /** Gives up the token; it is handed to `revoke` when it is ours. */
  async close(revoke: (token: Secret) => Promise<void>): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    if (held && this.#authentication.ownsToken) await revoke(held.token);
  }

  async #logIn(): Promise<Secret> {
    if (this.#refused && this.#clock.now() < this.#refused.until) throw this.#refused.error;
    try {
      const login = await this.#authentication.logIn();
      this.#refused = undefined;
      this.#held = { token: login.token, until: this.#end(login) };
      return login.token;
    } catch (error) {
      this.#rememberRefusal(error);
      throw error;
    }
  }

  #end({ leaseSeconds }: VaultLogin): number {
    return leaseSeconds > 0 ? this.#clock.now() + leaseSeconds * 1000 * USED_PART : Infinity;
  }

  #rememberRefusal(error: unknown): void {
    if (!(error instanceof VaultError)) return;
    if (error.facts.status !== 400 && error.facts.status !== 403) return;
    const times = (this.#refused?.times ?? 0) + 1;
    const wait = REFUSED_WAITS_MS[times - 1] ?? LONGEST_WAIT_MS;
    this.#refused = { error, times, until: this.#clock.now() + wait };
  }
}
