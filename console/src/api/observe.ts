import type {
  AdapterStatusView,
  BreakerState,
  TimelineEvent,
  Overview,
  MonitoringIssue,
} from '../../../src/core/monitoring.js';
import type { CallerRates, Rates, TrafficCell as CountedCell } from '../../../src/core/traffic.js';
import { LOG_LEVELS, type LogLevel } from '../../../src/core/log.js';

// What the operations of the console answer is what the server's own types say; here stands what they make of it.
export { LOG_LEVELS };
export type {
  AdapterStatusView as AdapterPicture,
  BreakerState,
  CallerRates,
  LogLevel,
  TimelineEvent as Mark,
  Overview as OverviewReply,
  Rates,
  MonitoringIssue as Trouble,
};

/** Calls of five minutes. There was one at least, or the cell would have been left out. */
export interface TrafficCell extends CountedCell {
  readonly p50Ms: number;
  readonly p95Ms: number;
}

/** What `GET /console/traffic` tells; cells without calls are left out. */
export interface TrafficReply {
  readonly cellSeconds: number;
  readonly from: number;
  readonly to: number;
  readonly adapters: readonly { readonly name: string; readonly cells: readonly TrafficCell[] }[];
  readonly marks: readonly TimelineEvent[];
}

/** A call that came through an adapter. */
export interface ObservedCall {
  readonly at: number;
  readonly requestId: string;
  readonly adapter: string;
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  /** What was asked of the orchestrator: `GET /restconf/data`; absent where that is not known. */
  readonly about?: string | null;
  readonly status: number;
  readonly ms: number;
  readonly caller: string;
  /** `ok`, or the code of the problem. */
  readonly outcome: string;
}

/** A line of the log. */
export interface LogLine {
  readonly id: number;
  readonly at: number;
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** What `GET /console/log` tells, oldest first. */
export interface LogReply {
  readonly lines: readonly LogLine[];
  /** To be handed back as `after`. */
  readonly next: number;
  /** True: some lines since `after` were dropped. */
  readonly missed: boolean;
  readonly writtenLevel: LogLevel;
  /** There when more is asked for than is written. */
  readonly hint: string | null;
}

/** The server's event `traffic`: rates of now, of all and by adapter. */
export interface TrafficEvent extends Rates {
  readonly adapters: Readonly<Record<string, Rates>>;
}

/** Where the latest {@link TrafficEvent} is kept (`app/use-live.ts`). */
export const TRAFFIC_EVENT = '/console/events/traffic';
