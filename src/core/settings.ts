import type { LogLevel } from './log.js';
import type { CredentialScheme } from './login.js';
import type { PemFile } from './pem-file.js';
import type { Secret } from './secret.js';
import type { TracingSettings } from './tracing-settings.js';

/** The main configuration file with every default filled in. Paths are absolute. */
export interface Settings {
  /** Release of the platform that this server stands for, for example `2023.2`. */
  readonly release: string;
  readonly server: ServerSettings;
  readonly auth: AuthSettings;
  /** Widened or narrowed roles by operation name, for example `orchestrator-manager.restQuery`. */
  readonly roles: Readonly<Record<string, readonly string[]>>;
  readonly vault: VaultSettings | null;
  /** `sqlite:/absolute/path`, `sqlite::memory:` or `postgres://user:password@host:port/name`. */
  readonly storage: { readonly url: string };
  readonly egress: EgressSettings;
  readonly forms: FormsSettings;
  /** The pages for people, below `/ui`. */
  readonly console: { readonly enabled: boolean };
  readonly log: LogSettings;
  readonly audit: AuditSettings;
  readonly tracing: TracingSettings;
}

export interface AuthSettings {
  readonly issuers: readonly IssuerSettings[];
  /** Seals sign-ins under way; absent: each process makes its own. */
  readonly signInSecret?: Secret;
  readonly local: LocalIssuerSettings;
}

export interface ServerSettings {
  /** `host:port`; an IPv6 host stands in brackets. */
  readonly listen: string;
  /** Origin under which browsers reach the server; null where nobody said. */
  readonly publicUrl: string | null;
  readonly tls: {
    readonly certFile: PemFile;
    readonly keyFile: PemFile;
    /** Value of `Strict-Transport-Security`; null: not sent. */
    readonly hsts: string | null;
  } | null;
  readonly limits: {
    readonly bodyBytes: number;
    readonly headerBytes: number;
    readonly requestTimeoutMs: number;
    readonly headersTimeoutMs: number;
    readonly keepAliveTimeoutMs: number;
    readonly connections: number;
  };
  /** Null turns no call away. */
  readonly overload: OverloadSettings | null;
  /** How long `close` waits for running calls. */
  readonly drainSeconds: number;
  /** Processes that serve calls; 1: this one alone; `auto`: one for each processor. */
  readonly workers: number | 'auto';
}

/** Where calls begin to be turned away. */
export interface OverloadSettings {
  /** How late the event loop may be. */
  readonly loopDelayMs: number;
  /** Part of the heap, or of the memory that the process may use, in percent. */
  readonly memoryPercent: number;
  /** Calls in flight. */
  readonly calls: number;
}

/** One trusted token issuer. Exactly one of the four key sources is set. */
export interface IssuerSettings {
  /** Equal to the token's `iss`. */
  readonly issuer: string;
  /** Accepted `aud` values. */
  readonly audience: readonly string[];
  readonly algorithms: readonly string[];
  readonly publicKeyFile?: PemFile;
  readonly secret?: Secret;
  readonly jwksUri?: string;
  readonly discovery?: true;
  /** CA certificates for `jwksUri` and `discovery`. */
  readonly caFile?: PemFile;
  /** JSON pointer to an array of strings in the payload. */
  readonly rolesClaim: string;
  /** Token role to our role; absent: names are used as they are. */
  readonly roleMap?: Readonly<Record<string, string>>;
  readonly clockToleranceSeconds: number;
  readonly maxLifetimeSeconds: number;
  /** Lets people sign in there with a browser; needs `discovery`. */
  readonly signIn?: SignInSettings;
}

/** What we are at an identity provider: a client of OpenID Connect. */
export interface SignInSettings {
  readonly clientId: string;
  /** Absent for a public client. */
  readonly clientSecret?: Secret;
  /** Asked for beside `openid`. */
  readonly scopes: readonly string[];
  /** For people; absent: the host of the issuer. */
  readonly name?: string;
}

/** The built-in issuer, whose key is made on the first start. */
export interface LocalIssuerSettings {
  readonly enabled: boolean;
  readonly tokenTtlSeconds: number;
  /** PEM file of the signing key (ES256). */
  readonly keyFile: string;
  readonly users: readonly {
    readonly username: string;
    /** scrypt, in PHC format. */
    readonly passwordHash: Secret;
    readonly roles: readonly string[];
  }[];
  readonly clients: readonly {
    readonly clientId: string;
    /** scrypt, in PHC format. */
    readonly clientSecretHash: Secret;
    readonly roles: readonly string[];
  }[];
  /** Ways in which callers may show who they are. */
  readonly accept: readonly CredentialScheme[];
  readonly attempts: AttemptSettings;
}

/** How many wrong passwords are looked at. */
export interface AttemptSettings {
  /** For one name, within the window. */
  readonly perUser: number;
  /** From one address, within the window. */
  readonly perAddress: number;
  /** From the first wrong password on. */
  readonly windowSeconds: number;
}

