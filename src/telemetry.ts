import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { type Scheduler, systemScheduler } from './domain/clock.js';
import type { OpenHttpClient } from './domain/http.js';
import type { FindLines } from './domain/log-lines.js';
import type { Redactor } from './domain/redactor.js';
import type { LogSettings, TracingSettings } from './domain/settings.js';
import { type OpenLog, openLog } from './log/open-log.js';
import { createRecentLines } from './log/recent-lines.js';
import { createRedactor } from './log/redactor.js';
import { type Exporter, OtlpExporter, type SpanCounts } from './trace/exporter.js';
import { createTracer, type OpenTracer } from './trace/tracer.js';
import { openHttpClient } from './upstream/client.js';
import { tracedClients } from './upstream/traced.js';
import { VERSION } from './version.js';

/** What tells of what goes on: the log, and the traces. */
export interface Telemetry extends OpenLog {
  /** Knows the secrets that neither may show. */
  readonly redactor: Redactor;
  /** Finds lines among the latest of the log. */
  readonly lines: FindLines;
  readonly tracer: OpenTracer;
  /** Begins to send spans, where the settings say where to. */
  readonly exportSpans: (settings: TracingSettings) => Promise<void>;
  /** Absent where no spans are sent. */
  readonly spanCounts: () => SpanCounts | undefined;
  /** Opens clients whose requests have their place in a trace. */
  readonly openHttpClient: OpenHttpClient;
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
  const tracer = createTracer();
  let exporter: Exporter | undefined;
  return {
    ...log,
    async exportSpans(tracing) {
      if (tracing.otlpEndpoint === null) return;
      exporter = await openExporter({ ...tracing, otlpEndpoint: tracing.otlpEndpoint }, redactor, log);
      tracer.collectWith({ collect: exporter.collect, sampleRatio: tracing.sampleRatio });
    },
    spanCounts: () => exporter?.counts(),
    async close() {
      await exporter?.close();
      await log.close();
    },
    ...{ redactor, lines: recent.find, tracer },
    openHttpClient: tracedClients(openHttpClient, tracer),
  };
}

async function openExporter(
  tracing: TracingSettings & { readonly otlpEndpoint: string },
  { redact }: Redactor,
  { log }: OpenLog,
): Promise<Exporter> {
  const { caFile, serviceName } = tracing;
  const tls = caFile === null ? {} : { tls: { ca: await readCa(caFile) } };
  return new OtlpExporter(tracing, {
    // Its own requests are no part of any trace.
    client: openHttpClient({ ...tls, connections: 1 }),
    resource: {
      attributes: { 'service.name': serviceName, 'service.version': VERSION, 'host.name': hostname() },
      version: VERSION,
    },
    ...{ redact, log, scheduler: systemScheduler },
  });
}

async function readCa(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new Error(`the file of tracing.caFile cannot be read: ${file}`, { cause });
  }
}
