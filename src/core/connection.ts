/** Whether the orchestrator can be reached, as the latest call or probe found. */
export interface Connection {
  readonly state: 'ONLINE' | 'OFFLINE' | 'UNKNOWN';
  /** Milliseconds since 1970. */
  readonly since: number;
  /** Why it is `OFFLINE`. */
  readonly reason?: string;
}
