import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { freePort } from '../../test/support/free-port.js';
import { NETCONFD } from '../../test/support/need-list.js';
import { lackOf } from '../../test/support/needs.js';
import { type NetconfServer, startNetconfServer } from '../../test/support/netconf-server.js';
import { makeIssuer } from '../../test/support/tokens.js';
import { TOKENS } from '../proxy/contender.js';
import { envelopeOf } from '../proxy/endpoint.js';
import { cpuPerRequest } from '../proxy/figures.js';
import { startGatehouse } from '../proxy/gatehouse-server.js';
import type { Outcome } from '../proxy/job.js';
import { CPU, pinned } from '../proxy/program.js';
import { assertCorrect, firstAnswer, load, tokenOf } from '../server/part.js';
import { adapterFile, MODULE, PATH, REPLY, REQUEST, SETUP } from './device.js';
import { checkTesttool } from './testtool.js';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    sessions: { type: 'string', default: '4' },
    testtool: { type: 'string' },
  },
});
const seconds = Math.max(1, Number(options.seconds));
const CALLERS = [1, 16, 64];
const RAW = fileURLToPath(new URL('raw-client.js', import.meta.url));
const say = (text: string) => process.stdout.write(`${text}\n`);

const lack = lackOf(NETCONFD);
if (options.testtool !== undefined)
  process.exitCode = (await checkTesttool(options.testtool, say)) > 0 ? 1 : 0;
else if (lack === undefined) await measureAll();
else say(`the bench of NETCONF needs ${lack.name} (${lack.hint ?? ''})`);

async function measureAll(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const module = join(folder, 'bench-device@2026-01-01.yang');
  writeFileSync(module, MODULE);
  const device = await startNetconfServer({ target: 'running', modules: [module] });
  try {
    const key = join(folder, 'user.key');
    writeFileSync(key, device.privateKey.reveal(), { mode: 0o600 });
    const request = join(folder, 'request.xml');
    writeFileSync(request, REQUEST);
    say(['contender', 'callers', 'calls/s', 'CPU us'].map((cell) => cell.padStart(12)).join(''));
    await measureGatehouse(folder, device);
    for (const callers of CALLERS) await measureRaw(device, { key, request, callers });
  } finally {
    await device.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function line(contender: string, callers: number, { rate, cpuUs }: { rate: number; cpuUs: number }): void {
  say(
    [contender, callers, Math.round(rate), Math.round(cpuUs)]
      .map((cell) => String(cell).padStart(12))
      .join(''),
  );
}

async function measureGatehouse(folder: string, device: NetconfServer): Promise<void> {
  const issuer = makeIssuer({ algorithm: 'RS256', issuer: TOKENS.issuer });
  const place = { folder, port: await freePort(), upstreamPort: 9, publicKeyFile: issuer.publicKeyFile };
  // The file of the adapter is read at the start, beside the one that the configuration has.
  const adapters = join(folder, 'config', 'adapters');
  mkdirSync(adapters, { recursive: true });
  writeFileSync(join(adapters, 'device.yaml'), adapterFile(device, Number(options.sessions)));
  const gatehouse = await startGatehouse(place);
  try {
    const token = tokenOf(issuer);
    await firstAnswer(gatehouse.port, requestFor('restAction', token, SETUP));
    const body = envelopeOf({ operation: 'query', path: PATH });
    const shots = [{ request: requestFor('restQuery', token, body), expected: 0 }];
    for (const callers of CALLERS) {
      const job = { shots, expected: [{ status: 200, body: REPLY }], connections: callers };
      const outcome = correct(await load(gatehouse, job, seconds), folder);
      line('gatehouse', callers, {
        rate: outcome.replies / outcome.seconds,
        cpuUs: cpuPerRequest(outcome),
      });
    }
  } finally {
    await gatehouse.stop();
    issuer.remove();
  }
}

/** Throws if replies were wrong, after it has printed how often each failure is in the log, with the lines around the first one. */
function correct(outcome: Outcome, folder: string): Outcome {
  try {
    return assertCorrect(outcome);
  } catch (error) {
    const lines = readFileSync(join(folder, 'output.log'), 'utf8').split('\n');
    for (const [failure, count] of failuresIn(lines)) say(`${count} x ${failure}`);
    const first = lines.findIndex((text) => FAILED.test(text));
    for (const text of lines.slice(Math.max(0, first - 3), first + 3)) say(text);
    throw error;
  }
}

/** Line of a failed request; 499 is the end of a run. */
const FAILED = /"status":(?:4(?!99)|5)\d\d/;

/** Counts the failed requests by everything in their lines that is not a time, a duration or an id. */
function failuresIn(lines: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of lines.filter((line) => FAILED.test(line))) {
    const failure = text.replaceAll(
      /"(?:time|ts|timestamp|requestId|[a-zA-Z]*Ms|traceId)":(?:"[^"]*"|[\d.]+),?/g,
      '',
    );
    counts.set(failure, (counts.get(failure) ?? 0) + 1);
  }
  return counts;
}

function requestFor(operation: string, token: string, body: string): string {
  const head = [
    `POST /orchestrator_manager/${operation}/device HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

async function measureRaw(
  { port, username }: NetconfServer,
  { key, request, callers }: { readonly key: string; readonly request: string; readonly callers: number },
): Promise<void> {
  const words = [RAW, String(port), username, key, request, String(callers), String(seconds)];
  const [program, args] = pinned(CPU.contender, [process.execPath, ...words]);
  const { stdout } = await promisify(execFile)(program, [...args]);
  const { replies, cpuMs } = JSON.parse(stdout) as { readonly replies: number; readonly cpuMs: number };
  line('ssh2', callers, { rate: replies / seconds, cpuUs: (cpuMs * 1000) / replies });
}
