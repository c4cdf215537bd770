import type { SkippedEntry } from './import-properties/import-report.js';
import type { ImportPlan } from './import-properties/plan.js';
import { shown } from './import-properties/source-location.js';
import { formatTable } from './table.js';

/** What a person has to know of an import: what to put into Vault, what to do, and what was left out. */
export function importReport(plan: ImportPlan): string {
  const { adapters } = plan;
  return [
    `${adapters} ${adapters === 1 ? 'adapter' : 'adapters'}\n`,
    secretsPart(plan),
    tasksPart(plan.tasks),
    leftPart(plan.leftOut),
  ]
    .filter((part) => part !== '')
    .join('\n')
    .concat('\n');
}

function secretsPart({ moves, commands }: ImportPlan): string {
  if (moves.length === 0) return '';
  const rows = moves.map(({ pointer, kind, home, hint }) => [
    shown(pointer),
    kind,
    `${home.path}#${home.field}`,
    hint ?? '',
  ]);
  return `${moves.length} ${moves.length === 1 ? 'secret' : 'secrets'} to put into Vault:

${formatTable([['VALUE AT', 'NOW', 'PUT IT AT', ''], ...rows])}
${encryptedNote(moves.map(({ kind }) => kind))}Each command reads one from standard input:

${commands.map((line) => `  ${line}\n`).join('')}`;
}

function encryptedNote(kinds: readonly string[]): string {
  const isLocked = kinds.some((kind) => kind === '$ENC' || kind === '{crypt}');
  return isLocked
    ? 'The platform alone can decrypt its values: take them from there or from their source.\n'
    : '';
}

function tasksPart(tasks: readonly string[]): string {
  return tasks.length === 0 ? '' : `To do:\n\n${tasks.map((task) => `  - ${task}\n`).join('')}`;
}

function leftPart(groups: readonly SkippedEntry[]): string {
  if (groups.length === 0) return '';
  const parts = groups.map(
    ({ pointer, why, instead, leaves }) =>
      `  ${shown(pointer)}: ${leaves.map((leaf) => nameOf(pointer, leaf)).join(', ')}\n    ${why} ${instead}\n`,
  );
  return `Left out, because nothing here corresponds to it:\n\n${parts.join('')}`;
}

/** The place below that of the reason. A secret that nothing needs is worth a word: it should be withdrawn. */
function nameOf(
  above: string,
  { pointer, isSecret }: { readonly pointer: string; readonly isSecret: boolean },
): string {
  const name = pointer === above ? 'it' : shown(pointer.slice(above.length)).slice(1);
  return isSecret ? `${name} (a secret that is not needed)` : name;
}
