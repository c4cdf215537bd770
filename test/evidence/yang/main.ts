import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { directoryLibrary } from '../../../src/yang/directory-library.js';
import { compileAll } from './compile-all.js';
import { compare, type Judged } from './compare.js';
import { hasYanglint } from './yanglint.js';

const { values: options } = parseArgs({
  options: {
    modules: { type: 'string', default: process.env['YANG_MODULES'] ?? '../shared/data/yang' },
    only: { type: 'string', default: '' },
    /** `compile`, `documents` or `all`. */
    part: { type: 'string', default: 'all' },
    documents: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    spoilt: { type: 'boolean', default: false },
    show: { type: 'string', default: '20' },
  },
});

/** Disagreements that are meant, each with its reason; see docs/guides/yang.md. */
const LIMITS: readonly (readonly [reason: string, is: (one: Judged) => boolean])[] = [
  [
    'libyang has code of its own for the typedef node-instance-identifier, whose YANG is any string',
    ({ theirs = '' }) => /Invalid instance-identifier .*(?:nacm|system-capabilities)/.test(theirs),
  ],
  [
    'the target of an instance-identifier is looked for in the schema, also in a union: the schema carries a warning',
    ({ ours, theirs = '' }) =>
      ours === undefined && /Invalid union value "\/|Invalid instance-identifier/.test(theirs),
  ],
  [
    'libyang reads 64-bit numbers with leading zeros, as octal; RFC 7951 documents have decimal numbers',
    ({ ours = '', theirs }) => theirs === undefined && ours.includes('must match pattern "^(?:-0|'),
  ],
];

interface Tally {
  readonly limits: Map<string, number>;
  agreed: number;
  accepted: number;
  disagreed: Judged[];
  /** Documents that were meant to be valid and that neither accepts: faults of the generator. */
  spoilt: Judged[];
  readonly skipped: Map<string, number>;
}

/** yanglint runs in a folder of its own. */
const folder = resolve(options.modules);

const say = (text: string) => process.stdout.write(`${text}\n`);

if (hasYanglint()) {
  if (options.part !== 'documents') compile();
  if (options.part !== 'compile') await differ();
} else say('yanglint (libyang2-tools) is not installed; nothing was compared');

function compile(): void {
  const files = yangFiles(folder).filter((file) => file.includes(options.only));
  const report = compileAll(files, folder);
  say(
    `files ${files.length}: compiled by both ${report.compiledByBoth}, refused by both ${report.refusedByBoth}`,
  );
  say(`refused by yanglint unless it implements what the module refers to (-i): ${report.needImplementing}`);
  say(`compiled by yanglint alone ${report.onlyTheirs.length}, by us alone ${report.onlyOurs.length}`);
  for (const file of [...report.onlyTheirs, ...report.onlyOurs]) say(`  ${file}`);
  say(
    `time ${report.ourMilliseconds} ms in one process of ${report.megabytes} MB; yanglint ${report.theirMilliseconds} ms, a process each`,
  );
}

async function differ(): Promise<void> {
  const files = yangFiles(folder).filter((file) => file.includes(options.only));
  const library = directoryLibrary([folder]);
  const tally: Tally = {
    limits: new Map(),
    agreed: 0,
    accepted: 0,
    disagreed: [],
    spoilt: [],
    skipped: new Map(),
  };
  for (const [at, file] of files.entries()) {
    const source = { file, text: readFileSync(file, 'utf8') };
    const content = at % 3 === 2 ? 'all' : 'config';
    const seed = Number(options.seed) + at;
    const judged = await compare({
      source,
      options: { library },
      content,
      documents: Number(options.documents),
      seed,
    });
    if ('skipped' in judged) count(tally.skipped, judged.skipped.replaceAll(/"[^"]*"/g, '"..."'));
    else for (const one of judged) enter(one, tally);
  }
  report(tally, files.length);
}

function enter(one: Judged, tally: Tally): void {
  if ((one.ours === undefined) === (one.theirs === undefined)) tally.agreed += 1;
  else {
    const limit = LIMITS.find(([, is]) => is(one));
    if (limit) count(tally.limits, limit[0]);
    else tally.disagreed.push(one);
  }
  if (one.theirs === undefined) tally.accepted += 1;
  else if (one.what === 'valid' && one.ours !== undefined) tally.spoilt.push(one);
}

function report({ limits, agreed, accepted, disagreed, spoilt, skipped }: Tally, files: number): void {
  const all = agreed + disagreed.length;
  say(`modules ${files}, documents ${all}, of which yanglint accepts ${accepted}`);
  say(
    `agreed ${agreed} (${((100 * agreed) / Math.max(all, 1)).toFixed(3)} %), disagreed ${disagreed.length}`,
  );
  say(`meant to be valid and refused by both: ${spoilt.length}`);
  if (options.spoilt) for (const one of spoilt.slice(0, 20)) say(`  ${one.ours ?? ''} | ${one.theirs ?? ''}`);
  for (const [why, times] of limits) say(`limit, not counted, ${times}: ${why}`);
  for (const [why, times] of skipped) say(`skipped ${times}: ${why}`);
  const kinds = new Map<string, number>();
  for (const one of disagreed) count(kinds, kindOf(one));
  for (const [kind, times] of [...kinds].sort(([, a], [, b]) => b - a)) say(`disagreed ${times}: ${kind}`);
  for (const one of disagreed.slice(0, Number(options.show)))
    say(
      `\n${one.module} (${one.what})\n  ours:   ${one.ours ?? 'accepts'}\n  theirs: ${one.theirs ?? 'accepts'}\n  ${JSON.stringify(one.document).slice(0, 400)}`,
    );
}

function kindOf({ what, ours, theirs }: Judged): string {
  const complaint = ours ?? theirs ?? '';
  const words = complaint.replaceAll(/"[^"]*"|\/\S+|\{.*\}/g, '..').replace(/\(path.*$/, '');
  return `${what}: ${ours === undefined ? 'only yanglint refuses' : 'only we refuse'}: ${words.slice(0, 120)}`;
}

function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

function yangFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yang'))
    .sort()
    .map((name) => join(folder, name));
}
