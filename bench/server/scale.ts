import type { Figure } from '../figure.js';
import { makeIssuer, type TestIssuer } from '../../test/support/tokens.js';
import { TOKENS } from '../proxy/contender.js';
import { cpuPerRequest } from '../proxy/figures.js';
import { startGatehouse } from '../proxy/gatehouse-server.js';
import { load, newPlace, type Part, type Setting, smallCalls, soundly, tokenOf } from './part.js';

/** What a call costs among many adapters and many callers, beside one of each. */
export const scale: Part = {
  name: 'scale',
  async measure(setting) {
    // 100,000 tokens of RS256 would take minutes to sign.
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

async function costOf(
  setting: Setting,
  { adapters, callers }: { readonly adapters: number; readonly callers: number },
): Promise<number> {
  const program = await startGatehouse(await newPlace(setting), { adapters, algorithm: 'ES256' });
  try {
    const job = smallCalls(tokensOf(setting.issuer, callers));
    // Compiled code is reached within the first of them.
    await load(program, job, setting.seconds);
    return cpuPerRequest(soundly(await load(program, job, setting.seconds)));
  } finally {
    await program.stop();
  }
}

function tokensOf(issuer: TestIssuer, count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => tokenOf(issuer, `caller-${at}`));
}
