import type { SecretScopeSettings } from './registered-adapter-settings.js';

/** Settings of the connection to Vault, and of secrets from Vault. */
export interface VaultSettings extends SecretScopeSettings {
  /** Origins of the Vault servers, in the order in which gatehouse tries them. */
  readonly address: readonly string[];
  readonly namespace: string | null;
  /** Mount of relative references. */
  readonly mount: string;
  /** `auto` requests the version of each mount from Vault. */
  readonly kvVersion: 1 | 2 | 'auto';
  readonly auth: VaultAuthSettings;
  readonly tls: {
    readonly caFile: string | null;
    /** Client certificate, with `keyFile`: for the method `cert` and servers that require a certificate. */
    readonly certFile: string | null;
    readonly keyFile: string | null;
    readonly serverName: string | null;
  };
  /** URL of the HTTP proxy for Vault. Proxies from environment variables are never used. */
  readonly proxy: string | null;
  readonly request: {
    /** Maximum wall time of one attempt. */
    readonly deadlineMs: number;
    readonly attempts: number;
    /** Maximum number of concurrent reads. */
    readonly concurrency: number;
  };
  readonly boot: {
    /** Maximum time for which startup waits for an unavailable Vault. */
    readonly waitSeconds: number;
    /**
     * True makes startup fail if a reference has no value. False makes only the adapters with such a
     * reference `DEAD`.
     */
    readonly requireAll: boolean;
  };
  readonly refresh: {
    readonly intervalSeconds: number;
    /** Share of the interval by which it is randomly lengthened or shortened, from 0. */
    readonly jitter: number;
    /** Maximum time for which a value remains in use without confirmation by Vault. */
    readonly maxStaleSeconds: number;
    /** True reads an adapter's secrets again if its orchestrator refuses them. */
    readonly onAuthFailure: boolean;
  };
  /** True writes plain-text secrets from the API to Vault; false refuses them. */
  readonly writeLiterals: boolean;
  /** Whether a secret in plain text in a file is a warning or a fault. */
  readonly literals: 'warn' | 'refuse';
  readonly allowInsecure: boolean;
}

/**
 * Login to Vault. Credentials are in files or environment variables, never in the configuration. `namespace`
 * is the namespace of the login: null uses `VaultSettings.namespace`, an empty string the root namespace.
 */
export type VaultAuthSettings =
  | { readonly method: 'token'; readonly tokenFile?: string; readonly tokenEnv: string }
  | { readonly method: 'token_file'; readonly file: string; readonly namespace: string | null }
  | AppRoleSettings
  | {
      readonly method: 'kubernetes';
      readonly mount: string;
      readonly namespace: string | null;
      readonly role: string;
      readonly jwtFile: string;
    }
  | {
      readonly method: 'jwt';
      readonly mount: string;
      readonly namespace: string | null;
      /** Null uses the `default_role` of the mount. */
      readonly role: string | null;
      readonly jwtFile: string;
    }
  | {
      readonly method: 'cert';
      readonly mount: string;
      readonly namespace: string | null;
      /** Certificate role of the login; null lets Vault choose a matching role. */
      readonly name: string | null;
    }
  | {
      readonly method: 'userpass' | 'ldap';
      readonly mount: string;
      readonly namespace: string | null;
      readonly username: string;
      readonly passwordFile: string;
    };

/** Login with AppRole. */
export interface AppRoleSettings {
  readonly method: 'approle';
  readonly mount: string;
  readonly namespace: string | null;
  readonly roleIdFile: string;
  /** Absent if the role requires no secret id. */
  readonly secretIdFile?: string;
  /** True if the file contains a wrapping token, which gatehouse unwraps once. */
  readonly secretIdWrapped: boolean;
  /** Path that must have created the wrapped secret id, for example `auth/approle/role/edge/secret-id`. */
  readonly secretIdWrapPath: string | null;
  /** True removes the file after the first login with it. */
  readonly removeSecretIdFile: boolean;
}
