import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measure, median } from '../measure.js';
import { openResults, RESULTS } from '../results.js';
import type { Contender, Device, ModuleSet } from './contender.js';
import { gatehouse } from './contenders/gatehouse.js';
import { pyang } from './contenders/pyang.js';
import { yanglint } from './contenders/yanglint.js';
import { userTimeOfNode, type DeviceRow, deviceRowsOf, devicesOf } from './devices.js';
import { foldersOf, ownSets } from './module-sets.js';

const { values: options } = parseArgs({
  options: {
    modules: { type: 'string', default: process.env['YANG_MODULES'] ?? '../shared/data/yang' },
    devices: { type: 'string', default: process.env['YANG_DEVICES'] ?? '../shared/data/devices' },
    only: { type: 'string', default: '' },
    runs: { type: 'string', default: '3' },
    results: { type: 'string', default: RESULTS },
  },
});

const runs = Math.max(1, Number(options.runs));

/** Result of one contender for one set. */
interface Row {
  readonly set: string;
  readonly modules: number;
  readonly contender: string;
  readonly compiled: number | undefined;
  readonly ms: number;
  readonly megabytes: number | undefined;
}

const say = (text: string) => process.stdout.write(`${text}\n`);

const contenders = [gatehouse, yanglint, pyang].map((one) => ({ ...one, installed: one.version() }));
for (const { name, installed } of contenders)
  say(installed === undefined ? `${name} is not installed and left out` : `${name}: ${installed}`);

const writeFigures = openResults(options.results, 'yang');
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
try {
  const folders = foldersOf(options.modules);
  if (folders.length === 0) say(`${options.modules} is not there: modules of our own alone`);
  const sets = [...folders, ...ownSets(folder)].filter(({ name }) => name.includes(options.only));
  writeFigures(report(await compete(sets), await competeForDevices(folder)));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function compete(sets: readonly ModuleSet[]): Promise<readonly Row[]> {
  const rows: Row[] = [];
  say(line(['set', 'modules', 'contender', 'compiled', 'ms', 'MB']));
  for (const set of sets)
    for (const contender of contenders.filter(({ installed }) => installed !== undefined)) {
      const row = await rowOf(contender, set);
      rows.push(row);
      say(line([row.set, row.modules, row.contender, row.compiled ?? '-', row.ms, row.megabytes ?? '-']));
    }
  return rows;
}

/** Compiles the whole devices, and prints the CPU time of a node beside that of yanglint in the same run. */
async function competeForDevices(scratch: string): Promise<readonly DeviceRow[]> {
  const devices = devicesOf(options.devices).filter(({ name }) => name.includes(options.only));
  if (devices.length === 0) say(`no whole devices: no folder of modules of this name in ${options.devices}`);
  else
    say(
      line([
        'device',
        'modules',
        'contender',
        'user s',
        'least-most',
        'sys s',
        'nodes',
        'MB',
        'us/node',
        'ratio',
      ]),
    );
  const rows: DeviceRow[] = [];
  for (const device of devices) {
    const installed = contenders.filter((one) => one.installed !== undefined);
    const ofDevice = await deviceRowsOf(installed, device, { runs, scratch });
    const peer = ofDevice.find(({ contender }) => contender === yanglint.name);
    for (const row of ofDevice) say(deviceLine(row, device, peer));
    rows.push(...ofDevice);
  }
  return rows;
}

function deviceLine(row: DeviceRow, { files }: Device, peer: DeviceRow | undefined): string {
  const time = userTimeOfNode(row);
  const peerTime = peer && userTimeOfNode(peer);
  const ratio = time === undefined || peerTime === undefined ? '-' : (time / peerTime).toFixed(1);
  const seconds = (ms: number | undefined) => (ms === undefined ? '-' : (ms / 1000).toFixed(2));
  const nodes = row.nodes === 0 ? 'refused' : row.nodes;
  const cells = [
    seconds(row.cpu?.user),
    `${seconds(row.spread.least)}-${seconds(row.spread.most)}`,
    seconds(row.cpu?.system),
    nodes,
    row.megabytes ?? '-',
    time?.toFixed(1) ?? '-',
    ratio,
  ];
  return line([row.device, files.length, row.contender, ...cells]);
}

async function rowOf(contender: Contender, set: ModuleSet): Promise<Row> {
  const measured = [];
  for (let at = 0; at < runs; at += 1) measured.push(await measure(contender.run(set)));
  const { ms = 0, megabytes, said = '' } = median(measured) ?? {};
  const compiled = contender.compiled(said);
  return { set: set.name, modules: set.files.length, contender: contender.name, compiled, ms, megabytes };
}

function report(rows: readonly Row[], devices: readonly DeviceRow[]): object {
  const machine = { cpu: cpus()[0]?.model, cpus: cpus().length, load: loadavg()[0] };
  const versions = Object.fromEntries(contenders.map(({ name, installed }) => [name, installed ?? null]));
  return { at: new Date().toISOString(), runs, machine, versions, rows, devices };
}

function line(cells: readonly (string | number)[]): string {
  const widths = [18, 8, 10, 9, 10, 8, 8, 6, 8, 6];
  return cells
    .map((cell, at) =>
      at === 0 || at === 2 ? String(cell).padEnd(widths[at] ?? 0) : String(cell).padStart(widths[at] ?? 0),
    )
    .join('  ');
}
