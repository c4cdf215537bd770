import { Counter, Registry } from 'prom-client';
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
  const all = new Map<string, Series>();
  const seriesOf = (operation: string, adapter: string, hundreds: number): Series => {
    const key = `${hundreds} ${adapter} ${operation}`;
    let series = all.get(key);
    if (!series) all.set(key, (series = new Series({ operation, adapter, class: `${hundreds}xx` })));
    return series;
  };
  return {
    measure({ operation, adapter, status, seconds }) {
      const series = seriesOf(operation, isAdapter(adapter) ? adapter : '', Math.floor(status / 100));
      // Clocks are set back now and then.
      series.add(status, Math.max(0, seconds));
    },
    exposition() {
      for (const [key, { labels }] of all)
        if (labels.adapter !== '' && !isAdapter(labels.adapter)) all.delete(key);
      return expositionOf([...all.values()]);
    },
  };
}

interface Labels {
  readonly operation: string;
  readonly adapter: string;
  readonly class: string;
}

/** Requests of one class. Each call is counted: nothing is made for it, where prom-client would check and join all labels anew. */
class Series {
  readonly labels: Labels;
  /** How many ended with each status. */
  readonly statuses = new Map<number, number>();
  /** How many fell into each bucket alone, and behind the last one. */
  readonly counts: number[] = Array.from({ length: BUCKETS.length + 1 }, () => 0);
  seconds = 0;

  constructor(labels: Labels) {
    this.labels = labels;
  }

  add(status: number, seconds: number): void {
    let at = 0;
    while (at < BUCKETS.length && seconds > (BUCKETS[at] ?? 0)) at += 1;
    this.counts[at] = (this.counts[at] ?? 0) + 1;
    this.seconds += seconds;
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }
}

async function expositionOf(all: readonly Series[]): Promise<string> {
  const registry = new Registry();
  const total = new Counter({
    name: 'gatehouse_requests_total',
    help: 'Requests that were answered, by operation, adapter and status.',
    labelNames: ['operation', 'adapter', 'status'],
    registers: [registry],
  });
  for (const { labels, statuses } of all)
    for (const [status, count] of statuses)
      total.inc({ operation: labels.operation, adapter: labels.adapter, status }, count);
  return [await registry.metrics(), ...DURATION_HEAD, ...all.flatMap(durationLines)].join('\n') + '\n';
}

const DURATION = 'gatehouse_request_duration_seconds';
const DURATION_HEAD = [
  `# HELP ${DURATION} Time from the head of a request to its answer; to the end of both for streams.`,
  `# TYPE ${DURATION} histogram`,
];

/** A histogram as its text: prom-client has no way to take one that was counted elsewhere. */
function durationLines({ labels, counts, seconds }: Series): readonly string[] {
  const shared = Object.entries(labels).map(
    ([name, value]: [string, string]) => `${name}="${escaped(value)}"`,
  );
  let count = 0;
  const buckets = counts.map((one, at) => {
    count += one;
    return `${DURATION}_bucket{le="${BUCKETS[at] ?? '+Inf'}",${shared.join(',')}} ${count}`;
  });
  const end = `{${shared.join(',')}}`;
  return [...buckets, `${DURATION}_sum${end} ${seconds}`, `${DURATION}_count${end} ${count}`];
}

function escaped(value: string): string {
  return value.replace(/[\\"\n]/g, (sign) => (sign === '\n' ? '\\n' : `\\${sign}`));
}
