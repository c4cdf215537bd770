import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { EVIDENCE_PAGE, evidencePage } from './document.js';
import { GROUPS } from './groups.js';
import { keepRecord, readRecords } from './records.js';

// Runs the long forms of tests. Each group prints one line of JSON on stdout, and its progress on stderr.
const USAGE = `Usage: npm run evidence [-- [--keep] [--sabotage] [GROUP [ARGUMENT...]]]
       npm run evidence -- --document

  --keep      stores the line in docs/evidence/
  --sabotage  replaces a part with a broken one, so that the group must fail
  --document  generates docs/evidence.md from the stored lines
`;

const words = process.argv.slice(2);
const keep = take('--keep');
const sabotage = take('--sabotage');
const document = take('--document');
const [name, ...args] = words;
if (document) writeFileSync(EVIDENCE_PAGE, evidencePage(readRecords()));
else if (name === '--help' || (name !== undefined && !Object.hasOwn(GROUPS, name))) help();
else for (const group of name === undefined ? Object.keys(GROUPS) : [name]) await run(group);

/** Returns true if the option precedes the group; removes the option. */
function take(option: string): boolean {
  const at = words.indexOf(option);
  const end = words.findIndex((word) => !word.startsWith('--'));
  if (at < 0 || (end >= 0 && at > end)) return false;
  words.splice(at, 1);
  return true;
}

async function run(group: string): Promise<void> {
  const { script, says, sabotage: broken } = GROUPS[group]!;
  process.stderr.write(`${group}: ${sabotage ? broken : says}\n`);
  const child = spawn(
    process.execPath,
    ['--expose-gc', fileURLToPath(new URL(script, import.meta.url)), ...args],
    {
      stdio: ['inherit', 'pipe', 'inherit'],
      env: { ...process.env, EVIDENCE_SABOTAGE: sabotage ? '1' : '0' },
    },
  );
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    process.stdout.write(text);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) process.exitCode = 1;
  const line = printed.trim().split('\n').at(-1) ?? '';
  // A group that was skipped has shown nothing.
  if (!line.startsWith('{')) process.exitCode = 1;
  if (keep && line.startsWith('{')) keepRecord(line, sabotage);
}

function help(): void {
  process.stderr.write(`${USAGE}\nGroups:\n`);
  for (const [group, { says }] of Object.entries(GROUPS))
    process.stderr.write(`  ${group.padEnd(10)} ${says}\n`);
  if (name !== '--help') process.exitCode = 2;
}
