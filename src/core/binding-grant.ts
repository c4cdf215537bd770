import type { Principal } from './principal.js';

/**
 * Permission of a form's author to send the queries of the form's bindings. People who fill in the form then
 * need no role for queries.
 */
export interface BindingGrant {
  /** `sub` and `iss` of the author, and the name for people. */
  readonly by: string;
  readonly byIssuer: string;
  readonly byName: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  /** Roles of the author at that time. */
  readonly roles: readonly string[];
  /** True if the author had an account of this server; then the current roles of the account apply. */
  readonly isAccount?: true;
}

/** Gives grants, and returns the roles of their authors. */
export interface BindingGrants {
  /** Returns a grant of this caller; null if the caller may not send queries. */
  readonly grantOf: (principal: Principal | undefined) => BindingGrant | null;
  /**
   * Returns the author of a grant with the roles that apply now. Throws `binding_not_granted` if these roles no
   * longer admit queries.
   */
  readonly authorOf: (grant: BindingGrant) => Principal;
}
