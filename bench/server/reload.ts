import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { systemScheduler } from '../../src/lib/clock.js';
import { type Server, createServer } from '../../src/server/create-server.js';
import { type Figure, spread } from '../figure.js';
import type { ContenderOptions } from '../proxy/contender.js';
import { writeAdapter, writeConfiguration } from '../proxy/gatehouse-server.js';
import { newProgramOptions, type Part } from './part.js';

const ADAPTERS = 1000;
/** Name of the adapter that changes. */
const CHANGED = 'other-500';

/**
 * Milliseconds after which gatehouse relies on the modification time of files (decision 18), plus a margin.
 */
const SETTLED_MS = 4_000;
const LOGGED_MS = 500;

/**
 * A reload that changes one of many adapters: the time that the event loop works on it, and the longest wait
 * of other requests.
 */
export const reload: Part = {
  name: 'reload',
  async measure(setting) {
    const place = await newProgramOptions(setting);
    const configPath = writeConfiguration(place, { adapters: ADAPTERS });
    const lines: string[] = [];
    const logStream = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        lines.push(chunk.toString());
        done();
      },
    });
    const running = await createServer({ configPath, env: {}, clock: systemScheduler, logStream });
    try {
      // A reload always reads recently written files; only later the modification time shows that a file is
      // unchanged.
      await pause(SETTLED_MS);
      await running.reload();
      lines.length = 0;
      const figures = await reloads(running, place, setting.rounds);
      // The log is written a moment later.
      await pause(LOGGED_MS);
      const changes = lines.filter(
        (line) => line.includes('configuration is live') && line.includes(CHANGED),
      );
      if (changes.length <= setting.rounds)
        throw new Error(`only ${changes.length} reloads changed the adapter`);
      return figures;
    } finally {
      await running.close();
    }
  },
};

async function reloads(running: Server, place: ContenderOptions, rounds: number): Promise<readonly Figure[]> {
  const worked: number[] = [];
  const stalls: number[] = [];
  const used: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    writeAdapter(place, CHANGED, `timeouts: { totalMs: ${10_000 + round} }\n`);
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const cpu = process.cpuUsage();
    const before = performance.eventLoopUtilization();
    const faults = await running.reload();
    worked.push(performance.eventLoopUtilization(before).active);
    delay.disable();
    const { user, system } = process.cpuUsage(cpu);
    used.push((user + system) / 1000);
    stalls.push(delay.max / 1e6);
    if (faults.length > 0) throw new Error(`the reload failed: ${faults[0]?.message ?? ''}`);
  }
  const what = `reload of 1 in ${ADAPTERS} adapters`;
  return [
    { what: `${what}: event loop`, unit: 'ms', ...spread(worked.slice(1)), target: { most: 50 } },
    { what: `${what}: CPU, all threads`, unit: 'ms', ...spread(used.slice(1)) },
    { what: `${what}: longest stall`, unit: 'ms', ...spread(stalls.slice(1)) },
  ];
}
