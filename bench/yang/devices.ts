import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { headingOf } from '../../src/yang/index.js';
import { type CpuTime, measure, type Measured, median } from '../measure.js';
import type { Contender, Device } from './contender.js';

/** Result of one contender for one device. */
export interface DeviceRow {
  readonly device: string;
  readonly contender: string;
  /** The median of the runs. */
  readonly cpu: CpuTime | undefined;
  /** Least and most user time of the runs, in milliseconds. */
  readonly spread: { readonly least: number; readonly most: number };
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

/**
 * Compiles a device as often as `runs` says with each contender that compiles devices. The contenders take turns, so that
 * what else the machine does slows all of them.
 */
export async function deviceRowsOf(
  contenders: readonly Contender[],
  device: Device,
  { runs, scratch }: { readonly runs: number; readonly scratch: string },
): Promise<readonly DeviceRow[]> {
  const lanes = contenders.flatMap(({ runDevice, ...contender }) =>
    runDevice ? [{ contender, runDevice, measured: [] as Measured[] }] : [],
  );
  for (let at = 0; at < runs; at += 1)
    for (const { runDevice, measured } of at % 2 === 0 ? lanes : lanes.toReversed())
      measured.push(await measure(runDevice(device, scratch)));
  const rows = lanes.map(async ({ contender, measured }) => {
    // The median of CPU time: the wall clock also counts what else the machine does.
    const byUser = measured.map((run) => ({ ...run, ms: run.cpu?.user ?? run.ms }));
    const { cpu, megabytes } = median(byUser) ?? {};
    const times = byUser.map(({ ms }) => ms);
    const nodes = (await contender.treesOf?.(device, scratch))?.match(NODE_LINE)?.length ?? 0;
    const spread = { least: Math.min(...times), most: Math.max(...times) };
    return { device: device.name, contender: contender.name, cpu, spread, megabytes, nodes };
  });
  return Promise.all(rows);
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
