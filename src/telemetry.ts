import type { Clock } from './domain/clock.js';
import type { OpenHttpClient } from './domain/http.js';
import type { FindLines } from './domain/log-lines.js';
import type { Redactor } from './domain/redactor.js';
import type { LogSettings } from './domain/settings.js';
import { type OpenLog, openLog } from './log/open-log.js';
import { createRecentLines } from './log/recent-lines.js';
import { createRedactor } from './log/redactor.js';
import { createTracer, type OpenTracer } from './trace/tracer.js';
import { openHttpClient } from './upstream/client.js';
import { tracedClients } from './upstream/traced.js';

/** What tells of what goes on: the log, and the traces. */
export interface Telemetry extends OpenLog {
  /** Knows the secrets that neither may show. */
  readonly redactor: Redactor;
  /** Finds lines among the latest of the log. */
  readonly lines: FindLines;
  readonly tracer: OpenTracer;
  /** Opens clients whose requests have their place in a trace. */
  readonly openHttpClient: OpenHttpClient;
}

export interface TelemetryOptions {
  readonly clock: Clock;
  /** Where log lines go; stdout when absent. */
  readonly stream?: NodeJS.WritableStream | undefined;
}

/** Opens the log, whose lines show no secret that the redactor knows, and a tracer that collects nothing yet. */
export function openTelemetry(settings: LogSettings, { clock, stream }: TelemetryOptions): Telemetry {
  const redactor = createRedactor(clock);
  const recent = createRecentLines();
  const log = openLog(settings, { redactor, keep: recent.keep, ...(stream && { stream }) });
  const tracer = createTracer();
  return {
    ...log,
    ...{ redactor, lines: recent.find, tracer },
    openHttpClient: tracedClients(openHttpClient, tracer),
  };
}
