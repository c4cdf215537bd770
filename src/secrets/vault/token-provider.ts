import type { Log } from '../../core/log.js';
import type { Secret } from '../../core/secret.js';
import { jitteredBackoffMs } from '../../lib/backoff.js';
import type { Clock, Scheduler } from '../../lib/clock.js';
import { singleFlight } from '../../lib/single-flight.js';
import { failureOf, mayPass, SecretError } from '../secret-error.js';
import type { Authentication } from './auth/method.js';
import type { TokenCalls, VaultLogin } from './client.js';
import { ManagedToken, RENEWAL_BACKOFF } from './token-manager.js';

interface TokenProviderOptions {
  readonly authentication: Authentication;
  readonly calls: TokenCalls;
  readonly scheduler: Scheduler;
  readonly random: () => number;
  readonly log: Log;
}

/** Minimum time between two logins that replace a refused token, in milliseconds. */
const MIN_RELOGIN_MS = 60_000;
/** Minimum time between two new tokens for a request that stays denied, in milliseconds. */
const MIN_DENIED_RELOGIN_MS = 60_000;

/**
 * Owns the token for Vault. It runs one login at a time, keeps the token alive, and replaces the token before
 * it ends or when Vault refuses it.
 */
export class TokenProvider {
  readonly #options: TokenProviderOptions;
  readonly #logins: Logins;
  readonly #listeners = new Set<() => void>();
  readonly #unwatch: () => void;
  #managed: ManagedToken | undefined;
  #lastToken: Secret | undefined;
  /** Own tokens that were replaced and may still be valid. */
  #replaced: ManagedToken[] = [];
  readonly #replace = singleFlight(async () => this.#adopt(await this.#logins.logIn()));
  #droppedAt = -Infinity;
  /** Times of the latest replacement of the token, by the key of the request that was denied. */
  readonly #relogins = new Map<string, number>();
  /** Cancels the next attempt to use a credential that changed. */
  #cancelRetry: () => void = noop;
  #closed = false;

  constructor(options: TokenProviderOptions) {
    const { authentication, scheduler } = options;
    this.#options = options;
    this.#logins = createLogins(() => authentication.logIn(), scheduler);
    this.#unwatch = authentication.files?.watch(() => this.#useNewCredential()) ?? noop;
  }

  /** True if the gateway owns its tokens: new logins replace them, and `close` revokes them. */
  get ownsToken(): boolean {
    return this.#options.authentication.ownsToken;
  }

  /**
   * Returns the seconds until the current token ends; Infinity if it never ends, undefined without a token.
   */
  secondsLeft(): number | undefined {
    return this.#managed?.secondsLeft();
  }

  /** Returns the lifetime of the current token at its latest grant; Infinity if it never ends, undefined without a token. */
  lifetimeSeconds(): number | undefined {
    return this.#managed?.lifetimeSeconds();
  }

  /**
   * Returns the token to use now, after a login if necessary. Throws the `SecretError` of the login; a refused
   * login is not repeated at once.
   */
  current(): Promise<Secret> {
    return this.#managed?.isAlive() ? Promise.resolve(this.#managed.token) : this.#replace();
  }

