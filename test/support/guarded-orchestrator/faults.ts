import type { ServerResponse } from 'node:http';

/** Way in which one request fails. */
export type Fault =
  /** Replied with this status, without performing the request. */
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** The connection is reset before the request is read to its end. */
  | { readonly resetBefore: true }
  /** The request is carried out, and the connection reset in the place of the reply. */
  | { readonly resetAfter: true }
  /** The request is read and never answered. */
  | { readonly hang: true }
  /** The reply is cut short. */
  | { readonly cut: true }
  /** No fault: the request is served. */
  | { readonly none: true };

export interface Faults {
  readonly add: (...faults: readonly Fault[]) => void;
  next(): Fault | undefined;
}

/** Creates a queue of faults. */
export function createFaults(): Faults {
  const waiting: Fault[] = [];
  return {
    add: (...faults) => {
      waiting.push(...faults);
    },
    next: () => waiting.shift(),
  };
}

/** Fails a request that was read; false when it is carried out all the same. */
export function actOut(fault: Fault, response: ServerResponse): boolean {
  if ('status' in fault) response.writeHead(fault.status, fault.headers).end(`status ${fault.status}`);
  if ('cut' in fault) {
    response.writeHead(200, { 'content-length': 10 });
    response.write('half', () => response.destroy());
  }
  return 'status' in fault || 'hang' in fault || 'cut' in fault;
}
