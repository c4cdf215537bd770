import { Agent, request } from 'node:http';

/** One adapter under load through gatehouse, from this process. */
export interface Load {
  /** Calls so far, and the statuses of those that were not 200. */
  readonly counts: { answered: number; readonly failures: Map<number, number> };
  /** Milliseconds of each call. */
  readonly times: number[];
  /** Resolves when the callers have had their last answers. */
  stop(): Promise<void>;
}

interface LoadInput {
  /** Of gatehouse. */
  readonly url: string;
  readonly token: string;
  readonly adapterId: string;
  readonly path: string;
  readonly callers: number;
}

/** Calls a query again and again, each caller one at a time over a connection of its own. */
export function startLoad({ url, token, adapterId, path, callers }: LoadInput): Load {
  const body = JSON.stringify({ params: { path, accept: 'application/yang-data+json' } });
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  const counts: Load['counts'] = { answered: 0, failures: new Map() };
  const times: number[] = [];
  let busy = true;
  const call = (): Promise<number> =>
    new Promise((resolve) => {
      const sent = request(
        `${url}/orchestrator_manager/restQuery/${adapterId}`,
        {
          method: 'POST',
          agent,
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
          },
        },
        (response) => {
          response.resume();
          response.on('close', () => {
            resolve(response.complete ? (response.statusCode ?? 0) : 0);
          });
        },
      );
      sent.on('error', () => {
        resolve(0);
      });
      sent.end(body);
    });
  const caller = async (): Promise<void> => {
    while (busy) {
      const begun = performance.now();
      const status = await call();
      times.push(performance.now() - begun);
      counts.answered += 1;
      if (status !== 200) counts.failures.set(status, (counts.failures.get(status) ?? 0) + 1);
    }
  };
  const running = Array.from({ length: callers }, caller);
  return {
    counts,
    times,
    async stop() {
      busy = false;
      await Promise.all(running);
      agent.destroy();
    },
  };
}

/** The value below which so many in a hundred are; NaN of none. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? NaN;
}
