import type { Metric } from '../../core/metric.js';
import { exposition } from '../../telemetry/metrics/exposition.js';
import { processExposition } from '../../telemetry/metrics/process-metrics.js';
import type { RequestMeter } from '../../telemetry/metrics/request-meter.js';
import { type Measured, metricsOf } from './platform-metrics.js';
import { serviceMetrics, type DependencyVersions } from './dependency-metrics.js';
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
