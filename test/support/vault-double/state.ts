import { randomBytes, randomUUID } from 'node:crypto';

/** Server whose replies are used if HashiCorp Vault and OpenBao differ. */
export type Flavour = 'vault' | 'openbao';

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
  | {
      readonly kind: 'kv2';
      readonly secrets: Map<string, KvVersion[]>;
      /** Path to seconds after which a new version is deleted. */
      readonly deleteAfter: Map<string, number>;
    }
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
export interface DoubleLease {
  readonly id: string;
  /** ID of the token. */
  readonly token: string;
  readonly username: string;
  readonly role: DatabaseRole;
  readonly issued: number;
  /** Milliseconds since 1970. */
  expires: number;
}

export interface AppRole {
  readonly roleId: string;
  readonly secretIds: Set<string>;
  terms: TokenTerms;
  failures: number;
  /** Milliseconds since 1970. */
  lockedUntil: number;
}

/** A role of the methods `kubernetes`, `jwt` and `cert`. */
export interface LoginRole {
  readonly kind: 'kubernetes' | 'jwt' | 'cert';
  /** The token that is accepted, or the SHA-256 fingerprint of the certificate. */
  credential: string;
  readonly terms: TokenTerms;
}

/** A reply that waits to be unwrapped, once. */
export interface Wrapping {
  readonly creationPath: string;
  readonly body: Json;
  readonly created: number;
  /** Seconds. */
  readonly ttl: number;
}

/** One namespace; the name of the root namespace is ''. */
export interface Namespace {
  readonly mounts: Map<string, Mount>;
  /** Policy name to path glob to capabilities. */
  readonly policies: Map<string, Readonly<Record<string, readonly string[]>>>;
  /** AppRole mount to role name to role. */
  readonly appRoles: Map<string, Map<string, AppRole>>;
  /** Roles of the other methods by mount; the first role of a `jwt` mount is its default. */
  readonly loginRoles: Map<string, Map<string, LoginRole>>;
}

export interface Token {
  readonly id: string;
  readonly accessor: string;
  readonly policies: readonly string[];
  readonly namespace: string;
  readonly path: string;
  readonly created: number;
  readonly creationTtl: number;
  readonly renewable: boolean;
  readonly maxTtl: number;
  readonly type: 'service' | 'batch';
  /** Seconds; 0 for a token that is not periodic. */
  readonly period: number;
  /** Uses that are left; 0: any number. */
  numUses: number;
  /** Milliseconds since 1970; null never ends. */
  expires: number | null;
}

/** Way in which a standby node handles requests. */
export type Standby =
  | 'forwards'
  | 'no-active'
  | 'not-active'
  | 'local-not-active'
  | { readonly redirectTo: string };

/** The complete state of the double in one object, so that tests can inspect it. */
export interface VaultDoubleState {
  readonly flavour: Flavour;
  now: () => number;
  initialized: boolean;
  sealed: boolean;
  standby: Standby | null;
  readonly namespaces: Map<string, Namespace>;
  readonly tokens: Map<string, Token>;
  readonly wrappings: Map<string, Wrapping>;
  /** Leases that were not revoked; some may have ended. */
  readonly leases: Map<string, DoubleLease>;
}

export function createNamespace(): Namespace {
  return { mounts: new Map(), policies: new Map(), appRoles: new Map(), loginRoles: new Map() };
}

/** Returns the namespace with this name; creates it if it does not exist. */
export function namespaceOf(vaultState: VaultDoubleState, name: string): Namespace {
  const namespace = vaultState.namespaces.get(name) ?? createNamespace();
  vaultState.namespaces.set(name, namespace);
  return namespace;
}

/** Properties of tokens. */
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

export interface TokenOptions extends TokenTerms {
  readonly namespace?: string;
  readonly path?: string;
}

/** Returns a new token with the prefix of the flavor. */
export function newTokenId(
  { flavour }: Pick<VaultDoubleState, 'flavour'>,
  type: 'service' | 'batch' = 'service',
): string {
  const letter = type === 'batch' ? 'b' : 's';
  return `${flavour === 'openbao' ? letter : `hv${letter}`}.${randomBytes(18).toString('base64url')}`;
}

export function issueToken(vaultState: VaultDoubleState, options: TokenOptions): Token {
  const { policies, namespace = '', path = 'auth/token/create', period = 0, type = 'service' } = options;
  const ttl = options.ttl ?? period;
  const created = vaultState.now();
  const token: Token = {
    id: newTokenId(vaultState, type),
    accessor: randomUUID(),
    policies,
    namespace,
    path,
    created,
    creationTtl: ttl,
    renewable: options.renewable ?? (ttl > 0 && type === 'service'),
    type,
    period,
    numUses: options.numUses ?? 0,
    maxTtl: options.maxTtl ?? 2_764_800,
    expires: ttl > 0 ? created + ttl * 1000 : null,
  };
  vaultState.tokens.set(token.id, token);
  return token;
}
