import type { GlobalAccessRule } from './access-policy.js';
import type { ClientCertificateSettings } from './client-certificate.js';
import type { FormsSettings } from './form.js';
import type { LimitSettings } from './limits.js';
import type { ClientCertificates } from './listener-tls.js';
import type { LogSettings } from './log-settings.js';
import type { CredentialScheme } from './login.js';
import type { McpSettings } from './mcp-settings.js';
import type { NotificationSettings } from './notification-settings.js';
import type { MetricsSettings, TracingSettings } from './otlp-settings.js';
import type { AdapterEgressSettings } from './registered-adapter-settings.js';
import type { SecretStoreSettings } from './secret-file-settings.js';
import type { PemFile, Secret } from './secret.js';
import type { VaultSettings } from './vault-settings.js';

/** Settings of the main configuration file, with all defaults. Paths are absolute. */
export interface Settings {
  /** Platform release that this server implements, for example `2023.2`. */
  readonly release: string;
  readonly server: ServerSettings;
  readonly auth: AuthSettings;
  /** Roles that replace those of an operation, by operation name: `orchestrator-manager.restQuery`. */
  readonly roles: Readonly<Record<string, readonly string[]>>;
  /** Rules for calls through adapters, besides the rules of each adapter. */
  readonly access: readonly GlobalAccessRule[];
  /** Limits of callers, by name. */
  readonly limits: LimitSettings;
  readonly vault: VaultSettings | null;
  readonly secrets: SecretStoreSettings;
  /** `sqlite:/absolute/path`, `sqlite::memory:` or `postgres://user:password@host:port/name`. */
  readonly storage: { readonly url: string };
  readonly egress: EgressSettings;
  /** Replies with lists of adapters, applications and profiles, and of their health. */
  readonly lists: {
    /** Maximum number of entries of a reply to a request without a limit. */
    readonly defaultLimit: number;
  };
  readonly forms: FormsSettings;
  /** The web console below `/ui`. */
  readonly console: { readonly enabled: boolean };
  readonly mcp: McpSettings;
  readonly log: LogSettings;
  readonly audit: AuditSettings;
  readonly tracing: TracingSettings;
  readonly metrics: MetricsSettings;
  readonly notifications: NotificationSettings;
}

/** Settings of authentication. */
export interface AuthSettings {
  readonly issuers: readonly IssuerSettings[];
  /** Maximum length of a token, in characters; absent: 8192. */
  readonly maxTokenLength?: number;
  /** Key that seals pending sign-ins and the tokens of sessions; absent: the signing key of the built-in issuer. */
  readonly signInSecret?: Secret;
  /** Sessions of browsers that sign in at an identity provider. */
  readonly sessions: SessionLifetimes;
  readonly clientCertificates: ClientCertificateSettings;
  readonly local: LocalIssuerSettings;
}

/** Lifetimes of the sessions of browsers. */
export interface SessionLifetimes {
  /** Time without input of the person after which a session is not renewed. */
  readonly idleSeconds: number;
  /** Time from the sign-in to the end of the session. */
  readonly maxSeconds: number;
}

/** Settings of the HTTP server. */
export interface ServerSettings {
  /** `host:port`; an IPv6 host is in brackets. */
  readonly listen: string;
  /** Origin that browsers use to reach the server; null if not configured. */
  readonly publicUrl: string | null;
  readonly tls: {
    readonly certFile: PemFile;
    readonly keyFile: PemFile;
    /** CA certificates that client certificates must come from; null: none are accepted. */
    readonly clientCaFile: PemFile | null;
    /** Revocation lists of these authorities; null: revocation is not checked. */
    readonly clientCrlFile: PemFile | null;
    /** Whether callers may or must present a certificate. */
    readonly clientCertificates: ClientCertificates;
    /** Value of `Strict-Transport-Security`; null sends no such header. */
    readonly hsts: string | null;
  } | null;
  readonly limits: {
    readonly bodyBytes: number;
    readonly headerBytes: number;
    readonly requestTimeoutMs: number;
    readonly headersTimeoutMs: number;
    readonly keepAliveTimeoutMs: number;
    readonly connections: number;
    /** Maximum number of connections of an IPv4 address or an IPv6 /64 network; null: half of all. */
    readonly connectionsPerAddress: number | null;
    /** Maximum size of the caches of all adapters in one process, in bytes. */
    readonly cacheBytes: number;
  };
  /** Overload protection; null disables it. */
  readonly overload: OverloadSettings | null;
  /** Addresses, and networks in CIDR notation, of proxies whose statements about their clients count. */
  readonly trustedProxies: readonly string[];
  /** Version of the PROXY header that connections of trusted proxies start with; null: they have none. */
  readonly proxyProtocol: 'v1' | 'v2' | 'any' | null;
  /** Pages of other origins that may call the server. */
  readonly cors: CorsSettings;
  /** Time after a stop signal in which calls are still accepted, while `/readyz` reports that the server stops. */
  readonly lameDuckSeconds: number;
  /** Maximum time for which a shutdown waits for running calls. */
  readonly drainSeconds: number;
  /** CPU time after which code that does not return ends the process; 0: never. */
  readonly watchdogSeconds: number;
  /** Number of worker processes that serve calls; 1: only this process, `auto`: one per processor. */
  readonly workers: number | 'auto';
  /** Maximum number of concurrent starts of adapters that take processor time; `auto`: one per processor. */
  readonly adapterStarts: number | 'auto';
}

