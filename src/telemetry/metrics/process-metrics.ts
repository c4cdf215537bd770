import { collectDefaultMetrics, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client';
import type { Distribution, Metric } from '../../core/metric.js';

/** Gauges of prom-client with names of counters, which `promtool check metrics` refuses; each is a sum of another gauge. */
const MISNAMED = [
  'nodejs_active_resources_total',
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
];

let registry: Registry | undefined;

/**
 * Returns metrics of memory, processor time, open files, garbage collection and event loop delay, with the
 * names common to Prometheus clients for Node.js. The first call starts the collectors, once per process,
 * because they cannot be removed.
 */
export async function processMetrics(): Promise<readonly Metric[]> {
  const collected = await openRegistry().getMetricsAsJSON();
  return collected.filter(({ name }) => !MISNAMED.includes(name)).map(metricOf);
}

function openRegistry(): Registry {
  if (!registry) collectDefaultMetrics({ register: (registry = new Registry()) });
  return registry;
}

/** A sample of prom-client; `metricName` is absent for a gauge or a counter. */
type NamedValue = MetricValue<string> & { readonly metricName?: string };

function metricOf({ name, help, type, values }: MetricObjectWithValues<MetricValue<string>>): Metric {
  if (String(type) === 'histogram') return histogramOf({ name, help }, values);
  const samples = values.map(({ labels, value }) => ({ labels: textLabels(labels), value }));
  return { name, help, type: String(type) === 'counter' ? 'counter' : 'gauge', samples };
}

/** Joins the samples of a histogram, whose buckets are cumulative, by their labels. */
function histogramOf({ name, help }: Pick<Metric, 'name' | 'help'>, values: readonly NamedValue[]): Metric {
  const bounds = new Set<number>();
  const bySeries = new Map<string, { labels: Distribution['labels']; totals: number[]; sum: number }>();
  for (const { metricName, labels, value } of values) {
    const { le, ...own } = textLabels(labels);
    const key = JSON.stringify(own);
    const series = bySeries.get(key) ?? { labels: own, totals: [], sum: 0 };
    bySeries.set(key, series);
    if (le !== undefined) series.totals.push(value);
    if (le !== undefined && le !== '+Inf') bounds.add(Number(le));
    if (metricName === `${name}_sum`) series.sum = value;
  }
  const samples = [...bySeries.values()].map(({ labels, totals, sum }) => ({
    labels,
    counts: totals.map((total, at) => total - (totals[at - 1] ?? 0)),
    sum,
  }));
  return { name, help, type: 'histogram', bounds: [...bounds], samples };
}

function textLabels(labels: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).map(([label, value]) => [label, String(value)]));
}
