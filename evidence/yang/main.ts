import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { directoryLibrary } from '../../src/yang/modules/library.js';
import { YANGLINT } from '../../test/support/need-list.js';
import { lackOf } from '../../test/support/needs.js';
import { report, SABOTAGED } from '../report.js';
import { compareRules } from './compare-rules.js';
import { compare, type CheckedModule } from './compare.js';
import { compileAll } from './compile-all.js';
import { DIFFERENCES, readExplanations, reasonFor, tableOf } from './differences.js';
import { EXPLAINED } from './explained.js';
import { PYANG } from './judges.js';

const { values: options } = parseArgs({
  options: {
    modules: { type: 'string', default: process.env['YANG_MODULES'] ?? '../shared/data/yang' },
    /** Further folders with modules, for `compile`. */
    folder: { type: 'string', multiple: true, default: [] },
    /** Folders with modules that the others import, for `compile`. */
    library: { type: 'string', multiple: true, default: [] },
    /** File to which `compile` writes the table of differences. */
    table: { type: 'string' },
    only: { type: 'string', default: '' },
    /** `compile`, `documents` (by JSON Schema), `rules` (by the compiled tree) or `all`. */
    part: { type: 'string', default: 'all' },
    documents: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    spoilt: { type: 'boolean', default: false },
    show: { type: 'string', default: '20' },
  },
});

interface YangCounts {
  readonly explained: Map<string, number>;
  agreed: number;
  accepted: number;
  disagreed: CheckedModule[];
  /** Documents that should be valid and that neither compiler accepts: faults of the generator. */
  spoilt: CheckedModule[];
  readonly skipped: Map<string, number>;
}

/** Maximum number of modules whose documents are judged at the same time. */
const PARALLEL = 2;

/** yanglint runs in another folder. */
const folder = resolve(options.modules);

const say = (text: string) => process.stderr.write(`${text}\n`);

/** Simulates a compiler that does not know the statement `units`. */
const misreadAll = (text: string): string => text.replaceAll(/\bunits\s/g, 'unit ');

/** Simulates a compiler that treats no node as mandatory. */
const misread = (text: string): string => text.replaceAll(/\bmandatory\s+"?true"?/g, 'mandatory false');

if (!lackOf(YANGLINT)) {
  const isAsked = (part: string): boolean => options.part === part || options.part === 'all';
  const compiled = isAsked('compile') ? compile() : undefined;
  const checked = isAsked('documents') ? await differ(compare) : undefined;
  const rules = isAsked('rules') ? await differ(compareRules) : undefined;
  const agree = [checked, rules].every(
    (figures) => figures === undefined || (Number(figures['documents']) > 0 && figures['disagreed'] === 0),
  );
  const isGood = agree && (!compiled || (Number(compiled['modules']) > 0 && compiled['unexplained'] === 0));
  report('yang', isGood, { compiled, checked, rules });
} else say('yang: skipped, since yanglint (libyang2-tools) is not installed');

/** Returns the results of our compiler and the judges for every separate module of all folders. */
function compile(): Readonly<Record<string, unknown>> {
  const explanations = readExplanations(DIFFERENCES);
  const all = [folder, ...options.folder.map((one) => resolve(one))];
  const library = [...all, ...options.library.map((one) => resolve(one))];
  const reports = all.map((one) => {
    const files = yangFiles(one).filter((file) => file.includes(options.only));
    const others = library.filter((other) => other !== one);
    const { differences, ...figures } = compileAll(
      files,
      [one, ...others],
      SABOTAGED ? misreadAll : undefined,
    );
    say(`${one}: ${JSON.stringify(figures)}`);
    return { differences, figures };
  });
  const differences = reports.flatMap((one) => one.differences);
  const reasons = new Map<string, number>();
  for (const one of differences) count(reasons, reasonFor(one, explanations) ?? '');
  for (const [reason, times] of reasons) if (reason !== '') say(`explained ${times}: ${reason}`);
  const unexplained = differences.filter((one) => reasonFor(one, explanations) === undefined);
  for (const { judge, file, ours, theirs } of unexplained)
    say(`not explained: ${file}\n  gatehouse: ${ours ?? 'accepts'}\n  ${judge}: ${theirs ?? 'accepts'}`);
  if (options.table !== undefined) writeFileSync(options.table, tableOf(differences, explanations));
  const [first] = reports;
  return {
    ...first?.figures,
    modules: reports.reduce((sum, { figures }) => sum + figures.modules, 0),
    judges: PYANG === undefined ? ['libyang'] : ['libyang', 'pyang'],
    explained: differences.length - unexplained.length,
    unexplained: unexplained.length,
  };
}

