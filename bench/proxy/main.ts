import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeIssuer } from '../../test/support/tokens.js';
import { openResults } from '../results.js';
import { type Contender, TOKENS } from './contender.js';
import { caddy } from './contenders/caddy.js';
import { envoy, envoyLua } from './contenders/envoy.js';
import { expressGateway } from './contenders/express-gateway.js';
import { fastify } from './contenders/fastify.js';
import { gatehouseBeside } from './contenders/gatehouse-beside.js';
import { gatehouse, gatehouseExpress } from './contenders/gatehouse.js';
import { haproxy } from './contenders/haproxy.js';
import { nginx } from './contenders/nginx.js';
import { traefik } from './contenders/traefik.js';
import { usual } from './contenders/usual.js';
import { observePauses } from './observe-pauses.js';
import { HELP, type Options, readOptions } from './options.js';
import type { PauseHistogram } from './pauses.js';
import { PROFILES } from './profiles.js';
import { CAN_PIN } from './program.js';
import { type About, type Found, report } from './report.js';
import { prepareRequests } from './requests.js';
import { median } from './round-spread.js';
import { type Course, type Measured, runRounds } from './rounds.js';
import { startUpstream, type Upstream } from './upstream.js';

const BUILD = new URL('../../build.json', import.meta.url);

/** In the order in which they are measured. */
const ALL: readonly Contender[] = [
  gatehouse,
  envoyLua,
  fastify,
  haproxy,
  envoy,
  usual,
  gatehouseExpress,
  caddy,
  traefik,
  nginx,
  expressGateway,
];

/** Contenders whose pauses are recorded. */
const OBSERVED = ['gatehouse', 'gatehouse-beside'];

const say = (text: string) => process.stdout.write(`${text}\n`);

const options = understood();
if (options) await compete(options);

/** Returns the options; undefined if there is nothing to measure, after printing the reason. */
function understood(): Options | undefined {
  try {
    const read = readOptions(process.argv.slice(2));
    if (!read) say(HELP);
    chosen(ALL, read?.only ?? []);
    chosen(PROFILES, read?.profile ?? []);
    return read;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
    return undefined;
  }
}

async function compete(options: Options): Promise<void> {
  const writeFigures = openResults(options.results, 'proxy');
  const beside = options.beside === undefined ? [] : [await gatehouseBeside(options.beside)];
  const contenders = [...beside, ...chosen(ALL, options.only)].filter(isHere);
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const issuer = makeIssuer({ algorithm: 'RS256', issuer: TOKENS.issuer });
  const upstream = await startUpstream(folder);
  try {
    introduce(upstream, contenders);
    const course = {
      contenders,
      options,
      folder,
      upstream,
      say,
      profiles: chosen(PROFILES, options.profile),
      requests: prepareRequests(issuer),
      publicKeyFile: issuer.publicKeyFile,
    };
    const measured = await runRounds(course);
    const pauses = options.pauses ? await observeAll(course, measured) : {};
    const found = { ...measured, pauses, about: { ...machine(), upstream: upstream.says } };
    if (!report(found, options, { print: say, writeFigures })) process.exitCode = 1;
  } finally {
    await upstream.stop();
    issuer.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function observeAll(course: Course, { open }: Measured): Promise<Found['pauses']> {
  const rates = open.find(({ rate }) => rate === 'half')?.measurements.map(({ rate = 0 }) => rate) ?? [];
  const pauses: Record<string, readonly PauseHistogram[]> = {};
  if (rates.length === 0) return pauses;
  for (const contender of course.contenders.filter(({ name }) => OBSERVED.includes(name))) {
    say(`pauses of ${contender.name}`);
    pauses[contender.name] = await observePauses(course, contender, Math.round(median(rates)));
  }
  return pauses;
}

function chosen<T extends { readonly name: string }>(
  all: readonly T[],
  names: readonly string[],
): readonly T[] {
  const unknown = names.find((name) => !all.some((one) => one.name === name));
  if (unknown !== undefined)
    throw new Error(`${unknown} is not one of ${all.map(({ name }) => name).join(', ')}`);
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
}

function isHere(contender: Contender): boolean {
  const lack = contender.lack();
  if (lack !== undefined) say(`${contender.name} is left out: ${lack}`);
  return lack === undefined;
}

function introduce(upstream: Upstream, contenders: readonly Contender[]): void {
  const { cpu, cpus, node, load } = machine();
  say(`${cpu} (${cpus}), Node.js ${node}, load ${load}`);
  say(`upstream: ${upstream.says}`);
  if (!CAN_PIN) say('processes are not kept to processors: that takes taskset and two of them');
  for (const { name, says } of contenders) say(`  ${name.padEnd(18)} ${says}`);
}

function machine(): Omit<About, 'upstream'> {
  const all = cpus();
  const { commit } = JSON.parse(readFileSync(BUILD, 'utf8')) as { readonly commit: string };
  return {
    at: new Date().toISOString(),
    commit,
    node: process.version,
    cpu: all[0]?.model ?? 'unknown',
    cpus: all.length,
    load: loadavg()[0]?.toFixed(1) ?? '?',
  };
}
