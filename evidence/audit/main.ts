import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { openReadyOrchestrator } from '../ready-orchestrator.js';
import { report, SABOTAGED } from '../report.js';
import { changeBytes } from './changed-bytes.js';
import { killAmongCalls } from './killed-calls.js';

// The server is killed while it answers calls that change something: each acknowledged call has its record,
// and the chain is intact. Then each byte of a trail is set to each other value, and the chain detects it.
// `npm run evidence -- audit [KILLS [RECORDS]]`
const KILLS = Number(process.argv[2] ?? '1000');
const RECORDS = Number(process.argv[3] ?? '3');
const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);

const orchestrator = await openReadyOrchestrator();
const killed = await killAmongCalls({
  folder: temporaryFolder().path,
  kills: KILLS,
  seed,
  forgets: SABOTAGED,
  orchestrator: orchestrator.url,
});
orchestrator.close();
// The sabotage affects the writing of records, not the chain.
const changed = SABOTAGED ? undefined : await changeBytes(temporaryFolder().path, RECORDS);
const isBoth = killed.actions > 0 && killed.actions < killed.acknowledged;
const holds = isBoth && killed.without === 0 && killed.break === null;
report('audit', holds && changed?.unnoticed === 0, { ...killed, changed, seed });
