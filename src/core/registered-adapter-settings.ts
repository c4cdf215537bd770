// Settings that bind adapters registered through the API. Adapters of files are the operator's own.

/** Settings in the block `vault`. */
export interface SecretScopeSettings {
  /**
   * Path below the mount of the secrets that a registered adapter may refer to; `{name}` is its name. Empty:
   * all secrets.
   */
  readonly adapterScope: string;
}

/** Settings in the block `egress`. */
export interface AdapterEgressSettings {
  /**
   * Loopback, link-local and metadata addresses that registered adapters may reach. Absent in the block of a
   * profile.
   */
  readonly adapters?: readonly string[];
}
