/** A change of the version of a secret. Versions are null if the engine has no versions. */
export interface SecretRotation {
  readonly at: number;
  readonly from: number | null;
  readonly to: number | null;
}

/** Status of one reference to a secret for operators. Does not contain the value of the secret. */
export interface SecretStatusView {
  readonly reference: string;
  readonly usedBy: readonly {
    readonly kind: 'adapter' | 'settings';
    /** Empty for settings. */
    readonly name: string;
    readonly pointer: string;
    /** Result of the latest test of a rotated value by the adapter; null without one, and after the adapter was changed. */
    readonly proof: {
      readonly at: number;
      readonly verdict: 'accepted' | 'refused' | 'failed';
      /** Versions of the tried values; empty if their store keeps none. */
      readonly versions: readonly number[];
      /** False while the former value stays in use. */
      readonly isInUse: boolean;
      readonly reason: string | null;
    } | null;
  }[];
  /** Null if the reference has not been resolved yet. */
  readonly resolves: boolean | null;
  readonly cause: string | null;
  readonly fix: string | null;
  /** Time when the store last confirmed the value. */
  readonly fetchedAt: number | null;
  readonly version: number | null;
  /** Remaining seconds of the lease; null for a secret without a lease. */
  readonly leaseSeconds: number | null;
  readonly renewable: boolean | null;
  /**
   * `stale`: the previous value is in use; `ended`: the lease has expired; `pending`: a new value exists but
   * is not in use; `missing`: the reference never had a value.
   */
  readonly rotation: 'current' | 'stale' | 'ended' | 'pending' | 'missing';
  /** True for a stale value that Vault has not confirmed for `vault.refresh.maxStaleSeconds`. */
  readonly isTooOld: boolean;
  /** The latest change of the version that this server has seen; null if it has seen none. */
  readonly rotated: SecretRotation | null;
}

/** Status of all secrets. */
export interface SecretsStatusView {
  /** Null if no Vault is configured. */
  readonly vault: {
    readonly state: 'ok' | 'degraded' | 'down';
    /** What the secrets in use say about Vault. */
    readonly condition:
      | 'connected'
      | 'sealed'
      | 'unreachable'
      | 'login refused'
      | 'login failing'
      | 'rate limited'
      | 'degraded';
    /** Number of references that run on a cached value. */
    readonly cachedSecrets: number;
    /** Time until which all cached values may be used, in milliseconds since 1970; null without any. */
    readonly cachedUntil: number | null;
    /** Number of references that have expired or are too old. */
    readonly lostSecrets: number;
    readonly since: number;
    readonly addresses: readonly string[];
    readonly authMethod: string;
    readonly mount: string;
    /** Path below the mount that adapters registered through the API may refer to; `{name}` is the name of the adapter. */
    readonly adapterScope: string;
    /** Null if unknown, and for a token that never expires. */
    readonly tokenTtlSeconds: number | null;
    /** Lifetime of the token when it was issued or renewed; null if unknown, and for a token that never expires. */
    readonly tokenLifetimeSeconds: number | null;
  } | null;
  /** Null if no folder of secrets is configured. */
  readonly files: {
    /** `degraded`: a file in use cannot be read again, and its last good value stays in use. */
    readonly state: 'ok' | 'degraded';
    /** Absolute path of the folder. */
    readonly root: string;
    /** Path below the folder that adapters registered through the API may refer to; `{name}` is the name of the adapter. */
    readonly adapterScope: string;
    /** Why the state is `degraded`; null if it is `ok`. */
    readonly cause: string | null;
  } | null;
  readonly references: readonly SecretStatusView[];
  /** Number of encrypted values in the platform state; gatehouse refuses such values. */
  readonly encLeft: number;
}

/** A reference to test. */
export interface SecretTestQuery {
  readonly reference: string;
  /** Name of the adapter that is to use the reference; absent: only a reference in use is tested. */
  readonly adapter?: string;
}

/** Result of testing a reference, or the reason why it was not tested. */
export type SecretTest =
  | { readonly ok: true }
  | { readonly ok: false; readonly cause: string; readonly fix: string }
  | { readonly untried: 'unknown' }
  /** The adapter must not use this secret; or the text is no reference. `fix` is for people. */
  | {
      readonly untried: 'refused';
      readonly member: 'reference' | 'adapter';
      readonly cause: string;
      readonly fix?: string;
    }
  | { readonly untried: 'too soon'; readonly waitMs: number };
