import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../test/docs/markdown.js';
import { CATALOGUE } from './catalogue.js';
import { GROUPS } from './groups.js';
import { NUMBERS } from './numbers.js';
import type { EvidenceRecord, Records } from './records.js';

/** Path of the generated page. */
export const EVIDENCE_PAGE = join(ROOT, 'docs', 'evidence.md');

/** Returns the page of evidence: targets, results, sabotages, and the checks of each threat. */
export function evidencePage(records: Records): string {
  return `# Evidence

Made by \`npm run evidence -- --document\` of what the groups printed, which is kept in [evidence/](evidence): no figure here is
typed. A group is run by \`npm run evidence -- GROUP\`; \`npm test\` has the short form of each. Public suites are no part of
the product: \`PUBLIC_SUITES\` names the folder with copies of them, and where there is none the groups go by our own vectors.

## The numbers

${table(['', 'Asked for', 'Found', 'By'], numberRows(records))}

## The groups

A group that cannot fail proves nothing: \`npm run evidence -- --sabotage GROUP\` puts something broken in the place of a part,
and the group must fail then.

${table(['Group', 'Shows', 'Holds', 'Broken on purpose', 'Of'], groupRows(records))}

## The catalogue

Each way of attack or failure that the product is tried with, and what tries it.

${table(['', 'Tried with', 'Shown by'], catalogueRows())}
`;
}

function numberRows(records: Records): readonly (readonly string[])[] {
  return NUMBERS.map(({ asked, found, groups, note }, at) => {
    const figures = found(records);
    return [
      String(at + 1),
      asked,
      [figures, note].filter(Boolean).join(' ') || 'not measured yet',
      groups.map((group) => `\`${group}\``).join(', '),
    ];
  });
}

function groupRows(records: Records): readonly (readonly string[])[] {
  return Object.entries(GROUPS).map(([name, { says, sabotage }]) => {
    const record = records[name];
    const broken = records[`${name}.sabotaged`];
    const fails = broken && !broken.holds ? `${sabotage}: fails` : sabotage;
    return [`\`${name}\``, says, holds(record), fails, record ? origin(record) : ''];
  });
}

function holds(record: EvidenceRecord | undefined): string {
  if (!record) return 'not run';
  return record.holds ? 'yes' : 'no';
}

function origin({ version, commit, node, date }: EvidenceRecord): string {
  return `${version} (${commit}), Node.js ${node}, ${date}`;
}

function catalogueRows(): readonly (readonly string[])[] {
  const titled = testsByTitle();
  return Object.entries(CATALOGUE).map(([id, { what, tests = [], open }]) => {
    const groups = Object.entries(GROUPS).filter(([, { shows }]) => shows?.includes(id));
    const files = [...new Set([...tests, ...(titled.get(id) ?? [])])].sort();
    const shown = [...groups.map(([name]) => `\`${name}\``), ...files.map((file) => `\`test/${file}\``)];
    return [id, what, [shown.join(', '), open && `open: ${open}`].filter(Boolean).join('; ') || 'open'];
  });
}

/** Titles of tests begin with the IDs that they check: `S3: …`, `P1, P2: …`. */
const TITLE = /\b(?:it|describe)\(\s*[`'"]((?:[A-Z]\d{1,2}, )*[A-Z]\d{1,2})(?::| )/g;

/** Files of tests, from `test/`, by the ids that their titles begin with. */
function testsByTitle(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const file of readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' }).sort()) {
    if (!file.endsWith('.ts')) continue;
    const ids = [...readFileSync(join(ROOT, 'test', file), 'utf8').matchAll(TITLE)].flatMap(([, list = '']) =>
      list.split(', '),
    );
    for (const id of new Set(ids)) found.set(id, [...(found.get(id) ?? []), file.replaceAll('\\', '/')]);
  }
  return found;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
