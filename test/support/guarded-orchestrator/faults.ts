import type { ServerResponse } from 'node:http';

/** Way in which one request fails. */
export type Fault =
  /** The orchestrator replies with this status, without performing the request. */
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** The connection is reset before the whole request is read. */
  | { readonly resetBefore: true }
  /** The request is performed, and the connection is reset instead of the reply. */
  | { readonly resetAfter: true }
  /** The request is read and never answered. */
  | { readonly hang: true }
  /** The reply is cut short. */
  | { readonly cut: true }
  /** No fault: the request is served. */
  | { readonly none: true };

interface Faults {
  readonly add: (...faults: readonly Fault[]) => void;
  next(): Fault | undefined;
}

export function createFaults(): Faults {
  const waiting: Fault[] = [];
  return {
    add: (...faults) => {
      waiting.push(...faults);
    },
    next: () => waiting.shift(),
  };
}

/** Applies a fault to a request that was read; returns false if the request is to be performed. */
export function actOut(fault: Fault, response: ServerResponse): boolean {
  if ('status' in fault) response.writeHead(fault.status, fault.headers).end(`status ${fault.status}`);
  if ('cut' in fault) {
    response.writeHead(200, { 'content-length': 10 });
    response.write('half', () => response.destroy());
  }
  return 'status' in fault || 'hang' in fault || 'cut' in fault;
}
