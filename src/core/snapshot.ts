import type { CancelSignal } from '../lib/cancel-signal.js';
import type { FormsSettings } from '../settings/forms.js';
import type { NotificationSettings } from '../settings/notifications.js';
import type { ClientCertificateSettings } from '../settings/settings.js';
import type { AdapterPolicy } from './access-policy.js';
import { adapterNotFound, visibleNames } from './adapter-names.js';
import type { Adapter, Connection } from './adapter.js';
import type { CertificateFile } from './certificate.js';
import type { ApplicationInstance } from './component.js';
import type { EgressCaller } from './egress.js';
import type { LimitSettings } from './limits.js';
import type { LogLevel } from './log.js';
import type { Logins, IssuerCheck } from './login.js';
import type { TokenVerifier, RoleHolder } from './principal.js';
import type { ShellProvider, SignIns } from './sign-in.js';
import type { Upstream, UpstreamStatus } from './upstream.js';

/**
 * State of an adapter instance. `DEAD` has a reason and lasts until the configuration or its secret changes.
 */
export type AdapterState =
  | { readonly name: 'RUNNING' | 'STOPPING' | 'STOPPED' }
  | {
      readonly name: 'STARTING';
      /** Why the latest start failed; absent during the first start. */
      readonly reason?: string;
    }
  | {
      readonly name: 'DEAD';
      readonly cause: 'secret' | 'fault';
      readonly reason: string;
    };

/** Returns why an adapter that is starting does not serve, as a clause. */
export function startingReason({ reason }: AdapterState & { readonly name: 'STARTING' }): string {
  return reason === undefined ? 'it is still starting' : `its start failed and is tried again: ${reason}`;
}

/** What the orchestrator said to the credentials of an adapter; see `SecretProof`. */
export interface SessionProof {
  readonly verdict: 'accepted' | 'refused' | 'failed';
  /** Why the credentials were not accepted; absent if they were. */
  readonly reason?: string;
}

/** A configured adapter in any state. */
export interface AdapterInstance {
  readonly id: string;
  readonly type: string;
  state(): AdapterState;
  /** Returns the start time, in milliseconds since 1970; undefined if the adapter is not running. */
  since(): number | undefined;
  connection(): Connection;
  /**
   * Returns the status of the upstream; absent for an adapter without an upstream or with its own transport.
   */
  readonly upstreamStatus?: () => UpstreamStatus;
  /**
   * Digest of the settings and the plugin that decide where calls go and what is sent, without secrets: equal on all nodes, and
   * after the rotation of a secret. Absent for an adapter that does not serve.
   */
  readonly target?: string;
  /** Digests of the methods of its OpenAPI document, by name; absent without a document. */
  readonly methodDigests?: ReadonlyMap<string, string>;
  /** Certificates of the connections to the orchestrator; absent: none is configured. */
  readonly certificates?: readonly CertificateFile[];
  /**
   * Starts the adapter, and probes its orchestrator if a probe is configured. Called once. Throws the Problem
   * that prevents calls; the adapter then retries the start automatically. Returns `undefined` if calls need neither.
   */
  open(): Promise<void> | undefined;
  /**
   * Probes the orchestrator now; starts the adapter first if no start has succeeded. Throws the Problem of the start or of
   * the probe. Absent if there is nothing to probe.
   */
  readonly testConnection?: () => Promise<void>;
  /**
   * Tries the credentials once: the login, and a first read. Does not reject; undefined if the adapter was closed meanwhile. Absent for
   * an adapter that does not serve.
   */
  readonly prove?: () => Promise<SessionProof | undefined>;
  /**
   * Returns the objects that a call needs. Starts the adapter if no start has succeeded. Throws
   * `adapter_unavailable` or `adapter_secret_unavailable` with the reason.
   */
  ready(): Promise<{ readonly adapter: Adapter; readonly upstream: Upstream }>;
  close(): Promise<void>;
}

/**
 * Immutable result of one load of the configuration. A change of the configuration creates a new snapshot.
 */
export interface Snapshot {
  /** Number of configuration loads in this process so far. */
  readonly generation: number;
  readonly adapters: ReadonlyMap<string, AdapterInstance>;
  /** Who may call what through each adapter, by adapterId. */
  readonly access: ReadonlyMap<string, AdapterPolicy>;
  /** Roles that stored access rules add to operations, by operation; empty without such rules. */
  readonly grantedRoles: ReadonlyMap<string, readonly string[]>;
  /** Applications of this process, by name. */
  readonly applications: ReadonlyMap<string, ApplicationInstance>;
  /** Adapters that operators suspended, by adapterId. */
  readonly suspended: ReadonlyMap<string, 'paused' | 'refusing'>;
  readonly egress: EgressCaller;
  readonly verifier: TokenVerifier;
  readonly logins: Logins;
  readonly signIns: SignIns;
  /** How certificates of callers become principals. */
  readonly clientCertificates: ClientCertificateSettings;
  /** Checks of the issuers that publish their keys; the same list while the settings are unchanged. */
  readonly issuerChecks: readonly IssuerCheck[];
  /** Identity providers for sign-ins at a shell. */
  readonly shellProviders: readonly ShellProvider[];
  /** Roles that the operator configured, by operation name. */
  readonly roles: Readonly<Record<string, readonly string[]>>;
  /** Limits of callers, by name. */
  readonly limits: LimitSettings;
  readonly forms: FormsSettings;
  readonly notifications: NotificationSettings;
  /** Log level of components without a specific level. */
  readonly logLevel: LogLevel;
  /**
   * Reasons why previous settings are still in use, because the new settings do not work. The key is the
   * adapterId; '' is the main file.
   */
  readonly outdated: ReadonlyMap<string, string>;
}

/** Who asks for an adapter. */
export interface LeaseTerms {
  readonly signal: CancelSignal;
  /** Absent: a caller who may see no adapter. */
  readonly principal?: RoleHolder | undefined;
  /** Throws the Problem of a caller whom the access rules refuse, who must not learn of a suspension or wait for its end. */
  readonly check: (policy: AdapterPolicy) => void;
}

/** Runs a call with the current snapshot, which is not closed before the call has ended. */
export type Lease = <T>(work: (snapshot: Snapshot) => Promise<T>) => Promise<T>;

/**
 * Runs a call on an adapter of the current snapshot. If the adapter is paused, the call waits up to the
 * maximum wait of the adapter's queue. The call must check the access rules of the same snapshot, because they may change
 * while it waits. Throws `adapter_not_found`, `adapter_suspended`, and what `check` throws.
 */
export type LeaseAdapter = <T>(
  adapterId: string,
  terms: LeaseTerms,
  work: (instance: AdapterInstance, policy: AdapterPolicy) => Promise<T>,
) => Promise<T>;

/** Who asks for an adapter; absent: nobody, who may see none. */
type Asker = RoleHolder | undefined;

/** Returns the access rules of the adapter with this name. Throws `adapter_not_found`. */
export function policyOf({ access }: Snapshot, adapterId: string, principal: Asker): AdapterPolicy {
  const policy = access.get(adapterId);
  if (!policy) throw adapterNotFound(adapterId, visibleNames(access, principal));
  return policy;
}

/** Returns the adapter with this name. Throws `adapter_not_found`. */
export function adapterOf(
  { adapters, access }: Snapshot,
  adapterId: string,
  principal: Asker,
): AdapterInstance {
  const instance = adapters.get(adapterId);
  if (!instance) throw adapterNotFound(adapterId, visibleNames(access, principal));
  return instance;
}
