import { createReadStream, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { keyFileOf, readKeyFile } from '../../src/features/audit/trail/key.js';
import { verifyFiles } from '../../src/features/audit/trail/verify.js';
import { type CallResult, callUrl } from '../../test/support/call.js';
import { Random } from '../../test/support/random.js';
import { type ServerProcess, startServerProcess } from '../server-process.js';
import { waitUntil } from '../wait-until.js';

interface KillPlan {
  readonly folder: string;
  readonly kills: number;
  readonly seed: number;
  /** URL of an orchestrator. */
  readonly orchestrator: string;
  /** True removes the last record from the trail after each kill. */
  readonly forgets: boolean;
}

/** Results of the check. */
interface KillReport {
  readonly kills: number;
  /** Calls with a successful reply before their server was killed. */
  readonly acknowledged: number;
  /** Those of them that an orchestrator answered; the others store forms. */
  readonly actions: number;
  /** Acknowledged calls without a record in the trail. */
  readonly without: number;
  /** First break of the chain; null if the chain is intact. */
  readonly break: string | null;
}

const CALLERS = 8;
/** Maximum lifetime of a server after its first reply, in milliseconds. */
const LIFE_MS = 150;
/** Number of server lives after which a new token is issued. */
const TOKEN_LIVES = 200;

/**
 * Kills a server repeatedly while it answers audited calls, and checks that each acknowledged call has a
 * record.
 */
export async function killAmongCalls(plan: KillPlan): Promise<KillReport> {
  const random = new Random(plan.seed);
  const trail = join(plan.folder, 'data', 'audit.log');
  const acknowledged: Acknowledged[] = [];
  let token = '';
  for (let kill = 0; kill < plan.kills; kill += 1) {
    const server = await startServerProcess({
      folder: plan.folder,
      adapters: { core: `plugin: http-rest\nbaseUrl: ${plan.orchestrator}\n` },
    });
    if (kill % TOKEN_LIVES === 0) token = server.issueToken('admin');
    const calls = startCalls(server, token, `k${kill}`);
    await waitUntil(() => calls.done.length > 0);
    await pause(random.next() * LIFE_MS);
    await server.stop('SIGKILL');
    await calls.ended;
    acknowledged.push(...calls.done);
    if (plan.forgets) forgetLast(trail);
    if ((kill + 1) % 100 === 0) process.stderr.write(`${kill + 1} kills\n`);
  }
  // The next start repairs the line that the last kill tore.
  await (await startServerProcess({ folder: plan.folder })).stop();
  const key = (await readKeyFile(keyFileOf(trail))) ?? '';
  const verdict = await verifyFiles({ files: [trail], key });
  const recorded = await recordedIn(trail);
  return {
    kills: plan.kills,
    acknowledged: acknowledged.length,
    actions: acknowledged.filter(({ isForm }) => !isForm).length,
    without: acknowledged.filter(({ id }) => !recorded.has(id)).length,
    break: verdict.break?.message ?? null,
  };
}

interface Acknowledged {
  readonly id: string;
  readonly isForm: boolean;
}

interface Calls {
  /** The calls with a successful reply so far. */
  readonly done: readonly Acknowledged[];
  /** Resolves after the exit of the server. */
  readonly ended: Promise<unknown>;
}

/** Sends calls without a pause until the server has exited. */
function startCalls(server: ServerProcess, token: string, life: string): Calls {
  const done: Acknowledged[] = [];
  let number = 0;
  const caller = async (): Promise<void> => {
    while (server.child.exitCode === null && server.child.signalCode === null) {
      const id = `${life}-${(number += 1)}`;
      const isForm = number % CALLERS === 0;
      const reply = await change(server.url, { token, id, isForm });
      if (reply?.status === 200 || reply?.status === 201) done.push({ id, isForm });
    }
  };
  return { done, ended: Promise.all(Array.from({ length: CALLERS }, caller)) };
}

interface Change {
  readonly token: string;
  readonly id: string;
  /** True keeps a form; false has an orchestrator do something. */
  readonly isForm: boolean;
}

const ACTION = {
  params: { path: '/config', method: 'POST', accept: 'application/json', contentType: 'application/json' },
  body: {},
};

/** Sends one change; returns undefined if the server exited before its reply. */
function change(url: string, { token, id, isForm }: Change): Promise<CallResult | undefined> {
  const path = isForm ? '/json-forms/forms' : '/orchestrator_manager/restAction/core';
  const body = isForm ? { name: id, struct: {} } : ACTION;
  return callUrl(url + path, { token, body, headers: { 'x-request-id': id } }).catch(() => undefined);
}

function forgetLast(trail: string): void {
  const text = readFileSync(trail, 'latin1');
  const last = text.trimEnd().lastIndexOf('\n');
  if (last > 0) truncateSync(trail, last + 1);
}

async function recordedIn(trail: string): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const line of createInterface({ input: createReadStream(trail) })) {
    // A kill tears only the line that was being written: the chain reports any other damage.
    if (line.endsWith('}')) ids.add((JSON.parse(line) as { readonly requestId: string }).requestId);
  }
  return ids;
}
