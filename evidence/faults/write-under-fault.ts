import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFaulty } from './faulty-process.js';
import { FILE_STEPS, REWRITE } from './file-steps.js';
import { faultsIn, type Outcome, type Trial } from './trial.js';

const WRITER = new URL('files-writer.js', import.meta.url);

/**
 * Writes the files outside of the store and the trail under a fault. Each file must be whole or unchanged,
 * and must exist if the step succeeded.
 */
export async function writeUnderFault(folder: string, trial: Trial): Promise<Outcome> {
  const trace = join(folder, 'trace');
  const names = Object.values(FILE_STEPS).flatMap(({ files }) => files);
  const paths = [folder, ...names.map((name) => join(folder, name))];
  writeFileSync(join(folder, 'gatehouse.yaml'), REWRITE.before);
  const writer = startFaulty({ url: WRITER, args: [folder], paths, trace }, trial);
  const ending = await writer.ended;
  const steps = Object.entries(FILE_STEPS).map(([name, step]) => ({
    name,
    step,
    isDone: writer.out().includes(`${name}: done\n`),
  }));
  const violations = steps.flatMap(({ name, step, isDone }) => {
    const wrong = step.wrong(folder, isDone);
    return wrong === undefined ? [] : [`${name}: ${wrong}`];
  });
  return {
    faults: await faultsIn(trace, writer.child),
    acknowledged: steps.filter(({ isDone }) => isDone).length,
    undone: steps.flatMap(({ isDone, name }) => (isDone ? [] : [name])),
    violations: [...ending, ...violations],
  };
}
