import type { Fault } from '../../core/fault.js';
import type { Call, Reply } from '../../core/operation.js';
import type { CallCounter } from './call-counter.js';

/** A login whose token is still valid. */
export interface ActiveSession {
  /** Name of the user or client. */
  readonly user: string;
  readonly kind: string;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** Stands for the token, and cannot be used as one. */
  readonly token: string;
}

/** What deprecated operations may touch: the operations in their place, and little else. */
export interface DeprecationsDeps {
  /** The release of the platform that this server stands for. */
  readonly release: string;
  /**
   * Has another operation, by its name in the configuration, handle a call; its body is checked as if a client had sent
   * it. Throws what that operation throws. Roles were looked at before: see `Operation.through`.
   */
  readonly ask: (operation: string, call: Call) => Promise<Reply>;
  readonly deprecatedCalls: CallCounter;
  /** Oldest first. Throws `store_unavailable`. */
  readonly sessions: () => Promise<readonly ActiveSession[]>;
  /** Reads configuration and plugins anew, and makes them live; resolves to what keeps it from that. */
  readonly reread: () => Promise<readonly Fault[]>;
}
