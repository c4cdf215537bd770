import { createHash } from 'node:crypto';

/** Part of all mutants that is tried, drawn by a seed. */
export interface Sample {
  readonly percent: number;
  readonly seed: number;
}

/** True for a mutant of the sample: the same for the same seed, whatever else there is. */
export function isInSample(mutant: string, { percent, seed }: Sample): boolean {
  const drawn = createHash('sha256').update(`${seed}\n${mutant}`).digest().readUInt32BE();
  return drawn < (percent / 100) * 2 ** 32;
}

/** Under this name a process is told the sample. */
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
