import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { losePower } from '../storage/power-loss.js';
import { report, SABOTAGED } from './report.js';

// D2: the disks that a power failure could leave, and the same with a store that does not wait for the disk.
const forms = Number(process.argv[2] ?? '300');
const found = [false, true].map((sabotage) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-power-'));
  try {
    return losePower({ folder, forms, sabotage });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
const [honest, sabotaged] = found;
const judged = SABOTAGED ? sabotaged : honest;
const holds = judged?.losing === 0 && judged.broken === 0 && (sabotaged?.losing ?? 0) > 0;
report('power', holds && judged.acknowledged === forms, { honest, sabotaged });
