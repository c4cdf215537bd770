import { canonicalJson } from '../../json/canonical-json.js';
import { isJsonObject, type JsonObject, memberOf } from '../../json/json-object.js';
import { pointerTo } from '../../json/pointer.js';
import type { DeclaredRecord, RecordKind, ServerRecord } from './record-kind.js';

/** A difference between a record of a server and that of a file; an absent value is undefined. */
export interface Difference {
  readonly pointer: string;
  readonly present: unknown;
  readonly declared: unknown;
}

export interface PlannedUpdate {
  readonly action: 'update';
  readonly kind: RecordKind;
  readonly declared: DeclaredRecord;
  readonly present: ServerRecord;
  readonly differences: readonly Difference[];
}

/** A change that makes the server equal to the files. */
export type PlannedChange =
  | { readonly action: 'create'; readonly kind: RecordKind; readonly declared: DeclaredRecord }
  | PlannedUpdate
  | { readonly action: 'delete'; readonly kind: RecordKind; readonly present: ServerRecord };

/**
 * Plans the changes of one kind: creations and updates in the order of the files, then deletions of what no file
 * declares, if `prune` is set. Records in files of the server are never deleted.
 */
export function planChanges(
  kind: RecordKind,
  {
    declared,
    present,
  }: { readonly declared: readonly DeclaredRecord[]; readonly present: readonly ServerRecord[] },
  prune: boolean,
): readonly PlannedChange[] {
  const byName = new Map(present.map((record) => [record.name, record]));
  const names = new Set(declared.map(({ name }) => name));
  const changes = declared.flatMap((record): readonly PlannedChange[] => {
    const known = byName.get(record.name);
    if (!known) return [{ action: 'create', kind, declared: record }];
    const differences = differencesOf(kind, known.value, record.value);
    return differences.length === 0
      ? []
      : [{ action: 'update', kind, declared: record, present: known, differences }];
  });
  const undeclared = present.filter(({ name, isInFile }) => !names.has(name) && isInFile !== true);
  const deletions = undeclared.map((record) => ({ action: 'delete', kind, present: record }) as const);
  return [...changes, ...(prune ? deletions : [])];
}

function differencesOf(kind: RecordKind, present: JsonObject, declared: JsonObject): readonly Difference[] {
  const whole = { pointer: '', present: kind.normalize(present), declared: kind.normalize(declared) };
  return [...compare(kind, whole, kind.complete.includes(''))];
}

function* compare(
  kind: RecordKind,
  { pointer, present, declared }: Difference,
  isComplete: boolean,
): Generator<Difference> {
  if (!isJsonObject(declared) || !isJsonObject(present)) {
    if (!isSame(present, declared)) yield { pointer, present, declared };
    return;
  }
  const names = isComplete ? [...Object.keys(declared), ...Object.keys(present)] : Object.keys(declared);
  for (const name of new Set(names)) {
    const at = pointerTo(pointer, name);
    const member = { pointer: at, present: memberOf(present, name), declared: memberOf(declared, name) };
    yield* compare(kind, member, isComplete || kind.complete.includes(at));
  }
}

/** Null and an empty object are equal to an absent member, as in requests. */
function isSame(present: unknown, declared: unknown): boolean {
  // By their JSON: a file may have the number -0, which a server stores as 0.
  return canonicalJson(present) === canonicalJson(declared) || (isBlank(present) && isBlank(declared));
}

function isBlank(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

export function nameOf(change: PlannedChange): string {
  return change.action === 'delete' ? change.present.name : change.declared.name;
}