  /**
   * Discards a token that Vault refused, unless it was already replaced. If the replacement costs a login,
   * this happens at most once a minute, because a policy that forbids a request refuses every token.
   */
  drop(token: Secret): void {
    const { authentication, scheduler } = this.#options;
    if (this.#managed?.token !== token) return;
    if (authentication.ownsToken && scheduler.now() - this.#droppedAt < MIN_RELOGIN_MS) return;
    this.#droppedAt = scheduler.now();
    this.#retire();
  }

  /**
   * Sends a request with the current token. If Vault refuses the token, replaces it once and tries again. Requests with
   * the same key are denied together. Throws a {@link SecretError}.
   */
  async use<T>(key: string, request: (token: Secret) => Promise<T>): Promise<T> {
    const token = await this.current();
    try {
      return await request(token);
    } catch (error) {
      if (!isDenied(error)) throw error;
      return request(await this.#replacementOf(token, key, error));
    }
  }

  /** Logs in again if the file of the credential has changed. A failure is logged; the present token stays in use. */
  async rereadCredential(): Promise<void> {
    if (await this.#options.authentication.files?.hasChanged()) await this.#useNewCredential();
  }

  /**
   * Calls back whenever a new token replaces an earlier one; returns the unsubscribe function. Leases end
   * with the token that they belong to, so the listener must request new ones. The earlier token is not
   * revoked before `close`.
   */
  onNewToken(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Discards all tokens. Passes own tokens that may still be valid to `revoke`, all at once. */
  async close(revoke: (token: Secret) => Promise<void>): Promise<void> {
    this.#closed = true;
    this.#unwatch();
    this.#cancelRetry();
    this.#retire();
    this.#listeners.clear();
    await Promise.all(this.#replaced.map(({ token }) => revoke(token)));
  }

  async #replacementOf(token: Secret, key: string, denied: SecretError): Promise<Secret> {
    const { scheduler } = this.#options;
    if (scheduler.now() - (this.#relogins.get(key) ?? -Infinity) < MIN_DENIED_RELOGIN_MS) throw denied;
    this.#relogins.set(key, scheduler.now());
    this.drop(token);
    const newToken = await this.current();
    if (newToken.reveal() === token.reveal()) throw denied;
    return newToken;
  }

  /** Logs in with a credential that changed, and again later if Vault does not answer: a wrapping token soon expires. */
  async #useNewCredential(attempt = 1): Promise<void> {
    this.#cancelRetry();
    this.#logins.forgetRefusal();
    try {
      await this.#replace();
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      this.#options.log.warn('vault credential that changed is not used', { ...failureOf(error) });
      if (this.#closed || !mayPass(error.code)) return;
      const { scheduler, random } = this.#options;
      const delayMs = jitteredBackoffMs(attempt, RENEWAL_BACKOFF, random);
      this.#cancelRetry = scheduler.after(delayMs, () => void this.#useNewCredential(attempt + 1));
    }
  }

  #adopt(login: VaultLogin): Secret {
    const isNew = this.#lastToken !== undefined && this.#lastToken.reveal() !== login.token.reveal();
    this.#retire();
    this.#cancelRetry();
    if (this.#closed) return login.token;
    this.#managed = this.#manage(login);
    this.#lastToken = login.token;
    if (isNew) for (const listener of this.#listeners) listener();
    return login.token;
  }

  #manage(login: VaultLogin): ManagedToken {
    const { authentication, log } = this.#options;
    const { leaseSeconds, renewable } = login;
    log.debug('vault token received', { leaseSeconds, renewable });
    if (leaseSeconds === 0) log.warn('vault token never expires; a token with a limited lifetime is safer');
    const replace = authentication.ownsToken && { replace: () => this.#replace() };
    return new ManagedToken(login, { ...this.#options, ...replace });
  }

  /**
   * Stops renewing the token. An own token is remembered until it ends: its leases depend on it, and `close`
   * revokes it.
   */
  #retire(): void {
    const held = this.#managed;
    this.#managed = undefined;
    held?.stop();
    const alive = this.#replaced.filter((token) => token.isAlive());
    this.#replaced = held && this.ownsToken ? [...alive, held] : alive;
  }
}

function noop(): void {
  // The authentication watches nothing.
}

// Vault locks a role after five refused logins, so the delay grows with each refusal.
const REFUSAL_BACKOFFS_MS = [5_000, 60_000];
const MAX_REFUSAL_BACKOFF_MS = 300_000;

interface Logins {
  /** Logs in. After a refusal by Vault, throws it again until the delay has passed. */
  logIn(): Promise<VaultLogin>;
  /** Lets the next login try at once, because the credential is another. */
  forgetRefusal(): void;
}

function createLogins(logIn: () => Promise<VaultLogin>, clock: Clock): Logins {
  let refused: { readonly error: SecretError; readonly times: number; readonly until: number } | undefined;
  return {
    async logIn() {
      if (refused && clock.now() < refused.until) throw refused.error;
      try {
        const result = await logIn();
        refused = undefined;
        return result;
      } catch (error) {
        if (isRefusal(error)) {
          const times = (refused?.times ?? 0) + 1;
          const delayMs = REFUSAL_BACKOFFS_MS[times - 1] ?? MAX_REFUSAL_BACKOFF_MS;
          refused = { error, times, until: clock.now() + delayMs };
        }
        throw error;
      }
    },
    forgetRefusal() {
      refused = undefined;
    },
  };
}

function isRefusal(error: unknown): error is SecretError {
  if (!(error instanceof SecretError)) return false;
  const { status, refused = false } = error.facts;
  return refused || status === 400 || status === 403;
}

function isDenied(error: unknown): error is SecretError {
  return error instanceof SecretError && error.code === 'VAULT_DENIED';
}
