import type { Scheduler } from '../core/lib/clock.js';
import type { FindLines } from '../core/log-lines.js';
import type { Redactor } from '../core/redactor.js';
import type { LogSettings } from '../core/settings.js';
import { type OpenLog, openLog } from '../telemetry/log/open-log.js';
import { createRecentLines } from '../telemetry/log/recent-lines.js';
import { createRedactor } from '../telemetry/log/redactor.js';
import { openTracing, type Tracing } from './open-tracing.js';

/** What tells of what goes on: the log, and the traces. */
export interface Telemetry extends OpenLog, Omit<Tracing, 'close'> {
  /** Knows the secrets that neither may show. */
  readonly redactor: Redactor;
  /** Finds lines among the latest of the log. */
  readonly lines: FindLines;
}

export interface TelemetryOptions {
  readonly clock: Scheduler;
  /** Where log lines go; stdout when absent. */
  readonly stream?: NodeJS.WritableStream | undefined;
}

/** Opens the log, whose lines show no secret that the redactor knows, and a tracer that collects nothing yet. */
export function openTelemetry(settings: LogSettings, { clock, stream }: TelemetryOptions): Telemetry {
  const redactor = createRedactor(clock);
  const recent = createRecentLines();
  const log = openLog(settings, { redactor, keep: recent.keep, ...(stream && { stream }) });
  const tracing = openTracing({ redactor, log: log.log });
  return {
    ...log,
    ...tracing,
    redactor,
    lines: recent.find,
    async close() {
      await tracing.close();
      await log.close();
    },
  };
}
