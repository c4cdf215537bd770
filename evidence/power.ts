import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { losePower, type PowerReport } from '../test/storage/power-loss.js';
import { report, SABOTAGED } from './report.js';

// D2: generates STATES disk states that a power failure could leave, and the same for a store that does not
// wait for the disk. `npm run evidence -- power [STATES [FORMS]]`: each round creates FORMS forms; rounds
// repeat until there are enough states
const STATES = Number(process.argv[2] ?? '1000000');
const FORMS = Number(process.argv[3] ?? '100');
const NONE: PowerReport = { states: 0, acknowledged: 0, losing: 0, broken: 0 };

const sabotaged = lose(true, 1);
let honest = NONE;
let rounds = 0;
while (!SABOTAGED && honest.states < STATES) {
  rounds += 1;
  honest = sum(honest, lose(false, rounds));
  process.stderr.write(`${honest.states} disks\n`);
}
const checked = SABOTAGED ? sabotaged : honest;
const holds = checked.losing === 0 && checked.broken === 0 && sabotaged.losing > 0;
report('power', holds && checked.acknowledged === FORMS * rounds, { rounds, honest, sabotaged });

/** Runs one round; the seed selects the disk states. */
function lose(sabotage: boolean, seed: number): PowerReport {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-power-'));
  try {
    return losePower({ folder, forms: FORMS, sabotage, seed });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function sum(one: PowerReport, other: PowerReport): PowerReport {
  return {
    states: one.states + other.states,
    acknowledged: one.acknowledged + other.acknowledged,
    losing: one.losing + other.losing,
    broken: one.broken + other.broken,
  };
}
