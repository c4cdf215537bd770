import { childOf, type Statement } from '../../src/yang/syntax/statement.js';

/** Conditions that JSON Schema cannot express; both compilers are compared without them. */
const DROPPED = new Set(['when', 'must']);

/** Types whose targets need not exist with `require-instance false`. */
const REFERRING = new Set(['leafref', 'instance-identifier']);

/**
 * Prints a module as YANG 1.1 without the conditions that JSON Schema cannot express: no `when`, no `must`,
 * and `require-instance false` for every reference.
 */
export function printWithoutConditions(root: Statement): string {
  const lines: string[] = [];
  print(root, lines);
  return lines.join('\n');
}

function print(statement: Statement, lines: string[]): void {
  if (DROPPED.has(statement.keyword) || statement.keyword === 'yang-version') return;
  // The output is for compilers, not for readers.
  const quoted = statement.hasArgument ? ` "${escaped(statement.argument)}"` : '';
  lines.push(`${statement.keyword}${quoted} {`);
  if (statement.parent === undefined) lines.push('yang-version "1.1";');
  for (const child of statement.children) if (child.keyword !== 'require-instance') print(child, lines);
  if (
    statement.keyword === 'type' &&
    REFERRING.has(statement.argument) &&
    !childOf(statement, 'require-instance')
  )
    lines.push('require-instance "false";');
  else if (childOf(statement, 'require-instance')) lines.push('require-instance "false";');
  lines.push('}');
}

/** Escapes line breaks, because a literal line break would lose the spaces next to it. */
function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}
