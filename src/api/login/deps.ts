import type { Clock } from '../../core/lib/clock.js';
import type { AllowedRoles, Principal } from '../../core/principal.js';
import type { TokenIssuer } from '../../core/session.js';
import type { Lease } from '../../core/snapshot.js';

/** An operation, and who may call it now. */
export interface OpenOperation {
  readonly id: string;
  /** Name of its application for operators and clients, for example `JsonForms`. */
  readonly provenance: string;
  readonly roles: AllowedRoles;
}

/** What logging in may touch. */
export interface LoginDeps {
  readonly lease: Lease;
  /** Absent without a built-in issuer: there is nobody to sign tokens then. */
  readonly tokens?: TokenIssuer;
  /** All operations, with the operator's changes of their roles. */
  readonly openOperations: () => readonly OpenOperation[];
  /**
   * Has a token refused by all nodes until it expires: by this one at once, by all its processes and all nodes when it
   * resolves. Throws `store_unavailable` while the others cannot be told.
   */
  readonly endToken: (token: string, principal: Principal) => Promise<void>;
  readonly clock: Clock;
  /** True when callers reach us by TLS alone. */
  readonly servesTls: boolean;
}
