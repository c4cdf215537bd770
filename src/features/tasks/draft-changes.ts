import { isJsonObject, memberOf } from '../../json/json-object.js';
import { pointerTo, pointerTokens } from '../../json/pointer.js';
import type { DraftChange, TaskDraft } from './task.js';
/** Author and time of a change to a task. */
export type ChangeStamp = Omit<DraftChange, 'pointers'>;

/** Maximum number of pointers that a draft keeps; those of the oldest changes are dropped. */
const MAX_POINTERS = 2000;

/** The last change of a location, and those of the locations below it. */
interface ChangeNode {
  stamp?: ChangeStamp;
  readonly members: Map<string, ChangeNode>;
}

/**
 * Returns who changed which part of a draft last, after a person has saved new data. The parts that the person did not
 * change keep their authors, also if entries of lists have another index now.
 */
export function draftChanges(
  { formData: before, changes }: Pick<TaskDraft, 'formData' | 'changes'>,
  after: unknown,
  stamp: ChangeStamp,
): readonly DraftChange[] {
  const found: Located[] = [];
  compare(
    { before, after, earlier: treeOf(changes ?? []), pointer: '' },
    { stamp, found, valueNumber: createValueNumber() },
  );
  return grouped(found);
}

type Located = readonly [pointer: string, stamp: ChangeStamp];

interface Compared {
  readonly before: unknown;
  readonly after: unknown;
  readonly earlier: ChangeNode | undefined;
  /** Location in the new data. */
  readonly pointer: string;
}

interface Result {
  readonly valueNumber: ValueNumber;
  readonly stamp: ChangeStamp;
  readonly found: Located[];
}

function compare(compared: Compared, result: Result): void {
  const { before, after, earlier, pointer } = compared;
  const { stamp, found, valueNumber } = result;
  if (valueNumber(before) === valueNumber(after)) addAll(earlier, pointer, found);
  else if (isJsonObject(before) && isJsonObject(after)) {
    addOwn(earlier, pointer, found);
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const inner = {
        before: memberOf(before, name),
        after: memberOf(after, name),
        earlier: earlier?.members.get(name),
        pointer: pointerTo(pointer, name),
      };
      // JSON has no undefined: such a member is absent in one of both.
      if (inner.before === undefined || inner.after === undefined) found.push([inner.pointer, stamp]);
      else compare(inner, result);
    }
  } else if (isEntryList(before) && isEntryList(after)) compareLists({ ...compared, before, after }, result);
  else found.push([pointer, stamp]);
}

function compareLists(
  { before, after, earlier, pointer }: Compared & Record<'before' | 'after', readonly unknown[]>,
  result: Result,
): void {
  const { stamp, found, valueNumber } = result;
  const alignment = alignEntries(before, after, valueNumber);
  const kept = alignment.filter((from) => from !== -1);
  const isMoved = kept.some((from, at) => at > 0 && from < (kept[at - 1] ?? -1));
  if (isMoved || kept.length < before.length) found.push([pointer, stamp]);
  else addOwn(earlier, pointer, found);
  alignment.forEach((from, at) => {
    const location = pointerTo(pointer, at);
    const entry = earlier?.members.get(String(from));
    if (from === -1) found.push([location, stamp]);
    else compare({ before: before[from], after: after[at], earlier: entry, pointer: location }, result);
  });
}

/** Returns true for a list with structured entries. A list of scalars is one value. */
function isEntryList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.some((entry) => typeof entry === 'object' && entry !== null);
}

function treeOf(changes: readonly DraftChange[]): ChangeNode {
  const root: ChangeNode = { members: new Map() };
  for (const { pointers, ...stamp } of changes)
    for (const pointer of pointers) {
      let node = root;
      for (const token of pointerTokens(pointer)) {
        const next: ChangeNode = node.members.get(token) ?? { members: new Map() };
        node.members.set(token, next);
        node = next;
      }
      node.stamp = stamp;
    }
  return root;
}

function addOwn(node: ChangeNode | undefined, pointer: string, found: Located[]): void {
  if (node?.stamp) found.push([pointer, node.stamp]);
}

function addAll(node: ChangeNode | undefined, pointer: string, found: Located[]): void {
  addOwn(node, pointer, found);
  for (const [token, member] of node?.members ?? []) addAll(member, pointerTo(pointer, token), found);
}

/** Groups the locations by change, the latest change first, and drops those of the oldest ones. */
function grouped(found: readonly Located[]): readonly DraftChange[] {
  const groups = new Map<string, { readonly stamp: ChangeStamp; readonly pointers: string[] }>();
  for (const [pointer, stamp] of found) {
    const key = JSON.stringify([stamp.at, stamp.byIssuer, stamp.by]);
    const group = groups.get(key) ?? { stamp, pointers: [] };
    groups.set(key, group);
    group.pointers.push(pointer);
  }
  let left = MAX_POINTERS;
  return [...groups.values()]
    .toSorted((one, other) => (one.stamp.at < other.stamp.at ? 1 : -1))
    .flatMap(({ stamp, pointers }) => {
      const kept = pointers.slice(0, left);
      left -= kept.length;
      return kept.length === 0 ? [] : [{ ...stamp, pointers: kept }];
    });
}

/** Returns the same number for equal JSON values, whatever the order of their members. */
type ValueNumber = (value: unknown) => number;

/**
 * Creates a function that numbers JSON values. It reads each value once, so that the comparison of all parts of two
 * documents takes no more than their size.
 */
function createValueNumber(): ValueNumber {
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
function alignEntries(
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
