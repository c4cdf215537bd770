import { jsonText } from '../../json/write-json.js';
import { escapeUnprintable, printable } from '../../lib/escape-unprintable.js';
import { type Difference, nameOf, type PlannedChange } from './record-plan.js';

/** Maximum length of a value in a line, in characters. */
const MAX_VALUE_LENGTH = 100;

const SIGNS = { create: '+', update: '~', delete: '-' } as const;

/** Returns the lines of a change: the record, and each member that differs. */
export function linesOfChange(change: PlannedChange): string {
  const head = `${SIGNS[change.action]} ${change.kind.title} ${printable(nameOf(change))}\n`;
  return change.action === 'update' ? head + change.differences.map(lineOf).join('') : head;
}

function lineOf({ pointer, present, declared }: Difference): string {
  return `    ${escapeUnprintable(pointer)}: ${shown(present)} -> ${shown(declared)}\n`;
}

function shown(value: unknown): string {
  if (value === undefined) return '(absent)';
  const text = escapeUnprintable(jsonText(value));
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}...` : text;
}

/** Returns the number of changes by action, for people. */
export function summaryOf(changes: readonly PlannedChange[]): string {
  const numberOf = (action: PlannedChange['action']): number =>
    changes.filter((change) => change.action === action).length;
  return `${numberOf('create')} to create, ${numberOf('update')} to update, ${numberOf('delete')} to delete`;
}
