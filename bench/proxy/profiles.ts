/** One call of the bench, independent of the contender; each contender's endpoint translates it. */
export interface Call {
  readonly operation: 'action' | 'query';
  /** On the upstream. */
  readonly path: string;
}

/** Calls that are sent to every contender repeatedly. */
export interface Profile {
  readonly name: string;
  readonly says: string;
  /** Calls that are sent in turn. */
  readonly calls: readonly Call[];
  /** Number of different tokens, used in turn. */
  readonly callers: number;
  readonly connections: number;
}

/** Replies of the upstream by path. */
export const REPLIES: Readonly<Record<string, { readonly status: number; readonly body: string }>> = {
  '/small': { status: 200, body: documentOf(1024) },
  '/slow': { status: 200, body: documentOf(1024) },
  '/large': { status: 200, body: documentOf(200 * 1024) },
  '/huge': { status: 200, body: 'x'.repeat(20 * 1024 * 1024) },
  '/busy': { status: 503, body: '{"error":"busy"}' },
};

/** Delay of `/slow` in milliseconds. */
export const SLOW_MS = 50;

/** A path without a reply for this number of milliseconds. */
export const HANG = { path: '/hang', ms: 10_000 } as const;

const SMALL: Call = { operation: 'action', path: '/small' };
const BUSY: Call = { operation: 'action', path: '/busy' };

/** The profiles, in the order in which they are run. */
export const PROFILES: readonly Profile[] = [
  { name: 'action', says: '1 KB reply', calls: [SMALL], callers: 1, connections: 32 },
  {
    name: 'query',
    says: '200 KB reply',
    calls: [{ operation: 'query', path: '/large' }],
    callers: 1,
    connections: 32,
  },
  { name: 'tokens', says: '256 tokens in turn', calls: [SMALL], callers: 256, connections: 32 },
  {
    name: 'slow',
    says: `upstream takes ${SLOW_MS} ms`,
    calls: [{ operation: 'action', path: '/slow' }],
    callers: 1,
    connections: 64,
  },
  {
    name: 'errors',
    says: '5 % of the replies are 503',
    calls: [...Array.from({ length: 19 }, () => SMALL), BUSY],
    callers: 1,
    connections: 32,
  },
];

/** A JSON document of this many bytes. */
function documentOf(bytes: number): string {
  const entry = (at: number) => `{"name":"interface-${at}","enabled":true,"mtu":1500}`;
  const entries: string[] = [];
  for (let size = 64; size < bytes; size += entry(entries.length).length + 1)
    entries.push(entry(entries.length));
  const bare = `{"list":[${entries.slice(0, -1).join(',')}],"filler":""}`;
  return bare.replace('""}', `"${'x'.repeat(bytes - bare.length)}"}`);
}
