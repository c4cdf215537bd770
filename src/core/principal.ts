/** Roles that operations refer to. A token may carry other roles, which are kept but grant nothing. */
export type Role = 'admin' | 'engineering';

/** Name and audience of the built-in issuer; no other issuer may take it. */
export const LOCAL_ISSUER = 'gatehouse';

/** The caller, according to a verified token. Contains no unverified claims. */
export interface Principal {
  /** `sub` of the token. */
  readonly subject: string;
  /** `iss` of the token. */
  readonly issuer: string;
  /** Role names after the issuer's role map; unknown names are kept and ignored. */
  readonly roles: readonly string[];
  /** `exp` of the token, in seconds since 1970. */
  readonly expiresAt: number;
}

/** Verifies tokens. */
export interface TokenVerifier {
  /**
   * Returns the principal of a token. Throws `unauthorized` with one uniform text; its `cause` is the reason,
   * for the log.
   */
  verify(token: string): Principal | Promise<Principal>;
}

/** Allowed callers: callers with one of these roles, callers with a token, or everyone. */
export type AllowedRoles = readonly string[] | 'authenticated' | 'public';

/** Returns true if the caller is allowed. `undefined` is a caller without a token. */
export function admits(admitted: AllowedRoles, principal: Principal | undefined): boolean {
  if (admitted === 'public') return true;
  if (!principal) return false;
  return admitted === 'authenticated' || principal.roles.some((role) => admitted.includes(role));
}
