import { type Agent, request } from 'node:http';
import type { Target } from './target.js';

/** A request to gatehouse. */
interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string;
  /** JSON, or text as it is. */
  readonly body?: object | string;
  /** Own address; by default, the one that the system takes. */
  readonly from?: string;
  readonly agent?: Agent;
  /** Milliseconds after which the caller leaves; one minute by default. */
  readonly patienceMs?: number;
}

export interface Reply {
  /** 0 without a reply. */
  readonly status: number;
  readonly ms: number;
  /** Bytes of the body; `text` has at most the first 64 KiB of them. */
  readonly bytes: number;
  readonly text: string;
}

const KEPT_BYTES = 65_536;
const TIMEOUT_MS = 60_000;

/** Sends one request; never rejects. */
export function ask({ port }: Pick<Target, 'port'>, asked: Request): Promise<Reply> {
  const begun = performance.now();
  const body = typeof asked.body === 'object' ? JSON.stringify(asked.body) : asked.body;
  return new Promise((resolve) => {
    let [bytes, text] = [0, ''];
    const sent = request({
      host: '127.0.0.1',
      port,
      method: asked.method,
      path: asked.path,
      headers: headersOf(asked, body),
      agent: asked.agent ?? false,
      ...(asked.from !== undefined && { localAddress: asked.from }),
    });
    const timer = setTimeout(() => sent.destroy(), asked.patienceMs ?? TIMEOUT_MS);
    const end = (status: number): void => {
      clearTimeout(timer);
      resolve({ status, ms: performance.now() - begun, bytes, text });
    };
    sent.on('response', (response) => {
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (text.length < KEPT_BYTES) text += chunk.toString('latin1');
      });
      response.on('close', () => {
        end(response.complete ? (response.statusCode ?? 0) : 0);
      });
    });
    sent.on('error', () => {
      end(0);
    });
    sent.end(body);
  });
}

function headersOf({ headers, token, body: asked }: Request, body?: string): Record<string, string> {
  return {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(typeof asked === 'object' && { 'content-type': 'application/json' }),
    ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
    ...headers,
  };
}

/** Returns an `Authorization` header with a name and a password. */
export function basic(name: string, password: string): Readonly<Record<string, string>> {
  return { authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` };
}

/** How many callers repeat a request at a time, and when they stop. */
interface RepeatOptions {
  readonly callers: number;
  readonly count: number;
  /** Milliseconds after which no request is begun. */
  readonly mostMs: number;
}

/** Repeats an action until its count or its time is over, or it returns false; resolves to how often it ran. */
export async function repeat(
  { callers, count, mostMs }: RepeatOptions,
  act: (at: number) => Promise<boolean>,
): Promise<number> {
  const end = performance.now() + mostMs;
  let [next, isOver] = [0, false];
  const caller = async (): Promise<void> => {
    while (!isOver && next < count && performance.now() < end) {
      next += 1;
      if (!(await act(next - 1))) isOver = true;
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return next;
}

/** Returns what is wrong with the statuses of a flood: it must get one of those that are needed, and none that is not expected. */
export function wrongStatuses(
  statuses: readonly number[],
  { needed, expected = [] }: { readonly needed: readonly number[]; readonly expected?: readonly number[] },
): readonly string[] {
  const others = new Set(statuses.filter((status) => ![...needed, ...expected].includes(status)));
  return [
    ...[...others].map((status) => `requests of the flood got ${status}`),
    ...(statuses.some((status) => needed.includes(status)) ? [] : [`none got ${needed.join(' or ')}`]),
  ];
}

/** Counts statuses, by status. */
export function countStatuses(statuses: readonly number[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
