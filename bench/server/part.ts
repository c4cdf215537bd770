import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../test/support/free-port.js';
import type { TestIssuer } from '../../test/support/tokens.js';
import type { Figure } from '../figure.js';
import { ask, Connection } from '../proxy/connection.js';
import { type ContenderOptions, TOKENS } from '../proxy/contender.js';
import { envelopeEndpoint, requestOf } from '../proxy/endpoint.js';
import type { Job, Outcome } from '../proxy/job.js';
import { runLoad } from '../proxy/load.js';
import { type Call, REPLIES } from '../proxy/profiles.js';
import type { Program } from '../proxy/program.js';
import type { Upstream } from '../proxy/upstream.js';

/** Dependencies of the parts of the group. */
export interface Setting {
  readonly folder: string;
  readonly upstream: Upstream;
  readonly issuer: TestIssuer;
  readonly rounds: number;
  readonly seconds: number;
}

/** Measures one property of the server. */
export interface Part {
  readonly name: string;
  measure(setting: Setting): Promise<readonly Figure[]>;
}

/** The call that all measurements of calls use. */
export const SMALL: Call = { operation: 'action', path: '/small' };

/** Endpoint of calls at gatehouse. */
export const ENDPOINT = envelopeEndpoint('/orchestrator_manager', 'bench');

/** Returns an empty folder and a free port for another program. */
export async function newProgramOptions({ folder, upstream, issuer }: Setting): Promise<ContenderOptions> {
  const own = mkdtempSync(join(folder, 'program-'));
  const { publicKeyFile } = issuer;
  return { folder: own, port: await freePort(), upstreamPort: upstream.port, publicKeyFile };
}

/** Returns a token of a caller with all rights. */
export function tokenOf(issuer: TestIssuer, sub = 'caller'): string {
  const exp = Math.floor(Date.now() / 1000) + 6 * 3600;
  return issuer.sign({ sub, roles: [TOKENS.role], exp });
}

/** Sends requests to a program in a closed loop, after the warm-up that Node.js needs. */
export function load(
  { port, pid }: Pick<Program, 'port' | 'pid'>,
  job: Pick<Job, 'shots' | 'expected'> & Partial<Job>,
  seconds: number,
): Promise<Outcome> {
  const time = { warmMs: seconds * 1000, measureMs: seconds * 1000 };
  return runLoad({ port, pid, connections: 32, ...time, ...job });
}

/** The small call, with each of these tokens in turn. */
export function smallCalls(tokens: readonly string[]): Pick<Job, 'shots' | 'expected'> {
  const shots = tokens.map((token) => ({ request: requestOf(ENDPOINT, SMALL, token), expected: 0 }));
  return { shots, expected: [ENDPOINT.expect(SMALL)] };
}

/** Returns a GET of a streamed path that ends with one of the upstream's paths. */
export function streamOf(prefix: string, path: string, token: string): Pick<Job, 'shots' | 'expected'> {
  const head = `GET ${prefix}${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  const { status = 404, body = '' } = REPLIES[path] ?? {};
  return { shots: [{ request: head, expected: 0 }], expected: [{ status, body }] };
}

/** Time limit of the first reply of a program, in milliseconds. */
const TIMEOUT_MS = 60_000;

/** Resolves when a program answers the request with 200; throws an Error after the time limit. */
export async function firstAnswer(port: number, request: string): Promise<void> {
  const connection = new Connection(port);
  const bytes = Buffer.from(request);
  const until = performance.now() + TIMEOUT_MS;
  let status = await ask(connection, bytes);
  while (status !== 200 && performance.now() < until) {
    await pause(1);
    status = await ask(connection, bytes);
  }
  connection.end();
  if (status !== 200) throw new Error(`the reply still has status ${status}`);
}

/** Throws if replies were wrong, because figures of failed requests are meaningless. */
export function assertCorrect(outcome: Outcome): Outcome {
  const { replies, wrong, different } = outcome;
  if (replies === 0 || wrong + different > 0)
    throw new Error(`of ${replies} replies, ${wrong} were wrong and ${different} differed`);
  return outcome;
}
