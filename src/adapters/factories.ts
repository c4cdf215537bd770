import type { LocatedFault } from '../core/fault.js';
import type { EgressCaller } from '../core/egress.js';
import type { TokenVerifier } from '../core/principal.js';
import type { Logins } from '../core/login.js';
import type { CompileSchema } from '../core/schema.js';
import type { AdapterSettings } from '../core/adapter-settings.js';
import type { Log } from '../core/log.js';
import type { SignIns } from '../core/sign-in.js';
import type { AdapterInstance } from '../core/snapshot.js';
import type { AuthSettings, LocalIssuerSettings, Settings } from '../core/settings.js';
import type { Upstream } from '../core/upstream.js';

/** What a room made of its settings, or what keeps it from that. */
export type Opened<T> = { readonly value: T } | { readonly faults: readonly LocatedFault[] };

/** The faults of something opened; none when it was. */
export function faultsOf(opened: Opened<unknown>): readonly LocatedFault[] {
  return 'faults' in opened ? opened.faults : [];
}

/** A verifier with the connections to its issuers, and the sign-ins there. */
export interface OwnedVerifier extends TokenVerifier {
  readonly signIns: SignIns;
  close(): Promise<void>;
}

/**
 * What the runtime needs from the rooms, filled in by `start.ts`. None of these opens a connection,
 * so that `gatehouse check` runs the same code. Pointers of faults count from what was handed in.
 */
export interface AdapterFactories {
  readonly compile: CompileSchema;
  readonly openVerifier: (auth: AuthSettings, publicUrl: string | null) => Promise<Opened<OwnedVerifier>>;
  readonly openLogins: (local: LocalIssuerSettings) => Opened<Logins>;
  readonly openEgress: (egress: Settings['egress']) => Opened<EgressCaller>;
  /** The log is the adapter's own. */
  readonly openUpstream: (adapter: AdapterSettings, log: Log) => Promise<Opened<Upstream>>;
  /** The same instance, which tells how its adapter stands in all processes of this server; absent: there is one alone. */
  readonly overall?: (instance: AdapterInstance) => AdapterInstance;
  /** Names that the config key `roles` may use. */
  readonly operationNames: readonly string[];
  /** Names of the applications of this process. */
  readonly applicationNames: readonly string[];
}
