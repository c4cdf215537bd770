export type Json = Readonly<Record<string, unknown>>;

export interface KvVersion {
  readonly data: Json;
  readonly created: number;
  /** Milliseconds since 1970; in the future it is a planned deletion. */
  deletedAt: number | null;
  destroyed: boolean;
}

export type Mount =
  | { readonly kind: 'kv1'; readonly secrets: Map<string, Json> }
  | { readonly kind: 'kv2'; readonly secrets: Map<string, KvVersion[]> }
  | DatabaseMount;

/** A database engine, which creates accounts. */
export interface DatabaseMount {
  readonly kind: 'database';
  readonly roles: Map<string, DatabaseRole>;
  readonly staticRoles: Map<string, StaticRole>;
}

/** A role that leases a new account for every read. Times in seconds. */
export interface DatabaseRole {
  ttl: number;
  maxTtl: number;
  renewable: boolean;
}

/** An account whose password rotates periodically. */
export interface StaticRole {
  readonly username: string;
  /** Seconds. */
  readonly period: number;
  password: string;
  /** Milliseconds since 1970. */
  rotated: number;
}

/** Account that was leased to a token. */
interface DoubleLease {
  readonly id: string;
  readonly token: string;
  readonly username: string;
  readonly role: DatabaseRole;
  readonly issued: number;
  /** Milliseconds since 1970. */
  expires: number;
}

/** A role of a login method. */
export interface LoginRole {
  readonly kind: 'approle' | 'kubernetes' | 'jwt' | 'cert';
  /** The role id, the token that is accepted, or the SHA-256 fingerprint of the certificate. */
  readonly credential: string;
  /** Of an AppRole. */
  readonly secretIds: Set<string>;
  terms: TokenTerms;
}

/** A reply that waits to be unwrapped, once. */
interface Wrapping {
  readonly creationPath: string;
  readonly body: Json;
}

export interface TokenTerms {
  readonly policies: readonly string[];
  /** Seconds; 0 never ends. */
  readonly ttl?: number;
  readonly maxTtl?: number;
  readonly renewable?: boolean;
  readonly type?: 'service' | 'batch';
  /** Seconds. */
  readonly period?: number;
  readonly numUses?: number;
}

export interface Token extends Required<TokenTerms> {
  readonly id: string;
  readonly created: number;
  /** Milliseconds since 1970; null never ends. */
  expires: number | null;
}

/** The complete state of the double in one object, so that tests can inspect it. */
export interface VaultDoubleState {
  now: () => number;
  sealed: boolean;
  readonly mounts: Map<string, Mount>;
  /** Policy name to path glob to capabilities. */
  readonly policies: Map<string, Readonly<Record<string, readonly string[]>>>;
  /** Mount of the login method to role name to role; the first role of a `jwt` mount is its default. */
  readonly logins: Map<string, Map<string, LoginRole>>;
  readonly tokens: Map<string, Token>;
  readonly wrappings: Map<string, Wrapping>;
  /** Leases that were not revoked; some may have ended. */
  readonly leases: Map<string, DoubleLease>;
}
