/** Version of a secret in Vault from which a value in use was read. */
export interface SecretVersion {
  /** Path below the mount, as a reference has it. */
  readonly path: string;
  /** Null if the engine keeps no versions. */
  readonly version: number | null;
}

/** One request that a call sent to another server. Contains no query and no credentials. */
export interface Attempt {
  readonly method: string;
  /** Absolute URL without its query. */
  readonly url: string;
  /** Milliseconds from the start of the call to the start of the attempt. */
  readonly atMs: number;
  readonly ms: number;
  /** Status of the reply, or the code of the Problem. */
  readonly outcome: number | string;
  /**
   * Reason of the failure, or the start of the body of an error reply. Secrets are removed before anybody sees it.
   */
  readonly text?: string | undefined;
  /** State of the circuit breaker of the base URL when the attempt started; absent for other servers. */
  readonly breaker?: 'closed' | 'half-open' | 'open' | undefined;
  /** Milliseconds that the attempt waited for a free slot of the adapter; absent: it did not wait. */
  readonly queuedMs?: number | undefined;
  /** Secrets of the authentication of the adapter that sent the attempt; absent without a secret from Vault. */
  readonly secrets?: readonly SecretVersion[] | undefined;
}

/** What the sender of an attempt knows in addition to its request. */
export type AttemptFacts = Pick<Attempt, 'breaker' | 'queuedMs' | 'secrets'>;

/** Maximum number of attempts that one call records. A script may send many requests. */
export const MAX_ATTEMPTS = 20;

/** Maximum length of the text of an attempt, in characters. */
export const MAX_ATTEMPT_TEXT = 1_500;
