import { Counter, Gauge, Registry } from 'prom-client';
import type { Metric } from '../domain/metric.js';

/** Measurements as they stand now, in the text format of Prometheus. */
export function exposition(metrics: readonly Metric[]): Promise<string> {
  const registry = new Registry();
  for (const metric of metrics) register(metric, registry);
  return registry.metrics();
}

function register({ name, help, type, samples }: Metric, registry: Registry): void {
  const labelNames = [...new Set(samples.flatMap(({ labels }) => Object.keys(labels)))];
  const options = { name, help, labelNames, registers: [registry] };
  if (type === 'counter') {
    const counter = new Counter(options);
    for (const { labels, value } of samples) counter.inc({ ...labels }, value);
  } else {
    const gauge = new Gauge(options);
    // It begins at 0 where it has no labels, which would be a measurement that nobody made.
    if (samples.length === 0) gauge.remove({});
    for (const { labels, value } of samples) gauge.set({ ...labels }, value);
  }
}
