import { Counter, Histogram, Registry } from 'prom-client';
import type { AnsweredRequest } from '../domain/metric.js';

/** Counts requests, for one server. */
export interface RequestMeter {
  readonly measure: (answered: Pick<AnsweredRequest, 'operation' | 'adapter' | 'status' | 'seconds'>) => void;
  /** What was counted so far, in the text format of Prometheus. */
  readonly exposition: () => Promise<string>;
}

/** From what a cache answers to what `timeouts.totalMs` ends, in seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * Makes a meter. Callers can write any adapterId: what `isAdapter` does not know is counted without a name, and the
 * series of an adapter that is gone go with it, so that there are never more series than operations and adapters make.
 */
export function createRequestMeter(isAdapter: (id: string) => boolean): RequestMeter {
  const registry = new Registry();
  const registers = [registry];
  const total = new Counter({
    name: 'gatehouse_requests_total',
    help: 'Requests that were answered, by operation, adapter and status.',
    labelNames: ['operation', 'adapter', 'status'],
    registers,
  });
  const duration = new Histogram({
    name: 'gatehouse_request_duration_seconds',
    help: 'Time from the head of a request to its answer; to the end of both for streams.',
    labelNames: ['operation', 'adapter', 'class'],
    buckets: BUCKETS,
    registers,
  });
  const forgetTheGone = async (): Promise<void> => {
    const isGone = ({ adapter = '' }: Labels): boolean => adapter !== '' && !isAdapter(String(adapter));
    const { values } = await total.get();
    for (const { labels } of values.filter((one) => isGone(one.labels))) {
      const { operation = '', adapter = '', status = '' } = labels;
      total.remove(labels);
      duration.remove({ operation, adapter, class: classOf(status) });
    }
  };
  return {
    measure({ operation, adapter, status, seconds }) {
      const labels = { operation, adapter: isAdapter(adapter) ? adapter : '' };
      total.inc({ ...labels, status });
      // Clocks are set back now and then.
      duration.observe({ ...labels, class: classOf(status) }, Math.max(0, seconds));
    },
    async exposition() {
      await forgetTheGone();
      return registry.metrics();
    },
  };
}

type Labels = Partial<Record<string, string | number>>;

function classOf(status: string | number): string {
  return `${String(status).slice(0, 1)}xx`;
}
