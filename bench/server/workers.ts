import type { Figure } from '../figure.js';
import { cpuPerRequest } from '../proxy/figures.js';
import { startGatehouse } from '../proxy/gatehouse-server.js';
import type { Program } from '../proxy/program.js';
import { median } from '../proxy/round-spread.js';
import {
  load,
  newProgramOptions,
  type Part,
  type Setting,
  smallCalls,
  assertCorrect,
  tokenOf,
} from './part.js';

/**
 * CPU time of a call with two workers compared with one process and with two servers that know nothing of each other, and the
 * throughput that two free processors would have with it. The throughput itself cannot be measured on a machine with two processors,
 * because upstream and load need them too. All measured processes share one processor, where two processes displace each other's
 * code and data from its caches: only the comparison with two servers shows what the workers themselves cost.
 */
export const workers: Part = {
  name: 'workers',
  async measure(setting) {
    const programs: Program[] = [];
    try {
      for (const count of [1, 2, 1, 1])
        programs.push(await startGatehouse(await newProgramOptions(setting), { workers: count }));
      const [one, two, ...separate] = programs;
      const arrangements = [[one], [two], separate].map((list) => list.filter((program) => !!program));
      for (const arrangement of arrangements) await costOf(arrangement, setting, WARM_SECONDS);
      const costs = arrangements.map((): number[] => []);
      for (let round = 0; round < setting.rounds; round += 1)
        for (const [at, arrangement] of arrangements.entries())
          costs[at]?.push(await costOf(arrangement, setting, setting.seconds));
      return figuresOf(costs);
    } finally {
      for (const program of programs) await program.stop();
    }
  },
};

/** Each process compiles its code separately. */
const WARM_SECONDS = 15;

/** Connections of a measurement, which the programs share. */
const CONNECTIONS = 32;

/** Returns the CPU time of a call in microseconds while the load is spread evenly over the programs. */
async function costOf(programs: readonly Program[], { issuer }: Setting, seconds: number): Promise<number> {
  const job = { ...smallCalls([tokenOf(issuer)]), connections: CONNECTIONS / programs.length };
  const outcomes = await Promise.all(programs.map(async (program) => load(program, job, seconds)));
  const replies = outcomes.reduce((sum, outcome) => sum + assertCorrect(outcome).replies, 0);
  return outcomes.reduce((sum, outcome) => sum + cpuPerRequest(outcome) * outcome.replies, 0) / replies;
}

function figuresOf([one = [], two = [], separate = []]: readonly (readonly number[])[]): readonly Figure[] {
  const toSeparate = two.map((cost, round) => cost / (separate[round] ?? 0));
  const gains = one.map((cost, round) => (2 * cost) / (two[round] ?? Infinity));
  return [
    { what: 'call, one process', unit: 'us CPU', median: median(one) },
    { what: 'call, two servers', unit: 'us CPU', median: median(separate) },
    { what: 'call, two workers', unit: 'us CPU', median: median(two) },
    { what: 'two workers to two servers', unit: 'x', median: median(toSeparate), target: { most: 1.1 } },
    {
      what: 'two workers to one process, calculated',
      unit: 'times the calls',
      median: median(gains),
      target: { least: 1.7 },
    },
  ];
}
