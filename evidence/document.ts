import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../test/docs/markdown.js';
import { CATALOGUE } from './catalogue.js';
import { GROUPS } from './groups.js';
import { NUMBERS } from './numbers.js';
import { quotedFigures } from './readme-figures.js';
import type { EvidenceRecord, Records } from './records.js';

/** Path of the generated page. */
export const EVIDENCE_PAGE = join(ROOT, 'docs', 'evidence.md');

/** Returns the page of evidence: targets, results, sabotages, and the checks of each threat. */
export function evidencePage(records: Records): string {
  return `# Evidence

\`npm run evidence -- --document\` generates this page from the output of the groups, which is stored in [evidence/](evidence).
\`npm run evidence -- GROUP\` runs one group, and \`npm test\` has the short form of each. The product does not contain public
suites: \`PUBLIC_SUITES\` names a folder with copies of them. Without that folder, the groups use only our own vectors.

## The numbers

${table(['', 'Target', 'Result', 'Group'], numberRows(records))}

## Figures of README

${quotedFigures(records)}

## The groups

A group that cannot fail proves nothing: \`npm run evidence -- --sabotage GROUP\` replaces a part with a broken one, and the group
must then fail.

${table(['Group', 'Shows', 'Passes', 'Broken on purpose', 'Measured version'], groupRows(records))}

## The catalogue

The kinds of attacks and failures, and the groups and tests that check each.

${table(['', 'Attack or failure', 'Checked by'], catalogueRows())}
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
