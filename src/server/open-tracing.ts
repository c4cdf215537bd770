import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { systemScheduler } from '../core/lib/clock.js';
import type { OpenHttpClient } from '../core/http.js';
import type { Log } from '../core/log.js';
import type { Redactor } from '../core/redactor.js';
import type { TracingSettings } from '../core/tracing-settings.js';
import { maskText } from '../telemetry/log/redact-text.js';
import { type Exporter, OtlpExporter, type SpanCounts } from '../telemetry/trace/exporter.js';
import { createTracer, type OpenTracer } from '../telemetry/trace/tracer.js';
import { openHttpClient } from '../upstream/client.js';
import { tracedClients } from '../upstream/with-tracing.js';
import { VERSION } from './version.js';

/** The traces of one process. */
export interface Tracing {
  readonly tracer: OpenTracer;
  /** Begins to send spans, where the settings say where to. */
  readonly exportSpans: (settings: TracingSettings) => Promise<void>;
  /** Absent where no spans are sent. */
  readonly spanCounts: () => SpanCounts | undefined;
  /** Opens clients whose requests have their place in a trace. */
  readonly openHttpClient: OpenHttpClient;
  /** Sends what is left. */
  close(): Promise<void>;
}

/** What may be told of failures, and where. */
interface TracingDeps {
  readonly redactor: Redactor;
  readonly log: Log;
}

/** Opens a tracer that collects nothing yet. */
export function openTracing(deps: TracingDeps): Tracing {
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
  const { caFile, serviceName } = tracing;
  const tls = caFile === null ? {} : { tls: { ca: await readCa(caFile) } };
  return new OtlpExporter(tracing, {
    // Its own requests are no part of any trace.
    client: openHttpClient({ ...tls, connections: 1 }),
    resource: {
      attributes: { 'service.name': serviceName, 'service.version': VERSION, 'host.name': hostname() },
      version: VERSION,
    },
    // As for the log: by value first, then by look.
    redact: (text) => maskText(redactor.redact(text)),
    log,
    scheduler: systemScheduler,
  });
}

async function readCa(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new Error(`the file of tracing.caFile cannot be read: ${file}`, { cause });
  }
}
