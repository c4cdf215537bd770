import { exposition } from '../metrics/exposition.js';
import { processExposition } from '../metrics/process-metrics.js';
import type { RequestMeter } from '../metrics/request-meter.js';
import { type Measured, metricsOf } from './metrics-of.js';
import { serviceMetrics, type Underpinnings } from './service-metrics.js';
import { telemetryMetrics, type Tellers } from './telemetry-metrics.js';

interface Exposed extends Measured, Underpinnings, Tellers {
  readonly meter: RequestMeter;
}

/** Everything that is measured, in the text format of Prometheus. */
export async function exposeMetrics(exposed: Exposed): Promise<string> {
  const standing = [...metricsOf(exposed), ...telemetryMetrics(exposed), ...(await serviceMetrics(exposed))];
  const texts = await Promise.all([exposition(standing), exposed.meter.exposition(), processExposition()]);
  return texts.join('');
}
