import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeIssuer } from '../../test/support/tokens.js';
import { FIGURE_HEAD, figureLine } from '../figure.js';
import { chartOf } from './chart.js';
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
import { type Lateness, median, type Summary, summarise, summariseLateness } from './figures.js';
import { HELP, type Options, readOptions } from './options.js';
import { PROFILES } from './profiles.js';
import { CAN_PIN } from './program.js';
import { prepareRequests } from './requests.js';
import { type Measured, runRounds } from './rounds.js';
import { abandonedTable, latenessTable, percent, summaryTable } from './table.js';
import { targetFigures } from './targets.js';
import { startUpstream, type Upstream } from './upstream.js';

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

/** All figures are also reported as ratios to these contenders, and those of another build to this one. */
const anchorsOf = ({ beside }: Options): readonly string[] => [
  ...(beside === undefined ? [] : [gatehouse.name]),
  haproxy.name,
  usual.name,
];

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
  const beside = options.beside === undefined ? [] : [await gatehouseBeside(options.beside)];
  const contenders = [...beside, ...chosen(ALL, options.only)].filter(isHere);
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const issuer = makeIssuer({ algorithm: 'RS256', issuer: TOKENS.issuer });
  const upstream = await startUpstream(folder);
  try {
    introduce(upstream, contenders);
    const measured = await runRounds({
      contenders,
      options,
      folder,
      upstream,
      say,
      profiles: chosen(PROFILES, options.profile),
      requests: prepareRequests(issuer),
      publicKeyFile: issuer.publicKeyFile,
    });
    tell(measured, options, upstream);
  } finally {
    await upstream.stop();
    issuer.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

function chosen<T extends { readonly name: string }>(
  all: readonly T[],
  names: readonly string[],
): readonly T[] {
  const unknown = names.find((name) => !all.some((one) => one.name === name));
  if (unknown !== undefined)
    throw new Error(`${unknown} is none of ${all.map(({ name }) => name).join(', ')}`);
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
}

function isHere(contender: Contender): boolean {
  const lack = contender.lack();
  if (lack !== undefined) say(`${contender.name} is left out: ${lack}`);
  return lack === undefined;
}

function introduce(upstream: Upstream, contenders: readonly Contender[]): void {
  say(`${machine().cpu} (${cpus().length}), Node.js ${process.version}, load ${machine().load}`);
  say(`upstream: ${upstream.says}`);
  if (!CAN_PIN) say('processes are not kept to processors: that takes taskset and two of them');
  for (const { name, says } of contenders) say(`  ${name.padEnd(18)} ${says}`);
}

function machine(): { readonly cpu: string; readonly load: string } {
  return { cpu: cpus()[0]?.model ?? 'unknown', load: loadavg()[0]?.toFixed(1) ?? '?' };
}

function tell({ closed, open, abandoned }: Measured, options: Options, upstream: Upstream): void {
  const anchors = anchorsOf(options);
  const summaries: Summary[] = [];
  for (const { name, says } of chosen(PROFILES, options.profile)) {
    const mine = summarise(
      closed.filter(({ profile }) => profile === name),
      anchors,
    );
    summaries.push(...mine);
    say(`\n${name}: ${says}, closed loop`);
    for (const line of summaryTable(mine, anchors)) say(line);
  }
  const lateness: Lateness[] = [];
  for (const { rate, measurements } of open) {
    const mine = summariseLateness(measurements, rate, anchors);
    lateness.push(...mine);
    const rates = [...new Set(measurements.map((one) => one.rate))].join(', ');
    say(`\nopen loop, ${rates} requests a second${rate === 'half' ? ' (half of what gatehouse can)' : ''}`);
    for (const line of latenessTable(mine, anchors)) say(line);
  }
  const others = [...closed, ...open.flatMap(({ measurements }) => measurements)].map(
    ({ outcome }) => outcome.others,
  );
  say(`\nother work on the machine: ${percent(median(others))}, at most ${percent(Math.max(...others))}`);
  say('\ncallers who left before the reply');
  for (const line of abandonedTable(abandoned)) say(line);
  say(`\n${FIGURE_HEAD}`);
  for (const figure of targetFigures({ summaries, lateness, abandoned })) say(figureLine(figure));
  write({ summaries, lateness }, { closed, open, abandoned, upstream: upstream.says, options });
}

function write(
  told: { readonly summaries: readonly Summary[]; readonly lateness: readonly Lateness[] },
  rest: object,
): void {
  const { results } = options ?? { results: '.' };
  mkdirSync(results, { recursive: true });
  const about = { at: new Date().toISOString(), node: process.version, ...machine() };
  writeFileSync(join(results, 'proxy.json'), `${JSON.stringify({ ...about, ...told, ...rest }, null, 2)}\n`);
  writeFileSync(join(results, 'proxy.svg'), chartOf(told.summaries, haproxy.name));
  say(`\nfigures: ${join(results, 'proxy.json')}\nchart:   ${join(results, 'proxy.svg')}`);
}
