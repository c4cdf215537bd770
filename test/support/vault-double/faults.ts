import type { ServerResponse } from 'node:http';

/** A failure of one request, instead of or before its reply. */
interface DoubleFault {
  /** Selects the request; absent: the next one. Paths are below `/v1/`. */
  readonly match?: (request: { readonly method: string; readonly path: string }) => boolean;
  /** How many requests; 1 when absent. */
  readonly times?: number;
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends one byte at this interval in milliseconds, without end. */
  readonly dripMs?: number;
  /** Never answers. */
  readonly hang?: true;
  /** Ends the connection without a reply. */
  readonly reset?: true;
  /** Sends this text as an HTML page with status 200. */
  readonly html?: string;
  /** Sends half of a JSON text as if it were complete. */
  readonly truncate?: true;
  /** Answers 307 to this origin, with the path of the request. */
  readonly redirectTo?: string;
}

/** Pending faults, in order. */
export interface FaultQueue {
  next(fault: DoubleFault): void;
  /** Forgets the faults that no request has had, for example because it ended before it arrived. */
  clear(): void;
  take(request: { readonly method: string; readonly path: string }): DoubleFault | undefined;
}

export function createFaultQueue(): FaultQueue {
  const waiting: { readonly fault: DoubleFault; left: number }[] = [];
  return {
    next: (fault) => waiting.push({ fault, left: fault.times ?? 1 }),
    clear: () => {
      waiting.length = 0;
    },
    take: (request) => {
      const entry = waiting.find(({ fault }) => fault.match?.(request) ?? true);
      if (!entry) return undefined;
      entry.left -= 1;
      if (entry.left === 0) waiting.splice(waiting.indexOf(entry), 1);
      return entry.fault;
    },
  };
}

/** Plays a fault; returns false if the request must still be answered. */
export function playFault(fault: DoubleFault, target: string, response: ServerResponse): boolean {
  if (fault.hang) return true;
  if (fault.reset) {
    response.socket?.destroy();
  } else if (fault.dripMs !== undefined) {
    drip(response, fault.dripMs);
  } else {
    const reply = falseReply(fault, target);
    if (!reply) return false;
    response.writeHead(reply.status, reply.headers).end(reply.text);
  }
  return true;
}

interface FalseReply {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly text?: string;
}

function falseReply(fault: DoubleFault, target: string): FalseReply | undefined {
  const { redirectTo, html, truncate, status, headers, body } = fault;
  if (redirectTo !== undefined) return { status: 307, headers: { location: `${redirectTo}${target}` } };
  if (html !== undefined) return { status: 200, headers: { 'content-type': 'text/html' }, text: html };
  if (truncate) return { status: 200, text: '{"request_id":"1","data":{"da' };
  if (status === undefined) return undefined;
  return { status, headers: { ...headers }, text: body === undefined ? '' : JSON.stringify(body) };
}

function drip(response: ServerResponse, everyMs: number): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), everyMs);
  response.on('close', () => {
    clearInterval(timer);
  });
}
