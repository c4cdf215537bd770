import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { report, SABOTAGED } from '../report.js';
import { type Outcome, outcomeOf } from './outcome.js';
import { layOut, silenceAsserts } from './project.js';
import { MUTATED_ROOMS } from './rooms.js';
import type { Sample } from './sample.js';
import { installStryker, tryMutants } from './stryker.js';
import { survivorLines } from './survivors.js';

// Each mutant is the product with one small change, and some test must fail with it. A file lists those that
// no test detects. `npm run evidence -- mutation [ROOM[:PERCENT]...] [PERCENT]`, `npm run evidence --
// mutation ROOM src/FILE.ts...`
const BAR = 90;
const words = process.argv.slice(2);
const files = words.filter((word) => word.startsWith('src/')).map((file) => file.replace(/\.ts$/, ''));
const named = Object.keys(MUTATED_ROOMS).filter((name) => words.some((word) => word.split(':')[0] === name));
const seed = Number(process.env['SEED'] ?? '1');

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-mutation-'));
const tools = join(folder, 'tools');
try {
  if (files.length > 0 && named.length !== 1) throw new Error('name the one room that the files are of');
  const lack = installStryker(tools);
  if (lack === undefined) await tryRooms(named.length > 0 ? named : Object.keys(MUTATED_ROOMS));
  else process.stderr.write(`mutation skipped: ${lack}\n`);
} finally {
  rmSync(tools, { recursive: true, force: true });
}

async function tryRooms(names: readonly string[]): Promise<void> {
  const rooms: Record<string, Outcome & Pick<Sample, 'percent'>> = {};
  for (const name of names) {
    const percent = percentOf(name);
    rooms[name] = { percent, ...(await tryRoom(name, { percent, seed })) };
    process.stderr.write(`${name}: ${JSON.stringify(rooms[name])}\n`);
  }
  const holds = Object.values(rooms).every(({ score }) => score >= BAR);
  report('mutation', holds, { rooms, bar: BAR, seed });
}

/**
 * Returns the percentage of the mutants of a group that is tested: the percentage of the group, the general
 * percentage, or 100.
 */
function percentOf(name: string): number {
  const own = words.find((word) => word.startsWith(`${name}:`))?.slice(name.length + 1);
  return Number(own ?? words.find((word) => /^\d+(\.\d+)?$/.test(word)) ?? '100');
}

async function tryRoom(name: string, sample: Sample): Promise<Outcome> {
  const { sources, tests } = MUTATED_ROOMS[name]!;
  const room = { sources: files.length > 0 ? files : sources, tests };
  const project = join(folder, name);
  layOut(project);
  if (SABOTAGED) silenceAsserts(project);
  const { outcome, survivors } = outcomeOf(await tryMutants({ tools, project, room, sample }));
  const list = `${project}-survivors.txt`;
  writeFileSync(list, survivorLines(project, survivors));
  process.stderr.write(`${name}: survivors are in ${list}\n`);
  rmSync(project, { recursive: true, force: true });
  return outcome;
}
