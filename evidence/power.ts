import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { losePower, type PowerReport } from '../test/storage/power-loss.js';
import { report, SABOTAGED } from './report.js';

// D2: disks that a power failure could leave, as many as asked for, and the same with a store that does not wait for the disk.
// `npm run evidence -- power [STATES [FORMS]]`: so many forms are created in each round, until there were so many disks
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
const judged = SABOTAGED ? sabotaged : honest;
const holds = judged.losing === 0 && judged.broken === 0 && sabotaged.losing > 0;
report('power', holds && judged.acknowledged === FORMS * rounds, { rounds, honest, sabotaged });

/** One round; the seed draws the disks. */
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
