import { dirname, join } from 'node:path';
import { openStore } from '../../src/features/open-store.js';
import { NO_COUNTS, type TrafficCounts } from '../../src/features/traffic/traffic.js';
import type { TestServer } from './test-server.js';
import { durationsOf, storeCounts } from './traffic-numbers.js';

const MINUTE_MS = 60_000;
const MINUTES = 24 * 60;
/** The numbers are stored in steps of this length, the shortest cells of a day. */
const STEP_MINUTES = 5;

/** Calls of an adapter on a day, and its trouble. */
interface Day {
  readonly adapter: string;
  readonly callsPerMinute: number;
  /** Usual duration of a call in milliseconds. */
  readonly usualMs: number;
  readonly callers: readonly string[];
  /** Minutes of the day in which most calls fail. */
  readonly trouble?: readonly [from: number, to: number];
}

const DAYS: readonly Day[] = [
  { adapter: 'core1', callsPerMinute: 22, usualMs: 38, callers: ['workflows', 'ansible', 'ada'] },
  {
    adapter: 'edge-berlin',
    callsPerMinute: 9,
    usualMs: 64,
    callers: ['workflows', 'inventory-sync'],
    trouble: [800, 850],
  },
  {
    adapter: 'edge-hamburg',
    callsPerMinute: 7,
    usualMs: 71,
    callers: ['workflows'],
    trouble: [1_240, 1_255],
  },
  { adapter: 'inventory', callsPerMinute: 14, usualMs: 17, callers: ['inventory-sync', 'ansible'] },
  { adapter: 'lab', callsPerMinute: 2, usualMs: 180, callers: ['bob'], trouble: [300, 420] },
];

/** Stores the calls of the last 24 hours of the adapters of the gallery: the same ones each time. */
export async function fillDay(testServer: TestServer): Promise<void> {
  const store = await openStore(`sqlite:${join(dirname(testServer.configPath), 'data', 'gatehouse.db')}`);
  const start =
    Math.floor(Date.now() / MINUTE_MS / STEP_MINUTES) * STEP_MINUTES * MINUTE_MS - MINUTES * MINUTE_MS;
  try {
    for (let minute = 0; minute < MINUTES; minute += STEP_MINUTES) {
      const counts = DAYS.map((day) => [day.adapter, countsOf(day, minute)] as const);
      await storeCounts(store.traffic, start + minute * MINUTE_MS, counts);
    }
  } finally {
    await store.close();
  }
}

/** Returns the numbers of one step: few calls at night, many in the daytime. */
function countsOf({ callsPerMinute, usualMs, callers, trouble }: Day, minute: number): TrafficCounts {
  const daytime = 0.35 + 0.65 * Math.max(0, Math.sin(((minute - 360) / MINUTES) * 2 * Math.PI));
  const varied = 1 + 0.25 * Math.sin(minute / 17 + usualMs) + 0.15 * Math.sin(minute / 5.3 + callsPerMinute);
  const calls = Math.max(1, Math.round(callsPerMinute * STEP_MINUTES * daytime * varied));
  const isTrouble = trouble !== undefined && minute >= trouble[0] && minute < trouble[1];
  const errors = isTrouble ? Math.ceil(calls * 0.6) : minute % 485 === 0 ? 1 : 0;
  const durations = durationsOf(calls, (call) => {
    const slower = call % 20 === 7 ? 6 : 1 + ((call * 37) % 100) / 80;
    return usualMs * varied * slower * (isTrouble ? 5 : 1);
  });
  const share = Math.floor(calls / callers.length);
  return {
    ...NO_COUNTS,
    calls,
    errors,
    durations,
    maxInFlight: 1 + Math.round(callsPerMinute * daytime * 0.3),
    maxWaiting: isTrouble ? 6 : 0,
    openSeconds: isTrouble ? 120 : 0,
    callers: new Map(
      callers.map((caller, index) => [
        caller,
        {
          calls: index === 0 ? calls - share * (callers.length - 1) : share,
          errors: index === 0 ? errors : 0,
          clientErrors: 0,
        },
      ]),
    ),
  };
}
