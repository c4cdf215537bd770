import { collectDefaultMetrics, Registry } from 'prom-client';

let registry: Registry | undefined;

/**
 * Returns metrics of memory, processor time, open files, garbage collection and event loop delay, with the
 * names common to Prometheus clients for Node.js. The first call starts the collectors, once per process,
 * because they cannot be removed.
 */
export function processExposition(): Promise<string> {
  if (!registry) collectDefaultMetrics({ register: (registry = new Registry()) });
  return registry.metrics();
}
