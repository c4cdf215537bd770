import type { Lease } from '../../domain/snapshot.js';

/** One service that this server depends on, for the health report. */
export interface ServiceProbe {
  readonly service: string;
  readonly running: () => Promise<boolean>;
}

/** How the secrets in use stand, as their source says. */
export type VaultState = 'running' | 'degraded' | 'failed';

/** What the platform core may know of secrets, and do about them. */
export interface PlatformSecrets {
  status(): { readonly state: VaultState };
  /** Reads every secret in use; or nothing, and resolves to the milliseconds until it may be asked again. */
  refreshNow(): Promise<number>;
}

/** What the platform core may touch. */
export interface PlatformDeps {
  readonly lease: Lease;
  readonly secrets: PlatformSecrets;
  /** The measurements in the text format of Prometheus. */
  readonly metrics: () => Promise<string>;
  readonly services: readonly ServiceProbe[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly host: string;
  /** 64 hexadecimal digits that name this installation. */
  readonly serverId: string;
}
