import type { Distribution, Histogram, Metric, Sample } from '../../core/metric.js';

/** Formats metrics in the text format of Prometheus (version 0.0.4). */
export function exposition(metrics: readonly Metric[]): string {
  const lines = metrics.flatMap((metric) => [...headOf(metric), ...samplesOf(metric)]);
  return [...lines, ''].join('\n');
}

function headOf({ name, help, type }: Metric): readonly string[] {
  const text = help.replace(/[\\\n]/g, (sign) => (sign === '\n' ? '\\n' : '\\\\'));
  return [`# HELP ${name} ${text}`, `# TYPE ${name} ${type}`];
}

function samplesOf(metric: Metric): readonly string[] {
  if (metric.type === 'histogram')
    return metric.samples.flatMap((distribution) => bucketsOf(metric, distribution));
  return metric.samples.map(
    ({ labels, value }) => `${metric.name}${inBraces(labelText(labels))} ${numberText(value)}`,
  );
}

/** Returns the cumulative buckets, the sum and the count of a histogram. */
function bucketsOf({ name, bounds }: Histogram, { labels, counts, sum }: Distribution): readonly string[] {
  const own = labelText(labels);
  const rest = own === '' ? '' : `,${own}`;
  let count = 0;
  const buckets = counts.map((one, at) => {
    count += one;
    return `${name}_bucket{le="${bounds[at] ?? '+Inf'}"${rest}} ${count}`;
  });
  const set = inBraces(own);
  return [...buckets, `${name}_sum${set} ${numberText(sum)}`, `${name}_count${set} ${count}`];
}

function labelText(labels: Sample['labels']): string {
  return Object.entries(labels)
    .map(([label, text]) => `${label}="${escapeLabel(text)}"`)
    .join(',');
}

function inBraces(labels: string): string {
  return labels === '' ? '' : `{${labels}}`;
}

function numberText(value: number): string {
  if (Math.abs(value) === Infinity) return value > 0 ? '+Inf' : '-Inf';
  return String(value);
}

function escapeLabel(text: string): string {
  return text.replace(/[\\"\n]/g, (sign) => (sign === '\n' ? '\\n' : `\\${sign}`));
}
