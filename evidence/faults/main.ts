import { availableParallelism } from 'node:os';
import { report, SABOTAGED } from '../report.js';
import { canInject, ERRORS } from './trial.js';
import { tryFaults } from './try-faults.js';

// D3: each system call with which gatehouse stores data fails in turn, with each error. No acknowledged write
// is lost, no partial write is taken for a complete one, and no failure is silent. `npm run evidence --
// faults [EVERY [CALL]]`: tests only every EVERY-th call; only this system call.
const [every = '1', call] = process.argv.slice(2);

if (canInject()) await reportFaults();
else process.stderr.write('faults: skipped, since there is no strace here, or no right to trace\n');

async function reportFaults(): Promise<void> {
  const started = Date.now();
  const { violations, ...figures } = await tryFaults({
    every: Number(every),
    lanes: availableParallelism(),
    isDeaf: SABOTAGED,
    tell: (violation) => process.stderr.write(`${violation}\n`),
    ...(call !== undefined && { calls: [call as 'openat'] }),
  });
  const isMeasured = figures.faults > 0 && figures.acknowledged > 0 && figures.unused.length === 0;
  report('faults', isMeasured && violations.length === 0, {
    every: Number(every),
    errors: ERRORS.length,
    ...figures,
    violations: violations.length,
    first: violations.slice(0, 10),
    seconds: Math.round((Date.now() - started) / 1000),
  });
}
