import { randomBytes, randomUUID } from 'node:crypto';

/** Whose answers are given where HashiCorp Vault and OpenBao differ. */
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
  | { readonly kind: 'kv2'; readonly secrets: Map<string, KvVersion[]> };

export interface AppRole {
  readonly roleId: string;
  readonly secretIds: Set<string>;
  readonly policies: readonly string[];
  readonly ttl: number;
  failures: number;
}

/** One namespace; the root namespace has the name ''. */
export interface Namespace {
  readonly mounts: Map<string, Mount>;
  /** Policy name to path glob to capabilities. */
  readonly policies: Map<string, Readonly<Record<string, readonly string[]>>>;
  /** AppRole mount to role name to role. */
  readonly appRoles: Map<string, Map<string, AppRole>>;
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
  /** Milliseconds since 1970; null never ends. */
  expires: number | null;
}

/** How a node that is not the active one treats requests. */
export type Standby =
  'forwards' | 'no-active' | 'not-active' | 'local-not-active' | { readonly redirectTo: string };

/** Everything the double knows; one object, so that a test can look. */
export interface World {
  readonly flavour: Flavour;
  now: () => number;
  initialized: boolean;
  sealed: boolean;
  standby: Standby | null;
  performanceStandby: boolean;
  drSecondary: boolean;
  readonly namespaces: Map<string, Namespace>;
  readonly tokens: Map<string, Token>;
}

export function createNamespace(): Namespace {
  return { mounts: new Map(), policies: new Map(), appRoles: new Map() };
}

/** The namespace of that name, made when it is new. */
export function namespaceOf(world: World, name: string): Namespace {
  const namespace = world.namespaces.get(name) ?? createNamespace();
  world.namespaces.set(name, namespace);
  return namespace;
}

export interface TokenOptions {
  readonly policies: readonly string[];
  readonly namespace?: string;
  readonly path?: string;
  /** Seconds; 0 never ends. */
  readonly ttl?: number;
  readonly maxTtl?: number;
  readonly renewable?: boolean;
}

export function issueToken(world: World, options: TokenOptions): Token {
  const { policies, namespace = '', path = 'auth/token/create', ttl = 0 } = options;
  const created = world.now();
  const token: Token = {
    id: `hvs.${randomBytes(18).toString('base64url')}`,
    accessor: randomUUID(),
    policies,
    namespace,
    path,
    created,
    creationTtl: ttl,
    renewable: options.renewable ?? ttl > 0,
    maxTtl: options.maxTtl ?? 2_764_800,
    expires: ttl > 0 ? created + ttl * 1000 : null,
  };
  world.tokens.set(token.id, token);
  return token;
}
