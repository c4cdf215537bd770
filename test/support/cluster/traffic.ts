import { setTimeout } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Node } from './node.js';

/** Results that the callers of a cluster observed. */
export interface Seen {
  /** Calls through an adapter with the reply 200, by the URL of the node. */
  readonly calls: Map<string, number>;
  /** Statuses of failed calls on live nodes; 0 without a reply. */
  readonly failedCalls: number[];
  /** Calls that were in flight on a node when the node was killed. */
  cutOff: number;
  /** Names of the forms that the cluster has acknowledged. */
  readonly acknowledged: string[];
  /** Writes with the reply 503 and `Retry-After`. */
  refused: number;
  /** Statuses of other answers to writes, from nodes that lived. */
  readonly oddWrites: number[];
}

export interface Traffic {
  readonly seen: Seen;
  /** Resolves when every caller has received its last reply. */
  stop(): Promise<void>;
}

/** Pause of a caller between two calls, in milliseconds: starting nodes need the CPU time. */
const PAUSE_MS = 40;

/**
 * Starts two callers for each node: one sends calls through an adapter, the other writes forms, each
 * sequentially.
 */
export function startTraffic(nodes: readonly Node[], token: string): Traffic {
  const agent = new Agent({ pipelining: 0, headersTimeout: 60_000 });
  const seen: Seen = {
    calls: new Map(),
    failedCalls: [],
    cutOff: 0,
    acknowledged: [],
    refused: 0,
    oddWrites: [],
  };
  let isBusy = true;
  let count = 0;

  async function post(url: string, body: unknown): Promise<{ status: number; retryAfter: unknown }> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    try {
      const options = { method: 'POST', headers, body: JSON.stringify(body), dispatcher: agent } as const;
      const reply = await request(url, options);
      await reply.body.dump();
      return { status: reply.statusCode, retryAfter: reply.headers['retry-after'] };
    } catch {
      return { status: 0, retryAfter: undefined };
    }
  }

  async function call(node: Node): Promise<void> {
    const { life } = node;
    const params = { path: '/state', accept: 'application/json' };
    const { status } = await post(`${node.url}/orchestrator_manager/restQuery/core1`, { params });
    if (status === 200) seen.calls.set(node.url, (seen.calls.get(node.url) ?? 0) + 1);
    else if (!node.isUp || node.life !== life) seen.cutOff += 1;
    else seen.failedCalls.push(status);
  }

  async function write(node: Node): Promise<void> {
    const { life } = node;
    const name = `form ${(count += 1)}`;
    const { status, retryAfter } = await post(`${node.url}/json-forms/forms`, { name });
    if (status === 200) seen.acknowledged.push(name);
    else if (status === 503 && retryAfter !== undefined) seen.refused += 1;
    else if (node.isUp && node.life === life) seen.oddWrites.push(status);
  }

  async function caller(node: Node, act: (node: Node) => Promise<void>): Promise<void> {
    while (isBusy) {
      if (node.isUp) await act(node);
      await setTimeout(PAUSE_MS);
    }
  }

  const running = nodes.flatMap((node) => [caller(node, call), caller(node, write)]);
  return {
    seen,
    async stop() {
      isBusy = false;
      await Promise.all(running);
      await agent.close();
    },
  };
}
