import type { Metric } from '../domain/metric.js';
import { exposition } from '../metrics/exposition.js';
import { processExposition } from '../metrics/process-metrics.js';
import type { RequestMeter } from '../metrics/request-meter.js';
import { type Measured, metricsOf } from './metrics-of.js';
import { serviceMetrics, type DependencyVersions } from './service-metrics.js';
import { telemetryMetrics, type StatsSources } from './telemetry-metrics.js';

interface Exposed extends Measured, DependencyVersions, StatsSources {
  readonly meter: Pick<RequestMeter, 'metrics'>;
  /** The processes beside this one. */
  readonly workers: { readonly metrics: () => readonly Metric[] };
}

/** Everything that is measured, in the text format of Prometheus. */
export async function exposeMetrics(exposed: Exposed): Promise<string> {
  const [services, ofProcess] = await Promise.all([serviceMetrics(exposed), processExposition()]);
  const { meter, workers } = exposed;
  const own = [...metricsOf(exposed), ...meter.metrics(), ...workers.metrics(), ...telemetryMetrics(exposed)];
  return exposition([...own, ...services]) + ofProcess;
}
