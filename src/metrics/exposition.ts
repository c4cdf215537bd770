import type { Distribution, Histogram, Metric, Sample } from '../domain/metric.js';

/** Measurements as they stand now, in the text format of Prometheus (version 0.0.4). */
export function exposition(metrics: readonly Metric[]): string {
  const lines = metrics.flatMap((metric) => [...headOf(metric), ...samplesOf(metric)]);
  return lines.map((line) => `${line}\n`).join('');
}

function headOf({ name, help, type }: Metric): readonly string[] {
  const told = help.replace(/[\\\n]/g, (sign) => (sign === '\n' ? '\\n' : '\\\\'));
  return [`# HELP ${name} ${told}`, `# TYPE ${name} ${type}`];
}

function samplesOf(metric: Metric): readonly string[] {
  if (metric.type === 'histogram')
    return metric.samples.flatMap((distribution) => bucketsOf(metric, distribution));
  return metric.samples.map(({ labels, value }) => sample(metric.name, labels, value));
}

/** Each bucket is told with all before it. */
function bucketsOf({ name, bounds }: Histogram, { labels, counts, sum }: Distribution): readonly string[] {
  let count = 0;
  const buckets = counts.map((one, at) => {
    count += one;
    return sample(`${name}_bucket`, { le: String(bounds[at] ?? '+Inf'), ...labels }, count);
  });
  return [...buckets, sample(`${name}_sum`, labels, sum), sample(`${name}_count`, labels, count)];
}

function sample(name: string, labels: Sample['labels'], value: number): string {
  const written = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  const set = written.length === 0 ? '' : `{${written.join(',')}}`;
  return `${name}${set} ${numeral(value)}`;
}

function numeral(value: number): string {
  if (Math.abs(value) === Infinity) return value > 0 ? '+Inf' : '-Inf';
  return String(value);
}

function escaped(text: string): string {
  return text.replace(/[\\"\n]/g, (sign) => (sign === '\n' ? '\\n' : `\\${sign}`));
}
