import { createServer } from 'node:http';
import { join } from 'node:path';
import { request } from 'undici';
import { listenOnLoopback } from '../loopback.js';
import type { PostgresPair } from '../postgres-pair.js';
import { openTokenSigner } from '../token-issuer.js';
import { until } from '../until.js';
import { Node, type Surroundings } from './node.js';
import { type Seen, startTraffic, type Traffic } from './traffic.js';

interface ClusterRunOptions {
  readonly pair: PostgresPair;
  /** Empty folder. */
  readonly folder: string;
  /** Times that a node is killed, and then the primary. */
  readonly cycles: number;
  /**
   * True makes the primary acknowledge writes that its standby does not have; the run must then find losses.
   */
  readonly isSabotaged?: boolean;
}

/** Results of a run. */
export interface ClusterFigures {
  readonly nodesKilled: number;
  readonly failovers: number;
  readonly callsAnswered: number;
  readonly callsFailed: readonly number[];
  /** In flight on a node that was killed. */
  readonly callsCutOff: number;
  readonly writesAcknowledged: number;
  readonly writesLost: number;
  /** Writes with the reply 503 and `Retry-After`. */
  readonly writesRefused: number;
  readonly writesFailed: readonly number[];
  /** From the promotion to the first write that was acknowledged, in milliseconds. */
  readonly firstWriteMs: readonly number[];
}

/**
 * Runs three nodes on a primary and its standby under load: kills nodes, then primaries, and counts all
 * acknowledged writes.
 */
export async function runCluster(options: ClusterRunOptions): Promise<ClusterFigures> {
  const { pair, folder, cycles } = options;
  const orchestrator = createServer((_request, response) => response.end('{"state":"up"}'));
  const { port, close } = await listenOnLoopback(orchestrator);
  const orchestratorUrl = `http://127.0.0.1:${port}`;
  const surroundings = { folder, storageUrl: pair.url, orchestratorUrl };
  const nodes: Node[] = [];
  try {
    // The first makes the signing key and the tables.
    nodes.push(await Node.open('a', surroundings));
    nodes.push(...(await openTogether(['b', 'c'], surroundings)));
    const token = await issueToken(folder);
    const traffic = startTraffic(nodes, token);
    const run = new Run({ ...options, nodes, traffic, token });
    for (let cycle = 0; cycle < cycles; cycle += 1) await run.cycle(cycle);
    await traffic.stop();
    return await run.figures();
  } finally {
    await Promise.all(nodes.map((node) => node.close()));
    await close();
  }
}

/** Opens nodes in parallel: all of them, or none. */
async function openTogether(names: readonly string[], surroundings: Surroundings): Promise<readonly Node[]> {
  const opened = await Promise.allSettled(names.map((name) => Node.open(name, surroundings)));
  const nodes = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = opened.find((one) => one.status === 'rejected');
  if (!failed) return nodes;
  await Promise.all(nodes.map((node) => node.close()));
  throw failed.reason;
}

/** A token of an administrator, by the key that the nodes in the folder share. */
export async function issueToken(folder: string): Promise<string> {
  const sign = await openTokenSigner(join(folder, 'local-issuer.pem'), { tokenTtlSeconds: 86_400 });
  return sign({ subject: 'ada', roles: ['admin'] });
}

interface RunInput extends ClusterRunOptions {
  readonly nodes: readonly Node[];
  readonly traffic: Traffic;
  /** Of an administrator: the health names services to no other caller. */
  readonly token: string;
}

/** Number of successes before the next step. */
const ENOUGH = 5;

class Run {
  readonly #input: RunInput;
  readonly #seen: Seen;
  readonly #firstWriteMs: number[] = [];
  #nodesKilled = 0;

  constructor(input: RunInput) {
    this.#input = input;
    this.#seen = input.traffic.seen;
  }

  async cycle(number: number): Promise<void> {
    const { nodes } = this.#input;
    await this.#goesOn();
    const victim = nodes[number % nodes.length];
    await victim?.kill();
    this.#nodesKilled += 1;
    await this.#goesOn();
    await victim?.start();
    await this.#goesOn();
    await this.#failOver();
  }

  async #failOver(): Promise<void> {
    const { pair, isSabotaged = false } = this.#input;
    if (isSabotaged) {
      await pair.holdBack();
      await this.#goesOn();
    }
    await pair.killPrimary();
    const { refused } = this.#seen;
    await this.#callsGoOn();
    await comesTrue(() => this.#seen.refused > refused);
    await comesTrue(() => this.#tellOfOutage());
    const promotedAt = performance.now();
    await pair.promote();
    const { length } = this.#seen.acknowledged;
    await comesTrue(() => this.#seen.acknowledged.length > length);
    this.#firstWriteMs.push(Math.round(performance.now() - promotedAt));
    await this.#goesOn();
    await pair.rejoin();
  }

  /** Returns true if the health of every node reports the store as unavailable. */
  async #tellOfOutage(): Promise<boolean> {
    const { nodes, token } = this.#input;
    const headers = { authorization: `Bearer ${token}` };
    const told = await Promise.all(
      nodes.map(async ({ url }) => {
        const reply = await request(`${url}/health/status`, { headers });
        const { services } = (await reply.body.json()) as { services: { service: string; status: string }[] };
        return services.some(({ service, status }) => service === 'store' && status === 'failed');
      }),
    );
    return told.every((one) => one);
  }

  async #goesOn(): Promise<void> {
    const enough = this.#seen.acknowledged.length + ENOUGH;
    await comesTrue(() => this.#seen.acknowledged.length >= enough);
    await this.#callsGoOn();
  }

  async #callsGoOn(): Promise<void> {
    const { calls } = this.#seen;
    const up = this.#input.nodes.filter(({ isUp }) => isUp).map(({ url }) => url);
    const enough = new Map(up.map((url) => [url, (calls.get(url) ?? 0) + ENOUGH]));
    await comesTrue(() => up.every((url) => (calls.get(url) ?? 0) >= (enough.get(url) ?? 0)));
  }

  async figures(): Promise<ClusterFigures> {
    const rows = await this.#input.pair.run('select name from forms');
    const kept = new Set(rows.map(({ name }) => name));
    const { calls, acknowledged, refused, failedCalls, cutOff, oddWrites } = this.#seen;
    return {
      nodesKilled: this.#nodesKilled,
      failovers: this.#firstWriteMs.length,
      callsAnswered: [...calls.values()].reduce((sum, one) => sum + one, 0),
      callsFailed: failedCalls,
      callsCutOff: cutOff,
      writesAcknowledged: acknowledged.length,
      writesLost: acknowledged.filter((name) => !kept.has(name)).length,
      writesRefused: refused,
      writesFailed: oddWrites,
      firstWriteMs: this.#firstWriteMs,
    };
  }
}

/** Waits until the condition is true; fails after a time limit that only a broken cluster exceeds. */
export function comesTrue(isSo: () => boolean | Promise<boolean>): Promise<void> {
  return until(isSo, { timeoutMs: 120_000 });
}
