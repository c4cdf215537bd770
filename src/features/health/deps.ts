import type { ApplicationInstance, Transport } from '../../core/component.js';
import type { SecretProof } from '../../core/secret-proof.js';
import type { AdapterInstance, Lease } from '../../core/snapshot.js';

/** A service that this server depends on, for the health report. */
export interface ServiceProbe {
  readonly service: string;
  readonly running: () => Promise<boolean>;
  /** Returns why the service does not run; absent if nothing is known. */
  readonly reason?: () => string | undefined;
}

/** Properties of an adapter or an application that do not depend on its state. */
export interface ComponentFacts {
  /** Name of the plugin; for an application, its name in the configuration. */
  readonly packageId: string;
  readonly version: string;
  readonly description: string;
  /** Why the adapter is not meant to run; absent if it is, and for an application. */
  readonly stopReason?: string;
  /** First segment of the application's paths; for an adapter, its name. */
  readonly routePrefix: string;
  /** Log level by output; `none` if the output is not in use. */
  readonly logger: Readonly<Record<Transport, string>>;
}

interface ProductFacts {
  readonly version: string;
  /** Platform release that this server implements, `year.number`. */
  readonly release: string;
  /** Versions of the direct dependencies, by name. */
  readonly dependencies: Readonly<Record<string, string>>;
  /** Time when the server started to serve, in milliseconds since 1970. */
  readonly since: number;
}

/** Resource usage of the process: memory in bytes, processor time in microseconds. */
export interface ProcessUsage {
  readonly memoryUsage: Readonly<
    Record<'rss' | 'heapTotal' | 'heapUsed' | 'external' | 'arrayBuffers', number>
  >;
  readonly cpuUsage: { readonly user: number; readonly system: number };
  readonly pid: number;
}

export interface HealthDeps {
  readonly lease: Lease;
  readonly services: () => readonly ServiceProbe[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly host: string;
  /** Id of this installation, 64 hexadecimal digits. */
  readonly serverId: string;
  readonly product: ProductFacts;
  /** Looks up the adapters once and returns a function that describes each adapter of a list. */
  readonly describeAdapters: () => (adapter: AdapterInstance) => ComponentFacts;
  readonly describeApplication: (application: ApplicationInstance) => ComponentFacts;
  /** Returns the result of the test of an adapter's rotated secrets; undefined without one. */
  readonly proofOf: (adapter: AdapterInstance) => SecretProof | undefined;
  readonly usage: () => ProcessUsage;
  readonly runtime: () => {
    readonly arch: string;
    readonly platform: string;
    readonly versions: Readonly<Record<string, string | undefined>>;
  };
  /** Returns the machine as Node.js reports it. */
  readonly machine: () => object;
}
