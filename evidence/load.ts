import { Agent, request } from 'node:http';
import { ask, Connection } from '../bench/proxy/connection.js';

/** One adapter under load through gatehouse, generated in this process. */
export interface Load {
  /** Calls so far, and the statuses of those that were not 200. */
  readonly counts: { answered: number; readonly failures: Map<number, number> };
  /** Milliseconds of each call. */
  readonly times: number[];
  /** Resolves when the callers have received their last replies. */
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

/** Repeats a query; each caller sends one query at a time over its own connection. */
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

/** Returns the number of calls so far that were not answered with 200. */
export function failedOf({ failures }: Load['counts']): number {
  return [...failures.values()].reduce((sum, count) => sum + count, 0);
}

/** Returns the bytes of such a query. */
export function queryBytes({
  token,
  adapterId,
  path,
}: Pick<LoadInput, 'token' | 'adapterId' | 'path'>): Buffer {
  const body = JSON.stringify({ params: { path, accept: 'application/json' } });
  const head = [
    `POST /orchestrator_manager/restQuery/${adapterId} HTTP/1.1`,
    'Host: gatehouse',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}

interface WireLoadInput {
  readonly port: number;
  readonly request: Buffer;
  readonly callers: number;
}

/**
 * Repeats these bytes; each caller sends one request at a time over its own connection. It needs less CPU
 * time than `startLoad` and leaves more to gatehouse. The status of a call without a reply is 0.
 */
export function startWireLoad({ port, request, callers }: WireLoadInput): Omit<Load, 'times'> {
  const counts: Load['counts'] = { answered: 0, failures: new Map() };
  let busy = true;
  const caller = async (): Promise<void> => {
    const connection = new Connection(port);
    while (busy) {
      const status = await ask(connection, request);
      counts.answered += 1;
      if (status !== 200) counts.failures.set(status, (counts.failures.get(status) ?? 0) + 1);
    }
    connection.end();
  };
  const running = Array.from({ length: callers }, caller);
  return {
    counts,
    async stop() {
      busy = false;
      await Promise.all(running);
    },
  };
}

/** Returns a percentile of the values; NaN without values. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? NaN;
}
