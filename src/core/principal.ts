/** Roles that operations require. A token may contain other roles, which grant nothing. */
export type Role = 'admin' | 'engineering' | 'viewer';

/**
 * Roles of operations that only read the state and the settings: their replies contain neither secrets nor
 * bodies of calls. The audit trail is for admins.
 */
export const READERS = ['admin', 'viewer'] as const satisfies readonly Role[];

/** Name and audience of the built-in issuer; no other issuer may use this name. */
export const LOCAL_ISSUER = 'gatehouse';

/** Identity of a caller. Only both members together identify a caller: two issuers may use the same subject. */
export interface CallerIdentity {
  /** `sub` of the token. */
  readonly subject: string;
  /** `iss` of the token. */
  readonly issuer: string;
}

/** What decides about the rights of a caller. */
export interface RoleHolder {
  /** Role names after the issuer's role map was applied; may contain unknown names, which grant nothing. */
  readonly roles: readonly string[];
}

/** The caller, according to a verified token. Contains no unverified claims. */
export interface Principal extends CallerIdentity, RoleHolder {
  /** Name for people, which does not identify the caller; absent: the subject. */
  readonly name?: string;
  /** Client that received the token (`client_id` of RFC 9068, or `azp`); absent if the token names none. */
  readonly client?: string;
  /** Role names in the token, before the role map; absent without a role map. */
  readonly tokenRoles?: readonly string[];
  /** Why the token grants no role, as a sentence for the caller; absent if it names roles. */
  readonly rolesFault?: string;
  /** `exp` of the token, in seconds since 1970. */
  readonly expiresAt: number;
}

export function callerName({ name, subject }: Principal): string {
  return name ?? subject;
}

/** Returns the identity of a caller for audit records, with its name if this is not the subject. */
export function describeIdentity({ name, subject, issuer }: Principal): string {
  const identity = `${subject} of ${issuer}`;
  return name === undefined ? identity : `${name} (${identity})`;
}

/** Returns a key that identifies a caller: two issuers may use the same subject. Callers without a token share one key. */
export function callerKey(principal: CallerIdentity | undefined): string {
  return principal ? JSON.stringify([principal.issuer, principal.subject]) : '';
}

export interface TokenVerifier {
  /**
   * Returns the principal of a token. Throws `unauthorized` with the same text for all reasons; its `cause`
   * contains the reason for the log.
   */
  verify(token: string): Principal | Promise<Principal>;
}

/** Allowed callers: callers with one of these roles, all callers with a valid token, or all callers. */
export type AllowedRoles = readonly string[] | 'authenticated' | 'public';

/** Returns true if the caller is allowed. The principal of a caller without a token is undefined. */
export function admits(allowed: AllowedRoles, principal: RoleHolder | undefined): boolean {
  if (allowed === 'public') return true;
  if (!principal) return false;
  return allowed === 'authenticated' || principal.roles.some((role) => allowed.includes(role));
}

/**
 * Returns the moment when the credentials of a caller expire, in milliseconds since 1970; Infinity for credentials that a call
 * was accepted with beyond their time: Basic sends the password with each call, and an issuer may tolerate other clocks.
 */
export function endOfCredentials({ expiresAt }: { readonly expiresAt: number }, now: number): number {
  return expiresAt * 1000 > now ? expiresAt * 1000 : Infinity;
}