/** Access of pages of other origins (CORS). */
export interface CorsSettings {
  /** Origins as browsers send them: scheme, host, and the port unless it is the default; none: no access. */
  readonly origins: readonly string[];
  /** Time in seconds for which a browser may keep the reply to a preflight. */
  readonly maxAgeSeconds: number;
}

/** Thresholds above which calls are refused. */
export interface OverloadSettings {
  /** Maximum delay of the event loop. */
  readonly loopDelayMs: number;
  /** Maximum use of the heap, and of the memory limit of the process, in percent. */
  readonly memoryPercent: number;
  /** Maximum number of concurrent calls. */
  readonly calls: number;
  /** Duration of an overload after which the server is not ready. */
  readonly unreadySeconds: number;
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
  /** JSON pointers to arrays of strings in the payload. */
  readonly rolesClaim: readonly string[] | string;
  /** Gatehouse roles by role of the token, or by a pattern with `*`; absent: roles of the token are used unchanged. */
  readonly roleMap?: Readonly<Record<string, readonly string[] | string>>;
  /** Roles for values of claims, in addition to those of `rolesClaim`. */
  readonly claimRoles?: readonly ClaimRoles[];
  /** Claims, or JSON pointers, with the name of the caller for people; the first usable claim counts. */
  readonly nameClaim?: readonly string[] | string;
  /** Accepted values of claims, by claim or JSON pointer. */
  readonly requiredClaims?: Readonly<Record<string, ClaimValue | readonly ClaimValue[]>>;
  /** True accepts ID tokens as well as access tokens. */
  readonly acceptIdTokens?: boolean;
  readonly clockToleranceSeconds: number;
  readonly maxLifetimeSeconds: number;
  /** Asks the issuer whether a token is still active; absent: the signature and the times decide. */
  readonly introspection?: IntrospectionSettings;
  /** Allows people to sign in at the issuer with a browser; requires `discovery`. */
  readonly signIn?: SignInSettings;
  /** Allows people to sign in at the issuer at a shell; requires `discovery`. */
  readonly cli?: ShellClientSettings;
}

/** Settings of `gatehouse login` as a public client of an identity provider. */
interface ShellClientSettings {
  readonly clientId: string;
  /** Scopes to request besides `openid`. */
  readonly scopes: readonly string[];
}

/** Roles that a caller gets for a value of a claim. */
export interface ClaimRoles {
  /** Name of a claim, or JSON pointer. */
  readonly claim: string;
  /** Accepted values; `*` matches any number of characters of a text. */
  readonly values: readonly ClaimValue[];
  readonly roles: readonly string[] | string;
}

/** Value of a required claim. */
export type ClaimValue = string | number | boolean;

/** Settings of the token introspection (RFC 7662) at an issuer. */
interface IntrospectionSettings {
  readonly clientId: string;
  readonly clientSecret: Secret;
  /** Time for which the reply for a token is cached. */
  readonly cacheSeconds: number;
}

/** Settings of gatehouse as an OpenID Connect client of an identity provider. */
export interface SignInSettings {
  readonly clientId: string;
  /** Absent for a public client. */
  readonly clientSecret?: Secret;
  /** Scopes to request besides `openid`. */
  readonly scopes: readonly string[];
  /** Name on the sign-in page; absent: the host of the issuer. */
  readonly name?: string;
  /** Maximum duration of a request to the token endpoint; absent: 10 seconds. */
  readonly timeoutSeconds?: number;
  /** False does not sign the person out at the issuer; absent: true. */
  readonly endSession?: boolean;
}

/** The built-in issuer, whose key is created on the first start. */
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
  /** Accepted authentication schemes of callers. */
  readonly accept: readonly CredentialScheme[];
  readonly attempts: AttemptSettings;
}

/** Limits for wrong passwords. */
export interface AttemptSettings {
  /** Maximum number for one name within the window. */
  readonly perUser: number;
  /** Maximum number from one address within the window. */
  readonly perAddress: number;
  /** Length of the window, which starts with the first wrong password. */
  readonly windowSeconds: number;
}

/**
 * Allowed destinations of `POST /tools/restCall`. An entry is `host`, `host:port`, `CIDR` or `CIDR:port`,
 * with IPv6 in brackets.
 */
export interface EgressSettings extends AdapterEgressSettings {
  /** True allows all public addresses; false only those in `allow`. */
  readonly public: boolean;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly maxReplyBytes: number;
  readonly timeoutMs: number;
  /** Maximum number of calls that run or whose replies are being sent, of all callers. */
  readonly concurrent: number;
  /** The same for one caller. */
  readonly concurrentPerSubject: number;
  /** Maximum memory for replies, in bytes; each call counts twice `maxReplyBytes`. One call is always allowed. */
  readonly memoryBytes: number;
}

/**
 * Settings of the audit trail. `written`: in the file before the response; `fsync`: on the disk; `store`: in
 * the database.
 */
export interface AuditSettings {
  readonly file: string;
  readonly durability: 'written' | 'fsync' | 'store';
}
