import { isList, isMembers, type Json, WrittenNumber } from './json.js';
import { writtenAs } from './read-json.js';

/**
 * Formats a value as JSON. Parsed objects and arrays without edits are written byte for byte, unless an
 * indent is given. Numbers always keep their digits.
 */
export function writeJson(value: Json, indent = 0): string {
  return indent > 0 ? laidOut(value, ' '.repeat(indent), '\n') : compact(value);
}

function compact(value: Json): string {
  if (isMembers(value)) return writtenAs(value) ?? `{${Object.entries(value).map(compactMember).join(',')}}`;
  if (isList(value)) return writtenAs(value) ?? `[${value.map(compact).join(',')}]`;
  return scalarText(value);
}

function compactMember([name, member]: readonly [string, Json]): string {
  return `${JSON.stringify(name)}:${compact(member)}`;
}

function laidOut(value: Json, indent: string, newLine: string): string {
  const inner = newLine + indent;
  if (isMembers(value)) {
    const members = Object.entries(value).map(
      ([name, member]) => `${inner}${JSON.stringify(name)}: ${laidOut(member, indent, inner)}`,
    );
    return members.length === 0 ? '{}' : `{${members.join(',')}${newLine}}`;
  }
  if (isList(value)) {
    const items = value.map((item) => inner + laidOut(item, indent, inner));
    return items.length === 0 ? '[]' : `[${items.join(',')}${newLine}]`;
  }
  return scalarText(value);
}

function scalarText(value: null | boolean | number | string | WrittenNumber): string {
  return value instanceof WrittenNumber ? value.text : JSON.stringify(value);
}
