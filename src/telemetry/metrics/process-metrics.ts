import { collectDefaultMetrics, Registry } from 'prom-client';

let registry: Registry | undefined;

/**
 * Memory, processor time, open files, garbage collection and delay of the event loop, under the names that Prometheus
 * clients for Node.js share. The first call begins to watch, once for the process: the watchers cannot be taken down.
 */
export function processExposition(): Promise<string> {
  if (!registry) collectDefaultMetrics({ register: (registry = new Registry()) });
  return registry.metrics();
}
