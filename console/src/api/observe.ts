import type { MonitoringIssue } from '../../../src/core/issue.js';
import { LOG_LEVELS, type LogLevel } from '../../../src/core/log.js';
import type { AdapterStatusView, BreakerState, Overview } from '../../../src/features/console/monitoring.js';
import type {
  CallerRates,
  TimelineEvent,
  Rates,
  TrafficCell as DetailedCell,
  TrafficColumn as TrafficCell,
  TrafficFlow,
  TrafficReport as TrafficReply,
  LatencyBar,
} from '../../../src/features/traffic/traffic-view.js';

// The reply types of the console's operations are the server's own types. This file exports them and adds the
// types of the console.
export { LOG_LEVELS };
export type {
  AdapterStatusView,
  BreakerState,
  CallerRates,
  LogLevel,
  TimelineEvent as Mark,
  Overview as OverviewReply,
  Rates,
  MonitoringIssue,
  DetailedCell,
  TrafficCell,
  TrafficFlow,
  TrafficReply,
  LatencyBar,
};

/** A call that was sent through an adapter. */
export interface ObservedCall {
  readonly at: number;
  readonly requestId: string;
  readonly adapter: string;
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  /** The request to the orchestrator: `GET /restconf/data`; absent if unknown. */
  readonly about?: string | null;
  readonly status: number;
  readonly ms: number;
  readonly caller: string;
  /** `ok`, or the code of the problem. */
  readonly outcome: string;
}

export interface LogLine {
  readonly id: number;
  readonly at: number;
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Reply of `GET /console/log`, oldest line first. */
export interface LogReply {
  readonly lines: readonly LogLine[];
  /** Value for `after` in the next request. */
  readonly next: number;
  /** True if lines since `after` were dropped. */
  readonly missed: boolean;
  readonly writtenLevel: LogLevel;
  /** Set if the requested level is more verbose than the level that is written. */
  readonly hint: string | null;
}

/** The server's event `traffic`: current rates in total and by adapter. */
export interface TrafficEvent extends Rates {
  readonly adapters: Readonly<Record<string, Rates>>;
}

/** Query key of the latest {@link TrafficEvent} (`app/use-live.ts`). */
export const TRAFFIC_EVENT = '/console/events/traffic';
