/** The roles that operations are written for; a token may carry others, which are kept and grant nothing by themselves. */
export type Role = 'admin' | 'engineering';

/** Name and audience of the built-in issuer; no other issuer may take it. */
export const LOCAL_ISSUER = 'gatehouse';

/** Who calls: what a verified token says, and nothing that the caller merely claims. */
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

/** Decides whose token it is. */
export interface TokenVerifier {
  /** Throws `unauthorized` with one uniform text; the reason is its `cause`, for the log. */
  verify(token: string): Principal | Promise<Principal>;
}

/** Who may call: whoever has one of these roles, anyone with a token, or everyone. */
export type AllowedRoles = readonly string[] | 'authenticated' | 'public';

/** True when the caller may. `undefined` is a caller without a token. */
export function admits(admitted: AllowedRoles, principal: Principal | undefined): boolean {
  if (admitted === 'public') return true;
  if (!principal) return false;
  return admitted === 'authenticated' || principal.roles.some((role) => admitted.includes(role));
}
