import { hostname } from 'node:os';
import type { PeerQuestions } from '../../core/cluster-events.js';
import type { FindLines } from '../../core/log.js';
import { isJsonObject } from '../../json/json-object.js';
import { parseJson } from '../../json/strict-json.js';
import type { Scheduler } from '../../lib/clock.js';
import type { Monitoring, NodeTrail } from '../console/monitoring.js';
import type { RecentCalls } from './recent-calls.js';

interface TrailInput {
  readonly calls: RecentCalls;
  readonly lines: FindLines;
  /** Removes secrets from a value. */
  readonly redacted: <T>(value: T) => T;
  /** Absent if no other node uses the database. */
  readonly peers: PeerQuestions | undefined;
  readonly clock: Scheduler;
  /** Name of this node. */
  readonly node: string;
}

/** Maximum number of log lines of one request. */
const MAX_LINES = 200;

/** Maximum number of requests with the same id that a node reports to another. */
const MAX_REQUESTS = 21;

/**
 * Creates a function that returns what all nodes know about a request. Each node removes the secrets that it knows from
 * its own answer. Nodes are asked only when a person looks at a request: calls cost nothing more.
 */
export function createRequestTrail({
  calls,
  lines,
  redacted,
  peers,
  clock,
  node,
}: TrailInput): Monitoring['request'] {
  const ownTrail = (requestId: string): NodeTrail => {
    const query = { requestId, level: 'spam', after: 0, most: MAX_LINES } as const;
    return redacted({ node, requests: calls.find(requestId), lines: lines(query).lines });
  };
  peers?.onQuestion((requestId) => {
    const trail = ownTrail(requestId);
    return JSON.stringify({ ...trail, requests: trail.requests.slice(0, MAX_REQUESTS) });
  });
  return async (requestId) => {
    const { answers, silent } = (await peers?.ask(requestId, clock)) ?? { answers: [], silent: 0 };
    const others = answers.flatMap((answer) => trailIn(answer) ?? []);
    return redacted({
      nodes: [ownTrail(requestId), ...others],
      silent: silent + answers.length - others.length,
    });
  };
}

/** Returns the name of this node for people: its host, and the port, because one host may have several nodes. */
export function nodeNameOf(listen: string): string {
  return `${hostname()}:${/\d+$/.exec(listen)?.[0] ?? ''}`;
}

/** Returns the trail in an answer; undefined for that of a version of gatehouse with another form. */
function trailIn(answer: string): NodeTrail | undefined {
  const parsed = parseJson(Buffer.from(answer));
  if (!('value' in parsed) || !isJsonObject(parsed.value)) return undefined;
  const { node, requests, lines } = parsed.value;
  const isTrail = typeof node === 'string' && Array.isArray(requests) && Array.isArray(lines);
  return isTrail ? (parsed.value as unknown as NodeTrail) : undefined;
}
