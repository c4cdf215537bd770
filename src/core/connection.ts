/** Reachability of the orchestrator, according to the latest call or probe. */
export interface Connection {
  readonly state: 'ONLINE' | 'OFFLINE' | 'UNKNOWN';
  /** Start of this state, in milliseconds since 1970. */
  readonly since: number;
  /** Reason for `OFFLINE`. */
  readonly reason?: string;
}
