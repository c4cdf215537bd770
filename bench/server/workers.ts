import { cpuPerRequest } from '../proxy/figures.js';
import { startGatehouse } from '../proxy/gatehouse-server.js';
import type { Program } from '../proxy/program.js';
import { median } from '../proxy/round-spread.js';
import { load, newProgramOptions, type Part, smallCalls, assertCorrect, tokenOf } from './part.js';

/**
 * CPU time of a call with two workers compared with one process, and the throughput that two free processors would have
 * with it. The throughput itself cannot be measured on a machine with two processors, because upstream and load need them too.
 */
export const workers: Part = {
  name: 'workers',
  async measure(setting) {
    const job = smallCalls([tokenOf(setting.issuer)]);
    const programs: Program[] = [];
    try {
      for (const count of [1, 2])
        programs.push(await startGatehouse(await newProgramOptions(setting), { workers: count }));
      for (const program of programs) await load(program, job, WARM_SECONDS);
      const costs = programs.map((): number[] => []);
      for (let round = 0; round < setting.rounds; round += 1)
        for (const [at, program] of programs.entries())
          costs[at]?.push(cpuPerRequest(assertCorrect(await load(program, job, setting.seconds))));
      const [one = [], two = []] = costs;
      const gains = one.map((cost, round) => (2 * cost) / (two[round] ?? Infinity));
      return [
        { what: 'call, one process', unit: 'us CPU', median: median(one) },
        { what: 'call, two workers', unit: 'us CPU', median: median(two) },
        {
          what: 'two workers to one process, calculated',
          unit: 'times the calls',
          median: median(gains),
          target: { least: 1.8 },
        },
      ];
    } finally {
      for (const program of programs) await program.stop();
    }
  },
};

/** Each process compiles its code separately. */
const WARM_SECONDS = 15;
