/** State of the secrets in use, as reported by their source. */
export type VaultState = 'running' | 'degraded' | 'failed';

/** Access of the platform core to secrets. */
export interface PlatformSecrets {
  status(): { readonly state: VaultState };
  /** Reads every secret in use and resolves to 0. If called too early, resolves to the milliseconds to wait. */
  refreshNow(): Promise<number>;
}

/** Dependencies of the platform core. */
export interface PlatformDeps {
  readonly secrets: PlatformSecrets;
  /** Returns the metrics in the text format of Prometheus. */
  readonly metrics: () => Promise<string>;
  /** Version of this build. */
  readonly version: string;
}
