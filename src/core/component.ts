import type { LogLevel } from './log.js';

/** Where log lines of a component go, as the platform names it (wire section 5.2). */
export const TRANSPORTS = ['console', 'file', 'syslog'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/**
 * What operators want of a component: `paused` lets its calls wait, `refusing` turns them away; in both it stays
 * connected.
 */
export type DesiredState = 'running' | 'stopped' | 'paused' | 'refusing';

/** What operators asked for at run time of a part that can be stopped and started: an adapter, or an application. */
export interface ComponentOverrides {
  readonly wanted: DesiredState;
  /** Counts the restarts that were asked for: another number makes it anew. */
  readonly restarts: number;
  /** Levels of its log lines; absent: as the configuration says. */
  readonly levels: Readonly<Partial<Record<Transport, LogLevel>>>;
  /** When they are over, in milliseconds since 1970, and what comes then; absent: they stay. */
  readonly goBack?: { readonly at: number; readonly levels: ComponentOverrides['levels'] };
}

/** Nobody asked for anything: it runs as it is configured. */
export const NO_OVERRIDES: ComponentOverrides = { wanted: 'running', restarts: 0, levels: {} };

/** The same level for all transports. */
export function everywhere(level: LogLevel): Readonly<Record<Transport, LogLevel>> {
  return { console: level, file: level, syslog: level };
}

/** A component of this process that serves operations of its own (wire section 5.3). */
export interface ApplicationInstance {
  /** For example `JsonForms`. */
  readonly name: string;
  readonly state: 'RUNNING' | 'STOPPED';
  /** Since when, in milliseconds since 1970. */
  readonly since: number;
  /** Restarts that were asked for. */
  readonly restarts: number;
}
