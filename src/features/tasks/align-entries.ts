import { isJsonObject } from '../../json/json-object.js';

/** Returns the same number for equal JSON values, whatever the order of their members. */
export type ValueNumber = (value: unknown) => number;

/**
 * Creates a function that numbers JSON values. It reads each value once, so that the comparison of all parts of two
 * documents takes no more than their size.
 */
export function createValueNumber(): ValueNumber {
  const numbers = new Map<string, number>();
  const known = new WeakMap<object, number>();
  const numberOf = (text: string): number => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
  const valueNumber: ValueNumber = (value) => {
    if (typeof value === 'string') return numberOf(`"${value}`);
    // The text of every other scalar is its JSON.
    if (typeof value !== 'object' || value === null) return numberOf(String(value));
    const seen = known.get(value);
    if (seen !== undefined) return seen;
    const parts = Array.isArray(value) ? value.map(valueNumber) : membersOf(value, valueNumber);
    const number = numberOf(`${isJsonObject(value) ? '{' : '['}${parts.join(',')}`);
    known.set(value, number);
    return number;
  };
  return valueNumber;
}

function membersOf(value: object, valueNumber: ValueNumber): readonly string[] {
  return Object.entries(value)
    .map(([name, member]) => `${name.length} ${name}:${valueNumber(member)}`)
    .sort();
}

/**
 * Finds the entries of a list in its earlier state: for each entry its earlier index, or -1 for a new entry. Equal
 * entries match wherever they are. An entry that equals none is the changed form of the earlier entry that followed
 * the same predecessor, if that entry is gone; otherwise it is new.
 */
export function alignEntries(
  before: readonly unknown[],
  after: readonly unknown[],
  valueNumber: ValueNumber,
): readonly number[] {
  const positions = new Map<number, number[]>();
  before.forEach((entry, at) => {
    const number = valueNumber(entry);
    const known = positions.get(number);
    if (known) known.push(at);
    else positions.set(number, [at]);
  });
  // Equal entries match in order, so that duplicates do not cross.
  for (const indexes of positions.values()) indexes.reverse();
  const alignment = after.map((entry) => positions.get(valueNumber(entry))?.pop() ?? -1);
  const used = new Set(alignment);
  alignment.forEach((from, at) => {
    const previous = at === 0 ? -1 : (alignment[at - 1] ?? -1);
    const candidate = previous + 1;
    const isAfterMatch = at === 0 || previous !== -1;
    if (from !== -1 || !isAfterMatch || candidate >= before.length || used.has(candidate)) return;
    alignment[at] = candidate;
    used.add(candidate);
  });
  return alignment;
}
