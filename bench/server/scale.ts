import { setTimeout as pause } from 'node:timers/promises';
import type { Figure } from '../figure.js';
import { makeIssuer, type TestIssuer } from '../../test/support/tokens.js';
import { TOKENS } from '../proxy/contender.js';
import { cpuPerRequest } from '../proxy/figures.js';
import { startGatehouse, writeAdapter } from '../proxy/gatehouse-server.js';
import {
  load,
  newProgramOptions,
  type Part,
  type Setting,
  smallCalls,
  assertCorrect,
  tokenOf,
} from './part.js';

/** Cost of a call with many adapters, with many callers and after many reloads. */
export const scale: Part = {
  name: 'scale',
  async measure(setting) {
    // Signing 100,000 tokens with RS256 would take minutes.
    const issuer = makeIssuer({ algorithm: 'ES256', issuer: TOKENS.issuer });
    const signing = { ...setting, issuer };
    try {
      return [
        ...(await series('adapters', [1, 100, 10_000], (adapters) =>
          costOf(signing, { adapters, callers: 1 }),
        )),
        ...(await series('callers', [1, 256, 100_000], (callers) =>
          costOf(signing, { adapters: 1, callers }),
        )),
        ...(await series('reloads', [0, 100], (reloads) => costOf(signing, { reloads }))),
      ];
    } finally {
      issuer.remove();
    }
  },
};

async function series(
  what: string,
  counts: readonly number[],
  cost: (count: number) => Promise<number>,
): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const count of counts)
    figures.push({
      what: `call, ${what}: ${count.toLocaleString('en')}`,
      unit: 'us CPU',
      median: await cost(count),
    });
  return figures;
}

/** Load in addition to the measured call. */
interface Crowd {
  readonly adapters?: number;
  readonly callers?: number;
  /** Done before. */
  readonly reloads?: number;
}

/** Exceeds the time of a reload of one adapter. */
const RELOAD_MS = 100;

async function costOf(setting: Setting, { adapters = 1, callers = 1, reloads = 0 }: Crowd): Promise<number> {
  const place = await newProgramOptions(setting);
  const program = await startGatehouse(place, { adapters, algorithm: 'ES256' });
  try {
    for (let done = 0; done < reloads; done += 1) {
      writeAdapter(place, 'bench', `timeouts: { totalMs: ${10_000 + done} }\n`);
      process.kill(program.pid, 'SIGHUP');
      await pause(RELOAD_MS);
    }
    const job = smallCalls(tokensOf(setting.issuer, callers));
    // The code is compiled during the first of the runs.
    await load(program, job, setting.seconds);
    return cpuPerRequest(assertCorrect(await load(program, job, setting.seconds)));
  } finally {
    await program.stop();
  }
}

function tokensOf(issuer: TestIssuer, count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => tokenOf(issuer, `caller-${at}`));
}
