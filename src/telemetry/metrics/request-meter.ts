import {
  type AnsweredRequest,
  counter,
  type Distribution,
  type Metric,
  type Sample,
} from '../../core/metric.js';
import { MCP_PATH } from '../../settings/mcp.js';

type MeasuredRequest = Pick<AnsweredRequest, 'operation' | 'adapter' | 'status' | 'seconds'> &
  Partial<Pick<AnsweredRequest, 'path'>>;

/** Counts requests, for one server. */
export interface RequestMeter {
  readonly measure: (answered: MeasuredRequest) => void;
  readonly metrics: () => readonly Metric[];
}

/** Bucket bounds in seconds, from replies of a cache up to `timeouts.totalMs`. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * Creates a meter. Requests can contain any adapterId: ids that `isAdapter` rejects are counted without a
 * name, and the series of removed adapters are deleted. The number of series is therefore limited by
 * operations and adapters.
 */
export function createRequestMeter(isAdapter: (id: string) => boolean): RequestMeter {
  // By adapter and operation. One map by a joined key would create and hash a text for each request.
  const all = new Map<string, Map<string, OperationSeries>>();
  const toolCalls = new ToolCalls();
  return {
    measure({ operation, adapter, status, seconds, path }) {
      if (operation !== '' && path?.startsWith(TOOL_CALL)) toolCalls.add(operation, status);
      const name = isAdapter(adapter) ? adapter : '';
      let operations = all.get(name);
      if (!operations) all.set(name, (operations = new Map<string, OperationSeries>()));
      let series = operations.get(operation);
      if (!series) operations.set(operation, (series = new OperationSeries(operation, name)));
      // The duration is negative if the clock was set back.
      series.of(status).add(status, Math.max(0, seconds));
    },
    metrics() {
      for (const adapter of all.keys()) if (adapter !== '' && !isAdapter(adapter)) all.delete(adapter);
      const series = [...all.values()].flatMap((operations) =>
        [...operations.values()].flatMap((one) => one.all()),
      );
      return [...metricsOf(series), toolCalls.metric()];
    },
  };
}

/** The series of an operation with an adapter, by class of status. */
class OperationSeries {
  readonly #operation: string;
  readonly #adapter: string;
  readonly #byClass = new Map<number, Series>();

  constructor(operation: string, adapter: string) {
    this.#operation = operation;
    this.#adapter = adapter;
  }

  of(status: number): Series {
    const hundreds = Math.floor(status / 100);
    let series = this.#byClass.get(hundreds);
    if (!series) {
      series = new Series({ operation: this.#operation, adapter: this.#adapter, class: `${hundreds}xx` });
      this.#byClass.set(hundreds, series);
    }
    return series;
  }

  all(): readonly Series[] {
    return [...this.#byClass.values()];
  }
}

const TOOL_CALL = `${MCP_PATH}/`;

/** Counter of the requests that agents sent as tool calls. */
class ToolCalls {
  readonly #counts = new Map<string, Map<number, number>>();

  add(operation: string, status: number): void {
    const statuses = this.#counts.get(operation) ?? new Map<number, number>();
    this.#counts.set(operation, statuses.set(status, (statuses.get(status) ?? 0) + 1));
  }

  metric(): Metric {
    const samples = [...this.#counts].flatMap(([operation, statuses]) =>
      [...statuses].map(([status, value]) => ({ labels: { operation, status: String(status) }, value })),
    );
    return counter(
      'gatehouse_tool_calls_total',
      'Tool calls of agents, by operation and status; gatehouse_requests_total counts them as well.',
      samples,
    );
  }
}

interface Labels {
  readonly operation: string;
  readonly adapter: string;
  readonly class: string;
}

/**
 * Counters of one class of requests. Counting allocates nothing, whereas a metrics package would check and
 * join all labels for each call.
 */
class Series {
  readonly labels: Labels;
  readonly statuses = new Map<number, number>();
  /** Number of requests in each bucket (not cumulative), and above the last bound. */
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

function metricsOf(all: readonly Series[]): readonly Metric[] {
  return [
    counter(
      'gatehouse_requests_total',
      'Answered requests, by operation (empty: no operation was found), adapter and status (499: the client left).',
      all.flatMap(totalsOf),
    ),
    {
      name: 'gatehouse_request_duration_seconds',
      help: 'Time from the headers of a request to its response, or to the end of a stream, by class of the status such as 2xx.',
      type: 'histogram',
      bounds: BUCKETS,
      samples: all.map(distributionOf),
    },
  ];
}

function totalsOf({ labels: { operation, adapter }, statuses }: Series): readonly Sample[] {
  return [...statuses].map(([status, value]) => ({
    labels: { operation, adapter, status: String(status) },
    value,
  }));
}

function distributionOf({ labels, counts, seconds }: Series): Distribution {
  return { labels: { ...labels }, counts, sum: seconds };
}
