import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { headingOf } from '../../src/yang/index.js';
import { type CpuTime, measure, median } from '../measure.js';
import type { Contender, Device } from './contender.js';

/** Result of one contender for one device. */
export interface DeviceRow {
  readonly device: string;
  readonly contender: string;
  readonly cpu: CpuTime | undefined;
  readonly megabytes: number | undefined;
  /** Number of schema nodes that the contender printed; 0 if it refuses a module. */
  readonly nodes: number;
}

/** File in the folder of a device that names its modules, one file name a line; all modules without it. */
const MODULE_LIST = 'modules.txt';

/** Returns the direct subfolders of a folder, each as a device; empty if the folder does not exist. */
export function devicesOf(folder: string): readonly Device[] {
  const root = resolve(folder);
  if (!existsSync(root)) return [];
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, folder: join(root, name), files: modulesOf(join(root, name)) }));
}

function modulesOf(folder: string): readonly string[] {
  const list = join(folder, MODULE_LIST);
  if (existsSync(list))
    return readFileSync(list, 'utf8')
      .split(/\s+/)
      .filter((name) => name !== '');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yang'))
    .sort()
    .filter((name) => headingOf(readFileSync(join(folder, name), 'utf8'))?.kind === 'module');
}

/** Compiles a device as often as `runs` says. Returns undefined for a contender that compiles no devices. */
export async function deviceRowOf(
  contender: Contender,
  device: Device,
  { runs, scratch }: { readonly runs: number; readonly scratch: string },
): Promise<DeviceRow | undefined> {
  if (!contender.runDevice) return undefined;
  const measured = [];
  for (let at = 0; at < runs; at += 1) measured.push(await measure(contender.runDevice(device, scratch)));
  // The median of CPU time: the wall clock also counts what else the machine does.
  const { cpu, megabytes } = median(measured.map((run) => ({ ...run, ms: run.cpu?.user ?? run.ms }))) ?? {};
  const nodes = (await contender.treesOf?.(device, scratch))?.match(NODE_LINE)?.length ?? 0;
  return { device: device.name, contender: contender.name, cpu, megabytes, nodes };
}

/** Line of a tree diagram (RFC 8340) that shows a node. */
const NODE_LINE = /^ [ |]*[+xo]--/gm;

/**
 * Returns the user time of a node in microseconds; undefined without nodes. System time is left out, because yanglint
 * spends up to six times as much of it as of user time on the search for submodules, depending on the machine.
 */
export function userTimeOfNode({ cpu, nodes }: DeviceRow): number | undefined {
  return cpu === undefined || nodes === 0 ? undefined : (cpu.user * 1000) / nodes;
}
