import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { type Figure, spread } from '../figure.js';
import { requestOf } from '../proxy/endpoint.js';
import { startGatehouse } from '../proxy/gatehouse-server.js';
import { usageOf } from '../proxy/process-tree.js';
import { ENDPOINT, firstAnswer, newProgramOptions, type Part, type Setting, SMALL, tokenOf } from './part.js';

/** From the start of the process to its first answer to a call. */
export const start: Part = {
  name: 'start',
  measure: async (setting) => [
    ...(await startWith(setting, 1, { ms: 400, cpuMs: 600 })),
    ...(await startWith(setting, 1000, { ms: 1500, cpuMs: 2000 })),
  ],
};

/** The most time of a start, and CPU time of all its threads. */
interface StartTarget {
  readonly ms: number;
  readonly cpuMs: number;
}

async function startWith(setting: Setting, adapters: number, most: StartTarget): Promise<readonly Figure[]> {
  const request = requestOf(ENDPOINT, SMALL, tokenOf(setting.issuer));
  const times: number[] = [];
  const used: number[] = [];
  const ratios: number[] = [];
  for (let run = 0; run <= setting.rounds; run += 1) {
    const place = await newProgramOptions(setting);
    const from = performance.now();
    const program = await startGatehouse(place, { adapters });
    await firstAnswer(program.port, request);
    times.push(performance.now() - from);
    const { cpuMs } = usageOf(program.pid);
    used.push(cpuMs);
    ratios.push(cpuMs / bareCpuMs());
    await program.stop();
    rmSync(place.folder, { recursive: true });
  }
  // The first start reads the code from the disk.
  const what = `start, adapters: ${adapters.toLocaleString('en')}`;
  return [
    { what, unit: 'ms', ...spread(times.slice(1)), target: { most: most.ms } },
    {
      what: `${what}: CPU, all threads`,
      unit: 'ms',
      ...spread(used.slice(1)),
      target: { most: most.cpuMs },
    },
    { what: `${what}: CPU, to Node.js alone`, unit: 'x', ...spread(ratios.slice(1)) },
  ];
}

/**
 * Returns the CPU time of a process of Node.js that loads no program, in milliseconds. Machines differ in it as they differ in
 * the start of the server.
 */
function bareCpuMs(): number {
  const script = 'const { user, system } = process.cpuUsage(); console.log((user + system) / 1000)';
  const { stdout } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  return Number(stdout);
}
