import type { LogLevel } from './log.js';
import type { Author } from './record-history.js';

/** Destinations of log lines, as the platform names them (wire section 5.2). */
export const TRANSPORTS = ['console', 'file', 'syslog'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/**
 * State that an operator requests for a component. `paused` queues its calls, `refusing` rejects them; in
 * both states the component stays connected.
 */
export type DesiredState = 'running' | 'stopped' | 'paused' | 'refusing';

/** Request of an operator for a state other than `running`. Times are in milliseconds since 1970. */
export interface StateRequest {
  /** Null for a caller without a token. */
  readonly by: Author | null;
  readonly at: number;
  readonly reason?: string;
  /** Time when the component resumes automatically. */
  readonly until?: number;
}

/** A suspension that begins at `from`, in milliseconds since 1970. */
interface ScheduledSuspension {
  readonly wanted: 'paused' | 'refusing';
  readonly from: number;
  readonly request: StateRequest;
}

/** Run-time changes by operators to a component, which is an adapter or an application. */
export interface ComponentOverrides {
  readonly wanted: DesiredState;
  /** Who requested the state, when, why and until when; absent for `running`. */
  readonly request?: StateRequest;
  /** The suspension that begins next; absent without one. */
  readonly scheduled?: ScheduledSuspension;
  /** Number of requested restarts. A changed number restarts the component. */
  readonly restarts: number;
  /** Levels of the component's log lines; absent levels follow the configuration. */
  readonly levels: Readonly<Partial<Record<Transport, LogLevel>>>;
  /**
   * End of temporary levels, in milliseconds since 1970, and the levels that apply afterwards; absent for
   * permanent levels.
   */
  readonly goBack?: { readonly at: number; readonly levels: ComponentOverrides['levels'] };
}

/** No overrides: the component runs as configured. */
export const NO_OVERRIDES: ComponentOverrides = { wanted: 'running', restarts: 0, levels: {} };

/** Returns the same level for all transports. */
export function everywhere(level: LogLevel): Readonly<Record<Transport, LogLevel>> {
  return { console: level, file: level, syslog: level };
}

/** A component of this process that serves operations (wire section 5.3). */
export interface ApplicationInstance {
  /** For example `JsonForms`. */
  readonly name: string;
  readonly state: 'RUNNING' | 'STOPPED';
  /** Start of the current state, or the latest restart, in milliseconds since 1970. */
  readonly since: number;
  readonly restarts: number;
}
