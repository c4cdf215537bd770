import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openStore } from '../../src/features/open-store.js';
import type { Store } from '../../src/features/store.js';
import { openTrafficHistory } from '../../src/features/traffic/traffic-history.js';
import { createTrafficReader } from '../../src/features/traffic/traffic-reader.js';
import { createTrafficRecorder } from '../../src/features/traffic/traffic-recorder.js';
import {
  ALL_ADAPTERS,
  NO_COUNTS,
  type TrafficCounts,
  durationCounts,
} from '../../src/features/traffic/traffic.js';
import { systemScheduler } from '../../src/lib/clock.js';
import { memoryLog } from '../../test/support/memory-log.js';
import { type Figure, spread } from '../figure.js';
import { newProgramOptions, type Part } from './part.js';

const ADAPTERS = 200;
const HOURS = 7 * 24;
const HOUR_MS = 3_600_000;

/** The report of traffic with its longest list: how long it stops all other work of the process. */
export const traffic: Part = {
  name: 'traffic',
  async measure(setting) {
    const { folder } = await newProgramOptions(setting);
    const store = await openStore(`sqlite:${join(folder, 'traffic.db')}`);
    try {
      return await measureReports(store, setting.rounds);
    } finally {
      await store.close();
    }
  },
};

async function measureReports(store: Store, rounds: number): Promise<readonly Figure[]> {
  const now = Date.now();
  const names = Array.from({ length: ADAPTERS }, (_name, index) => `nso${index}.example.com`);
  const counts = busyHour();
  for (let hour = 0; hour < HOURS; hour += 1)
    await store.traffic.add(
      now - hour * HOUR_MS,
      new Map([ALL_ADAPTERS, ...names].map((name) => [name, counts])),
    );
  const history = openTrafficHistory({
    recorder: createTrafficRecorder(systemScheduler),
    store: store.traffic,
    isAdapter: (name) => names.includes(name),
    clock: systemScheduler,
    log: memoryLog().log,
  });
  const redactor = { redact: (text: string) => text };
  const read = createTrafficReader({ history, timelineSince: () => [], store, redactor });
  const query = { from: now - HOURS * HOUR_MS, to: now, limit: ADAPTERS };
  const { adapters } = await read(query);
  if (adapters.length !== ADAPTERS) throw new Error(`the report has ${adapters.length} adapters`);
  const [stalls, times]: [number[], number[]] = [[], []];
  for (let round = 0; round <= rounds; round += 1) {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const from = performance.now();
    JSON.stringify(await read(query));
    times.push(performance.now() - from);
    await new Promise((resolve) => setTimeout(resolve, 5));
    delay.disable();
    stalls.push(delay.max / 1e6);
  }
  history.close();
  return [
    {
      what: `traffic, ${ADAPTERS} adapters, 7 d: longest stop`,
      unit: 'ms',
      ...spread(stalls.slice(1)),
      target: { most: 50 },
    },
    { what: `traffic, ${ADAPTERS} adapters, 7 d: report`, unit: 'ms', ...spread(times.slice(1)) },
  ];
}

/** Numbers of 12 callers, and calls of 40 response times. */
function busyHour(): TrafficCounts {
  const durations = durationCounts(Array.from({ length: 60 }, (_bucket, index) => Math.max(0, index - 19)));
  const callers = new Map(
    Array.from(
      { length: 12 },
      (_caller, index) => [`automation-${index}`, { calls: 70, errors: 1, clientErrors: 0 }] as const,
    ),
  );
  return { ...NO_COUNTS, calls: 820, errors: 12, durations, callers };
}