/** Returns the results of both compilers for valid and corrupted documents. */
async function differ(check: typeof compare): Promise<Readonly<Record<string, number>>> {
  const files = yangFiles(folder).filter((file) => file.includes(options.only));
  const library = directoryLibrary([folder]);
  const tally: YangCounts = {
    explained: new Map(),
    agreed: 0,
    accepted: 0,
    disagreed: [],
    spoilt: [],
    skipped: new Map(),
  };
  // While yanglint judges the documents of one module, this process makes those of the next.
  const running: ReturnType<typeof check>[] = [];
  const enterNext = async (): Promise<void> => {
    const checked = (await running.shift()) ?? [];
    if ('skipped' in checked) count(tally.skipped, checked.skipped.replaceAll(/"[^"]*"/g, '"..."'));
    else for (const one of checked) enter(one, tally);
  };
  for (const [at, file] of files.entries()) {
    running.push(
      check({
        source: { file, text: readFileSync(file, 'utf8') },
        options: { library },
        content: at % 3 === 2 ? 'all' : 'config',
        documents: Number(options.documents),
        seed: Number(options.seed) + at,
        ...(SABOTAGED && { misread }),
      }),
    );
    if (running.length === PARALLEL) await enterNext();
  }
  while (running.length > 0) await enterNext();
  tell(tally);
  const { agreed, accepted, disagreed, spoilt } = tally;
  const documents = agreed + disagreed.length;
  const explained = [...tally.explained.values()].reduce((sum, times) => sum + times, 0);
  const faults = { disagreed: disagreed.length, explained, spoilt: spoilt.length };
  const figures = { documents, accepted, agreed, ...faults };
  return { modules: files.length, ...figures };
}

function enter(one: CheckedModule, tally: YangCounts): void {
  if ((one.ours === undefined) === (one.theirs === undefined)) tally.agreed += 1;
  else {
    const known = EXPLAINED.find(([, is]) => is(one));
    if (known) count(tally.explained, known[0]);
    else tally.disagreed.push(one);
  }
  if (one.theirs === undefined) tally.accepted += 1;
  else if (one.what === 'valid' && one.ours !== undefined) tally.spoilt.push(one);
}

function tell({ explained, disagreed, spoilt, skipped }: YangCounts): void {
  if (options.spoilt) for (const one of spoilt.slice(0, 20)) say(`  ${one.ours ?? ''} | ${one.theirs ?? ''}`);
  for (const [why, times] of explained) say(`explained, not counted, ${times}: ${why}`);
  for (const [why, times] of skipped) say(`skipped ${times}: ${why}`);
  const kinds = new Map<string, number>();
  for (const one of disagreed) count(kinds, kindOf(one));
  for (const [kind, times] of [...kinds].sort(([, a], [, b]) => b - a)) say(`disagreed ${times}: ${kind}`);
  for (const one of disagreed.slice(0, Number(options.show)))
    say(
      `\n${one.module} (${one.what})\n  ours:   ${one.ours ?? 'accepts'}\n  theirs: ${one.theirs ?? 'accepts'}\n  ${JSON.stringify(one.document).slice(0, 400)}`,
    );
}

function kindOf({ what, ours, theirs }: CheckedModule): string {
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
