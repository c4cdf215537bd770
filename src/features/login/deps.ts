import type { BrowserSessions } from '../../core/browser-session.js';
import type { Log } from '../../core/log.js';
import type { AllowedRoles, Principal } from '../../core/principal.js';
import type { TokenIssuer } from '../../core/session.js';
import type { Lease } from '../../core/snapshot.js';
import type { RefusalSampler } from '../../http/refusal-sampler.js';
import type { Clock } from '../../lib/clock.js';
import type { PendingSignOuts } from './pending-sign-outs.js';

/** An operation with the roles that may currently call it. */
export interface OpenOperation {
  readonly id: string;
  /** Name of the application for operators and clients, for example `JsonForms`. */
  readonly provenance: string;
  readonly roles: AllowedRoles;
}

export interface LoginDeps {
  readonly lease: Lease;
  /** Issuer of tokens; absent if the built-in issuer is disabled. */
  readonly tokens?: TokenIssuer;
  /** Returns all operations, with the operator's changes of their roles. */
  readonly openOperations: () => readonly OpenOperation[];
  /**
   * Revokes a token on all nodes until it expires. This process refuses the token immediately; all processes
   * and nodes refuse it after the promise resolves. Throws `store_unavailable` if other nodes cannot be
   * notified.
   */
  readonly endToken: (token: string, principal: Principal) => Promise<void>;
  /** Ends tokens that cannot be checked now. */
  readonly pendingSignOuts: PendingSignOuts;
  /** Sessions of browsers that signed in at an identity provider. */
  readonly sessions: BrowserSessions;
  /** Decides which requests that belong to no sign-in are logged. */
  readonly refusals: RefusalSampler;
  readonly clock: Clock;
  readonly log: Log;
  /** True if callers can reach this server only over TLS. */
  readonly servesTls: boolean;
}
