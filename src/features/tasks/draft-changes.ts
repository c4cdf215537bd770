import type { DraftChange, TaskDraft } from '../../core/task.js';
import { isJsonObject, memberOf } from '../../json/json-object.js';
import { pointerTo, pointerTokens } from '../../json/pointer.js';
import { alignEntries, createValueNumber, type ValueNumber } from './align-entries.js';

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
