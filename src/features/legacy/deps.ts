import type { Fault } from '../../core/fault.js';
import type { Call, Reply } from '../../core/operation.js';
import type { CallCounter } from './call-counter.js';
import type { CallerCalls } from './deprecated-calls.js';

/** A login whose token is still valid. */
interface ActiveSession {
  /** Name of the user or client. */
  readonly user: string;
  readonly kind: string;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** Identifies the token, but cannot be used as a token. */
  readonly token: string;
}

export interface DeprecationsDeps {
  /** Platform release that this server implements. */
  readonly release: string;
  /**
   * Dispatches a call to another operation by its name in the configuration. Validates the body as if a
   * client had sent it. Throws the errors of that operation. The roles are already checked, see
   * `Operation.through`.
   */
  readonly dispatch: (operation: string, call: Call) => Promise<Reply>;
  readonly deprecatedCalls: CallCounter;
  /** Returns the callers of the deprecated operations, over restarts and of all nodes. */
  readonly deprecatedCallers: () => Promise<readonly CallerCalls[]>;
  /** Returns the sessions, oldest first. Throws `store_unavailable`. */
  readonly sessions: () => Promise<readonly ActiveSession[]>;
  /** Reloads and applies the configuration and the plugins; resolves to the faults that prevent it. */
  readonly reload: () => Promise<readonly Fault[]>;
}
