import type { VaultCall, VaultTransport } from './transport.js';
import { VaultError } from './vault-error.js';

/** Number of requests to Vault with the same operation and result. */
export interface RequestCount {
  /** Kind of operation; never a path. */
  readonly op: 'login' | 'token' | 'lease' | 'wrapping' | 'mount' | 'read' | 'write';
  /** Status of the reply, or the code of the failure if there was no reply. */
  readonly code: string;
  readonly count: number;
}

/** A transport and its request counts. */
export interface CountedTransport {
  readonly transport: VaultTransport;
  readonly counts: () => readonly RequestCount[];
}

const OPS: readonly (readonly [RegExp, RequestCount['op']])[] = [
  [/^\/v1\/auth\/token\//, 'token'],
  [/^\/v1\/auth\/.+\/login$/, 'login'],
  [/^\/v1\/sys\/leases\//, 'lease'],
  [/^\/v1\/sys\/wrapping\//, 'wrapping'],
  [/^\/v1\/sys\/internal\/ui\/mounts\//, 'mount'],
];

/** Wraps a transport to count each attempt, including retries. */
export function countRequests(inner: VaultTransport): CountedTransport {
  const counts = new Map<string, RequestCount>();
  const add = ({ method, uri }: VaultCall, code: string): void => {
    const op = opOf(method, new URL(uri).pathname);
    const key = `${op} ${code}`;
    counts.set(key, { op, code, count: (counts.get(key)?.count ?? 0) + 1 });
  };
  return {
    counts: () => [...counts.values()],
    transport: async (call) => {
      try {
        const answer = await inner(call);
        add(call, String(answer.statusCode));
        return answer;
      } catch (error) {
        add(call, codeOf(error));
        throw error;
      }
    },
  };
}

function opOf(method: string, path: string): RequestCount['op'] {
  const known = OPS.find(([pattern]) => pattern.test(path))?.[1];
  return known ?? (method === 'GET' ? 'read' : 'write');
}

function codeOf(error: unknown): string {
  if (!(error instanceof VaultError)) return 'unknown';
  return error.facts.status === undefined ? error.code : String(error.facts.status);
}
