import { createHash } from 'node:crypto';

/** Part of all mutants that is tried, drawn by a seed. */
export interface Sample {
  readonly percent: number;
  readonly seed: number;
}

/** Returns true for a mutant of the sample; depends only on the mutant and the seed. */
export function isInSample(mutant: string, { percent, seed }: Sample): boolean {
  const drawn = createHash('sha256').update(`${seed}\n${mutant}`).digest().readUInt32BE();
  return drawn < (percent / 100) * 2 ** 32;
}

/** Environment variable that passes the sample to a process. */
const VARIABLE = 'MUTATION_SAMPLE';

/** The sample for a process that is started. */
export function sampleVariable({ percent, seed }: Sample): Readonly<Record<string, string>> {
  return { [VARIABLE]: `${percent} ${seed}` };
}

/** The sample that this process was started with. */
export function givenSample(): Sample {
  const [percent = 100, seed = 0] = (process.env[VARIABLE] ?? '').split(' ').map(Number);
  return { percent, seed };
}
