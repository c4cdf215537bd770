import type { HttpClient, HttpLimits } from '../../core/http.js';
import type { Log } from '../../core/log.js';
import type { Distribution, Histogram, Metric, Sample, Scalar } from '../../core/metric.js';
import type { Scheduler } from '../../lib/clock.js';
import type { MetricsSettings } from '../../settings/otlp.js';
import {
  encodeAttributes,
  encodeResource,
  encodeScope,
  nanoseconds,
  type OtlpResource,
} from '../otlp/encoding.js';
import { createOtlpSender } from '../otlp/sender.js';

export type ReadMetrics = () => Promise<readonly Metric[]>;

interface ExporterDeps {
  readonly read: ReadMetrics;
  readonly client: HttpClient;
  readonly resource: OtlpResource;
  readonly scheduler: Scheduler;
  readonly log: Log;
}

export interface MetricsExporter {
  /** Sends the metrics once more, within two seconds, and stops. */
  close(): Promise<void>;
}

const METRICS = {
  path: '/v1/metrics',
  failure: 'metrics export failed; the next export has the totals of all that were missed',
} as const;

const SEND_LIMITS = { totalMs: 10_000, replyBytes: 65_536 };
const LAST_SEND_LIMITS = { ...SEND_LIMITS, totalMs: 2_000 };

/**
 * Exports the metrics of `GET /metrics` to an OTLP receiver over HTTP, in JSON, each `intervalSeconds`. Values are
 * cumulative, so that a failed export loses nothing but its moment: the next one has the totals.
 */
export function openMetricsExporter(
  settings: MetricsSettings & { readonly otlpEndpoint: string },
  { read, client, resource, scheduler, log }: ExporterDeps,
): MetricsExporter {
  const sender = createOtlpSender(settings, METRICS, { client, clock: scheduler, log });
  const startedAt = scheduler.now();
  const stopping = new AbortController();
  const exportOnce = async (limits: HttpLimits, signal?: AbortSignal): Promise<void> => {
    try {
      const metrics = await read();
      const period = { startedAt, at: scheduler.now() };
      await sender.send(metricsRequest(metrics, resource, period), limits, signal);
    } catch (error) {
      log.warn(METRICS.failure, { error });
    }
  };
  let cancel = (): void => undefined;
  let running = Promise.resolve();
  const plan = (): void => {
    cancel = scheduler.after(settings.intervalSeconds * 1000, () => {
      running = exportOnce(SEND_LIMITS, stopping.signal).then(plan);
    });
  };
  plan();
  return {
    async close() {
      stopping.abort();
      await running;
      cancel();
      await exportOnce(LAST_SEND_LIMITS);
      await sender.close();
    },
  };
}

/** Period of cumulative values, in milliseconds since 1970. */
interface Period {
  readonly startedAt: number;
  readonly at: number;
}

/** Labels hold no secrets: they are names of operations, adapters, states and files. */
const keep = (text: string): string => text;

/** Returns the body of an export: `ExportMetricsServiceRequest` in the JSON encoding of OTLP 1. */
function metricsRequest(metrics: readonly Metric[], resource: OtlpResource, period: Period): object {
  const encoded = metrics.filter(({ samples }) => samples.length > 0).map((one) => encodeMetric(one, period));
  const scopeMetrics = [{ scope: encodeScope(resource), metrics: encoded }];
  return { resourceMetrics: [{ resource: encodeResource(resource, keep), scopeMetrics }] };
}

/** Aggregation temporality of OTLP: each value counts from the start of the process. */
const CUMULATIVE = 2;

/** Encodes a metric under the name that it has for Prometheus, so that dashboards and alerts work with both. */
function encodeMetric(metric: Metric, period: Period): object {
  const { name, help: description } = metric;
  return { name, description, unit: unitOf(name), ...dataOf(metric, period) };
}

function dataOf(metric: Metric, period: Period): object {
  if (metric.type === 'histogram') {
    const dataPoints = metric.samples.map((one) => encodeDistribution(one, metric, period));
    return { histogram: { dataPoints, aggregationTemporality: CUMULATIVE } };
  }
  const dataPoints = finite(metric).map((sample) => encodeSample(sample, period));
  if (metric.type === 'gauge') return { gauge: { dataPoints } };
  return { sum: { dataPoints, isMonotonic: true, aggregationTemporality: CUMULATIVE } };
}

/** Returns the samples that JSON can encode. */
function finite({ samples }: Scalar): readonly Sample[] {
  return samples.filter(({ value }) => Number.isFinite(value));
}

function encodeSample({ labels, value }: Sample, period: Period): object {
  return { ...pointOf(labels, period), asDouble: value };
}

function encodeDistribution(
  { labels, counts, sum }: Distribution,
  { bounds }: Histogram,
  period: Period,
): object {
  return {
    ...pointOf(labels, period),
    count: String(counts.reduce((total, one) => total + one, 0)),
    sum,
    bucketCounts: counts.map(String),
    explicitBounds: bounds,
  };
}

function pointOf(labels: Sample['labels'], { startedAt, at }: Period): object {
  return {
    attributes: encodeAttributes(labels, keep),
    startTimeUnixNano: nanoseconds(startedAt),
    timeUnixNano: nanoseconds(at),
  };
}

/** Returns the unit by UCUM of a metric whose name ends in its unit. */
function unitOf(name: string): string {
  if (/_seconds(?:_total)?$/.test(name)) return 's';
  return /_bytes(?:_total)?$/.test(name) ? 'By' : '1';
}
