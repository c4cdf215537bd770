import type { ApplicationInstance, Transport } from '../../core/component.js';
import type { AdapterInstance, Lease } from '../../core/snapshot.js';

/** One service that this server depends on, for the health report. */
export interface ServiceProbe {
  readonly service: string;
  readonly running: () => Promise<boolean>;
}

/** What an adapter or an application is, beyond how it stands. */
export interface ComponentFacts {
  /** What it is made of: a plugin, or an application by its config name. */
  readonly packageId: string;
  readonly version: string;
  readonly description: string;
  /** First segment of its paths; of an adapter, its name. */
  readonly routePrefix: string;
  /** Level of its log lines, or `none` where they do not go. */
  readonly logger: Readonly<Record<Transport, string>>;
}

/** What this build is. */
export interface ProductFacts {
  readonly version: string;
  /** Release of the platform that it stands for, `year.number`. */
  readonly release: string;
  /** Versions of its direct dependencies, by name. */
  readonly dependencies: Readonly<Record<string, string>>;
  /** Since when it serves, in milliseconds since 1970. */
  readonly since: number;
}

/** What the process uses: memory in bytes, processor time in microseconds. */
export interface ProcessUsage {
  readonly memoryUsage: Readonly<
    Record<'rss' | 'heapTotal' | 'heapUsed' | 'external' | 'arrayBuffers', number>
  >;
  readonly cpuUsage: { readonly user: number; readonly system: number };
  readonly pid: number;
}

/** What a health report may look at. */
export interface HealthDeps {
  readonly lease: Lease;
  readonly services: readonly ServiceProbe[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly host: string;
  /** 64 hexadecimal digits that name this installation. */
  readonly serverId: string;
  readonly product: ProductFacts;
  /** Looks the adapters up once, for a whole list. */
  readonly describeAdapters: () => (adapter: AdapterInstance) => ComponentFacts;
  readonly describeApplication: (application: ApplicationInstance) => ComponentFacts;
  readonly usage: () => ProcessUsage;
  readonly runtime: () => {
    readonly arch: string;
    readonly platform: string;
    readonly versions: Readonly<Record<string, string | undefined>>;
  };
  /** The machine as Node sees it. */
  readonly machine: () => object;
}
