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
  readonly secrets: PlatformSecrets;
  /** The measurements in the text format of Prometheus. */
  readonly metrics: () => Promise<string>;
  /** Of this build. */
  readonly version: string;
}