export interface VaultSettings {
  /** Origins of one Vault, in the order in which they are tried. */
  readonly address: readonly string[];
  readonly namespace: string | null;
  /** Mount that relative references are read from. */
  readonly mount: string;
  /** `auto` asks Vault what each mount is. */
  readonly kvVersion: 1 | 2 | 'auto';
  readonly auth: VaultAuthSettings;
  readonly tls: {
    readonly caFile: string | null;
    /** Client certificate, with `keyFile`: for the method `cert` and for servers that want one. */
    readonly certFile: string | null;
    readonly keyFile: string | null;
    readonly serverName: string | null;
  };
  /** URL of an HTTP proxy on the way to Vault; those that the environment names are never used. */
  readonly proxy: string | null;
  readonly request: {
    /** Wall time of one attempt. */
    readonly deadlineMs: number;
    readonly attempts: number;
    /** Most reads at a time. */
    readonly concurrency: number;
  };
  readonly boot: {
    /** How long a start waits for a Vault that is away. */
    readonly waitSeconds: number;
    /** True lets no start succeed while a reference has no value; else its adapter is dead and the others serve. */
    readonly requireAll: boolean;
  };
  readonly refresh: {
    readonly intervalSeconds: number;
    /** Part of the interval by which it is made longer or shorter at random, from 0. */
    readonly jitter: number;
    /** How long a value serves on while Vault does not confirm it. */
    readonly maxStaleSeconds: number;
    /** True reads an adapter's secrets anew when its orchestrator refuses them. */
    readonly onAuthFailure: boolean;
  };
  /** True writes secrets that come in plain text through the API to Vault; false refuses them. */
  readonly writeLiterals: boolean;
  readonly allowInsecure: boolean;
}

/**
 * Credentials for Vault stand in files or environment variables, never in the configuration itself. `namespace` is that
 * of the login method: null is the block's, an empty text the root.
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
      /** Null leaves it to the `default_role` of the mount. */
      readonly role: string | null;
      readonly jwtFile: string;
    }
  | {
      readonly method: 'cert';
      readonly mount: string;
      readonly namespace: string | null;
      /** Certificate role to log in with; null lets Vault find one that fits. */
      readonly name: string | null;
    };

/** Login with AppRole. */
export interface AppRoleSettings {
  readonly method: 'approle';
  readonly mount: string;
  readonly namespace: string | null;
  readonly roleIdFile: string;
  /** Absent where the role asks for none. */
  readonly secretIdFile?: string;
  /** True: the file holds a wrapping token, to be unwrapped once. */
  readonly secretIdWrapped: boolean;
  /** Where the wrapped secret id must have been made, for example `auth/approle/role/edge/secret-id`. */
  readonly secretIdWrapPath: string | null;
  /** True removes the file after the first login with it. */
  readonly removeSecretIdFile: boolean;
}

/** Where `POST /tools/restCall` may go. Entries: `host`, `host:port`, `CIDR`, `CIDR:port`; IPv6 in brackets. */
export interface EgressSettings {
  /** False closes public addresses too, but for those of `allow`. */
  readonly public: boolean;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly maxReplyBytes: number;
  readonly timeoutMs: number;
}

/** JSON forms, and the schemas of callers. */
export interface FormsSettings {
  /** Largest form, and largest schema with its data, in bytes. */
  readonly maxBytes: number;
  readonly maxForms: number;
  /** Former states kept of each form. */
  readonly maxVersions: number;
  /** Wall time in which a caller's schema must be applied. */
  readonly validateTimeoutMs: number;
  /** Heap that applying a caller's schema may use. */
  readonly validateMemoryMb: number;
  /** Folders in which imported YANG modules are looked for. */
  readonly yangPath: readonly string[];
  readonly tasks: TaskSettings;
}

/** Questions to people. Origins are written `https://host` or `https://host:port`; `self` is the server's own. */
export interface TaskSettings {
  readonly maxTasks: number;
  /** Origins of pages in which a task may be shown. */
  readonly frameAncestors: readonly string[];
  /** Origins of pages that may be told an outcome. */
  readonly messageOrigins: readonly string[];
}

export interface LogSettings {
  readonly level: LogLevel;
  readonly format: 'json' | 'pretty';
  readonly file: string | null;
  /** Null leaves it to others to move the file away. */
  readonly rotation: RotationSettings | null;
  readonly syslog: SyslogSettings | null;
}

/** When the file is put away under another name, and what becomes of those that were. */
export interface RotationSettings {
  /** Size from which on it is full; null: none. */
  readonly bytes: number | null;
  /** Hours that one file is for; null: any number. */
  readonly hours: number | null;
  /** How many are kept. */
  readonly keep: number;
  readonly compress: boolean;
}

/** A receiver of syslog messages (RFC 5424). */
export interface SyslogSettings {
  /** `udp://host:port`, `tcp://host:port`, `tls://host:port` or `unix:/path`. */
  readonly url: string;
  readonly facility: 'user' | 'daemon' | 'auth' | 'authpriv' | `local${0 | 1 | 2 | 3 | 4 | 5 | 6 | 7}`;
  readonly appName: string;
  /** CA certificates for `tls:`; null: those of the system. */
  readonly caFile: string | null;
}

/** `written`: in the file before the reply; `fsync`: on the disk; `store`: a row of the database. */
export interface AuditSettings {
  readonly file: string;
  readonly durability: 'written' | 'fsync' | 'store';
}
