import type { Adapter, AdapterPlugin } from '../../core/adapter.js';
import type { SecretVersion } from '../../core/attempt.js';
import type { CertificateInUse, OpenedListenerTls } from '../../core/certificate.js';
import type { ConnectionStep } from '../../core/connection-test.js';
import type { EgressCaller, OwnAddress } from '../../core/egress.js';
import type { Fault, LocatedFault } from '../../core/fault.js';
import type { Log } from '../../core/log.js';
import type { Logins, IssuerCheck } from '../../core/login.js';
import type { TokenVerifier } from '../../core/principal.js';
import type { CompileSchema } from '../../core/schema.js';
import type { ShellProvider, SignIns } from '../../core/sign-in.js';
import type { Upstream } from '../../core/upstream.js';
import type { Semaphore } from '../../lib/semaphore.js';
import type { AdapterSettings, OpenApiSettings } from '../../settings/adapter.js';
import type {
  AuthSettings,
  EgressSettings,
  LocalIssuerSettings,
  ServerSettings,
} from '../../settings/settings.js';
import type { CallRoles } from './access-policies.js';

/** A value that was opened from its settings, or the faults that prevent it. */
export type Opened<T> = { readonly value: T } | { readonly faults: readonly LocatedFault[] };

/** Returns the faults of a result; empty if it was opened. */
export function faultsOf(opened: Opened<unknown>): readonly LocatedFault[] {
  return 'faults' in opened ? opened.faults : [];
}

/** The methods of an adapter's OpenAPI document, or the faults of the document and of its settings. */
export interface OpenedMethods {
  readonly faults: readonly (Fault | LocatedFault)[];
  /** Probable mistakes, which refuse nothing. */
  readonly warnings: readonly (Fault | LocatedFault)[];
  /** The files that the document refers to, besides itself. */
  readonly files: readonly string[];
  /** Digests of the methods by name. */
  readonly digests: ReadonlyMap<string, string>;
  /** Returns the upstream with the methods. */
  readonly connect: (adapter: Adapter, upstream: Upstream) => Upstream;
}

/** A token verifier with the connections to its issuers, and their sign-ins. */
export interface OwnedVerifier extends TokenVerifier {
  readonly signIns: SignIns;
  /** Fetches the keys of all issuers again; tokens wait for the result. */
  refreshKeys(): void;
  /** Checks of the issuers that publish their keys, in the order of the configuration. */
  readonly issuerChecks: readonly IssuerCheck[];
  /** CA certificates of the issuers. */
  readonly certificates: readonly CertificateInUse[];
  /** Identity providers for sign-ins at a shell. */
  readonly shellProviders: readonly ShellProvider[];
  close(): Promise<void>;
}

/** What an upstream needs besides the settings of its adapter. */
interface UpstreamTerms {
  /** Present for an adapter that is registered through the API, which must not connect to every address. */
  readonly openTargets?: readonly string[] | undefined;
  /** Versions of the secrets of its authentication. */
  readonly secretVersions?: readonly SecretVersion[] | undefined;
}

/** Opens the cache of an adapter. The returned function connects upstreams to it. */
type ConnectCache = (adapter: string, settings: AdapterSettings['cache']) => (upstream: Upstream) => Upstream;

/**
 * Factories that the runtime needs from other modules. None of them opens a connection, so that `gatehouse
 * check` runs the same code. Pointers of faults are relative to the given settings.
 */
export interface AdapterFactories {
  readonly compile: CompileSchema;
  /** Limits the starts of adapters in this process that take processor time. */
  readonly startSlots: Semaphore;
  /** Limits the periodic probes that run at the same time in this process. */
  readonly probeSlots: Semaphore;
  readonly openVerifier: (auth: AuthSettings, publicUrl: string | null) => Promise<Opened<OwnedVerifier>>;
  readonly openLogins: (local: LocalIssuerSettings) => Opened<Logins>;
  /** Opens the outbound calls; `own` are the services of this server that no call may reach. */
  readonly openEgress: (egress: EgressSettings, own?: readonly OwnAddress[]) => Opened<EgressCaller>;
  /**
   * Opens the upstream of an adapter; `log` belongs to the adapter.
   */
  readonly openUpstream: (
    adapter: AdapterSettings,
    log: Log,
    terms?: UpstreamTerms,
  ) => Promise<Opened<Upstream>>;
  /** Reads the OpenAPI document of an adapter, and opens its methods. */
  readonly openMethods: (
    openapi: OpenApiSettings,
    adapter: AdapterSettings,
    plugin: AdapterPlugin,
  ) => Promise<OpenedMethods>;
  /** Opens the cache of an adapter; without a cache, the returned function changes nothing. */
  readonly connectCache: ConnectCache;
  /**
   * Tests the connection to one base URL of an adapter: name, TCP and TLS, with the certificates and the egress rules of its
   * upstream. Sends no request.
   */
  readonly testNetwork: (
    adapter: AdapterSettings,
    baseUrl: string,
    terms: { readonly openTargets?: readonly string[] | undefined; readonly signal: AbortSignal },
  ) => Promise<readonly ConnectionStep[]>;
  /**
   * Reads the certificates of the listener. The value is absent if there are faults, which are relative to the main file.
   */
  readonly openListenerTls: (tls: NonNullable<ServerSettings['tls']>) => Promise<{
    readonly value?: OpenedListenerTls;
    readonly faults: readonly LocatedFault[];
  }>;
  /** Operation names that the config key `roles` may use. */
  readonly operationNames: readonly string[];
  /** Roles that the operations require. */
  readonly operationRoles: readonly string[];
  /** Returns the roles that may call each operation that sends calls through adapters, by the key `roles`. */
  readonly callRoles: CallRoles;
  /** Names of the applications of this process. */
  readonly applicationNames: readonly string[];
}
