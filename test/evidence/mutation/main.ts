import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { report, SABOTAGED } from '../report.js';
import { type Outcome, outcomeOf } from './outcome.js';
import { layOut, silenceAsserts } from './project.js';
import { MUTATED_ROOMS, type MutatedRoom } from './rooms.js';
import type { Sample } from './sample.js';
import { installStryker, tryMutants } from './stryker.js';
import { survivorLines } from './survivors.js';

// Each mutant is the product with one small thing changed, and some test must fail with it. Which survive is written into the
// temporary folder. `npm run evidence -- mutation [ROOM...] [src/FILE.ts...] [PERCENT]`
const BAR = 90;
const words = process.argv.slice(2);
const files = words.filter((word) => word.startsWith('src/')).map((file) => file.replace(/\.ts$/, ''));
const rooms = Object.keys(MUTATED_ROOMS).filter((name) => words.includes(name));
const sample: Sample = {
  percent: Number(words.find((word) => /^\d+(\.\d+)?$/.test(word)) ?? '100'),
  seed: Number(process.env['SEED'] ?? '1'),
};

const folder = join(tmpdir(), 'gatehouse-mutation');
const tools = join(folder, 'tools');
mkdirSync(folder, { recursive: true });
const lack = installStryker(tools);
if (lack !== undefined) process.stderr.write(`mutation skipped: ${lack}\n`);
else await tryRooms();

async function tryRooms(): Promise<void> {
  const outcomes: Record<string, Outcome> = {};
  for (const name of rooms.length > 0 ? rooms : Object.keys(MUTATED_ROOMS)) {
    const room = narrowed(MUTATED_ROOMS[name]!);
    const project = join(folder, name);
    layOut(project);
    if (SABOTAGED) silenceAsserts(project);
    const { outcome, survivors } = outcomeOf(await tryMutants({ tools, project, room, sample }));
    const path = join(folder, `${name}-survivors.txt`);
    writeFileSync(path, survivorLines(project, survivors));
    process.stderr.write(`${name}: ${JSON.stringify(outcome)}, survivors in ${path}\n`);
    outcomes[name] = outcome;
  }
  const holds = Object.values(outcomes).every(({ score }) => score >= BAR);
  report('mutation', holds, { rooms: outcomes, bar: BAR, ...sample });
}

/** Of a room, the files that were named, if any was. */
function narrowed({ sources, tests }: MutatedRoom): MutatedRoom {
  return { sources: files.length > 0 ? files : sources, tests };
}
