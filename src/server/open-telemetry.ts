import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { HttpClient, OpenHttpClient } from '../core/http.js';
import type { FindLines, Log } from '../core/log.js';
import type { Redactor } from '../core/secret.js';
import { monotonic, type Scheduler, systemScheduler } from '../lib/clock.js';
import { maskText } from '../lib/mask-text.js';
import { VERSION } from '../lib/version.js';
import type { LogSettings } from '../settings/log.js';
import type { OtlpSettings, TracingSettings } from '../settings/otlp.js';
import type { Settings } from '../settings/settings.js';
import { type OpenLog, openLog } from '../telemetry/log/open-log.js';
import { createRecentLines, idsOfProcess } from '../telemetry/log/recent-lines.js';
import { createRedactor } from '../telemetry/log/redactor.js';
import {
  type MetricsExporter,
  openMetricsExporter,
  type ReadMetrics,
} from '../telemetry/metrics/otlp-exporter.js';
import type { OtlpResource } from '../telemetry/otlp/encoding.js';
import { type Exporter, OtlpExporter, type SpanCounts } from '../telemetry/trace/exporter.js';
import { createTracer, type OpenTracer } from '../telemetry/trace/tracer.js';
import { openHttpClient } from '../upstream/client.js';
import { tracedClients } from '../upstream/with-tracing.js';
import { ALONE, type Siblings } from './workers/siblings.js';

/** The log and the traces of a process. */
export interface Telemetry extends OpenLog, Omit<Tracing, 'close'> {
  /** Masks secrets in the log and in spans. */
  readonly redactor: Redactor;
  /** Finds lines among the latest lines of the log. */
  readonly lines: FindLines;
  /** Starts to export these metrics, if the settings name an endpoint. */
  readonly exportMetrics: (settings: Settings, read: ReadMetrics) => Promise<MetricsExporter>;
}

interface TelemetryOptions {
  readonly clock: Scheduler;
  /** Receives the log lines; stdout when absent. */
  readonly stream?: NodeJS.WritableStream | undefined;
  /** Identifies the lines of this process among those of its siblings; absent: there are none. */
  readonly siblings?: Siblings;
}

/**
 * Opens the log and a tracer that collects nothing before `exportSpans`. The redactor masks the secrets that it knows in
 * every line.
 */
export function openTelemetry(
  settings: LogSettings,
  { clock, stream, siblings = ALONE }: TelemetryOptions,
): Telemetry {
  const redactor = createRedactor(monotonic(clock));
  const { fields, chain, processes } = siblings;
  const recent = createRecentLines(processes > 1 ? idsOfProcess(clock, chain) : undefined);
  const log = openLog(settings, { redactor, keep: recent.keep, ...(stream && { stream }), fields });
  const tracing = openTracing({ redactor, log: log.log });
  return {
    ...log,
    ...tracing,
    redactor,
    lines: recent.find,
    async exportMetrics({ metrics, tracing: { serviceName } }, read) {
      const { otlpEndpoint } = metrics;
      if (otlpEndpoint === null) return { close: () => Promise.resolve() };
      const client = await openReceiverClient(metrics);
      const resource = resourceOf(serviceName);
      return openMetricsExporter(
        { ...metrics, otlpEndpoint },
        { read, client, resource, scheduler: clock, log: log.log },
      );
    },
    async close() {
      await tracing.close();
      await log.close();
    },
  };
}

/** The traces of one process. */
interface Tracing {
  readonly tracer: OpenTracer;
  /** Starts to export spans, if the settings name an endpoint. */
  readonly exportSpans: (settings: TracingSettings) => Promise<void>;
  /** Counts exported and dropped spans; undefined if no spans are exported. */
  readonly spanCounts: () => SpanCounts | undefined;
  /** Opens HTTP clients whose requests are part of a trace. */
  readonly openHttpClient: OpenHttpClient;
  /** Exports the remaining spans. */
  close(): Promise<void>;
}

interface TracingDeps {
  /** Masks secrets in spans. */
  readonly redactor: Redactor;
  /** Receives failures of the export. */
  readonly log: Log;
}

/** Opens a tracer that collects nothing before `exportSpans`. */
function openTracing(deps: TracingDeps): Tracing {
  const tracer = createTracer();
  let exporter: Exporter | undefined;
  return {
    tracer,
    async exportSpans(tracing) {
      if (tracing.otlpEndpoint === null) return;
      exporter = await openExporter({ ...tracing, otlpEndpoint: tracing.otlpEndpoint }, deps);
      tracer.collectWith({ collect: exporter.collect, sampleRatio: tracing.sampleRatio });
    },
    spanCounts: () => exporter?.counts(),
    openHttpClient: tracedClients(openHttpClient, tracer),
    async close() {
      await exporter?.close();
    },
  };
}

async function openExporter(
  tracing: TracingSettings & { readonly otlpEndpoint: string },
  { redactor, log }: TracingDeps,
): Promise<Exporter> {
  return new OtlpExporter(tracing, {
    client: await openReceiverClient(tracing),
    resource: resourceOf(tracing.serviceName),
    // As in the log: known secrets are masked first, then text that has the format of a secret.
    redact: (text) => maskText(redactor.redact(text)),
    log,
    scheduler: systemScheduler,
  });
}

/** Identifies this process, so that the nodes of a cluster and the workers of a node are told apart. */
const INSTANCE_ID = crypto.randomUUID();

/** Returns the source of spans and metrics (OpenTelemetry semantic conventions for resources). */
function resourceOf(serviceName: string): OtlpResource {
  return {
    attributes: {
      'service.name': serviceName,
      'service.version': VERSION,
      'service.instance.id': INSTANCE_ID,
      'host.name': hostname(),
      'process.pid': process.pid,
    },
    version: VERSION,
  };
}

/** Opens the client of a receiver. Its requests are not traced. */
async function openReceiverClient({ caFile }: OtlpSettings): Promise<HttpClient> {
  const tls = caFile === null ? {} : { tls: { ca: await readCa(caFile) } };
  return openHttpClient({ ...tls, connections: 1 });
}

async function readCa(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new Error(`the CA file of the OTLP receiver cannot be read: ${file}`, { cause });
  }
}
