import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { LocatedFault } from '../core/fault.js';
import { pointerTo } from '../json/pointer.js';
import { parseExactJson } from '../json/strict-json.js';
import { type Environment, type Insertion, interpolate } from './interpolate.js';

/** Offsets in the text: of a value and, for a member of an object, of its name. */
export interface TextPosition {
  readonly at: number;
  readonly key?: number;
}

/** Fault with an offset instead of a line and column. */
interface UnlocatedFault extends LocatedFault {
  readonly offset: number;
  /** For a name that occurs twice: the offset of its first occurrence. */
  readonly earlier?: number | undefined;
}

/** Plain values of a document, and their positions by pointer. */
interface ReadValues {
  readonly value: unknown;
  readonly positions: ReadonlyMap<string, TextPosition>;
  /** Scalars with environment variables, by pointer. */
  readonly insertions: ReadonlyMap<string, Insertion>;
  readonly faults: readonly UnlocatedFault[];
}

/** Maximum nesting of a document. Deeper documents overflow the stack of code that walks them. */
export const DEPTH_LIMIT = 64;

/**
 * Maximum number of values after aliases are expanded, so that aliases of aliases cannot exhaust the memory.
 */
const VALUE_LIMIT = 100_000;

/** What values may be, beyond those of a configuration. */
export interface ValueTerms {
  /** True: a whole number that a double does not keep is a `bigint` instead of a fault. */
  readonly keepsNumbers?: boolean | undefined;
  /** True: a member may have any name, as in JSON, also `__proto__`. */
  readonly takesAnyName?: boolean;
}

interface Walk extends ValueTerms {
  readonly env: Environment | undefined;
  readonly positions: Map<string, TextPosition>;
  readonly insertions: Map<string, Insertion>;
  readonly faults: UnlocatedFault[];
  /** Latest node of each anchor name; `undefined` while the walk is inside it. */
  readonly anchors: Map<string, Node | undefined>;
}

/** Position of a node in the document. */
interface NodePosition {
  readonly pointer: string;
  readonly place: TextPosition;
  readonly depth: number;
}

/**
 * Converts parsed YAML into values that share no objects, with environment variables filled in; without an environment they
 * stay.
 */
export function readValues(
  contents: unknown,
  env: Environment | undefined,
  terms: ValueTerms = {},
): ReadValues {
  const walk: Walk = {
    ...terms,
    env,
    positions: new Map(),
    insertions: new Map(),
    faults: [],
    anchors: new Map(),
  };
  const value =
    contents === null ? {} : read(walk, contents, { pointer: '', place: placeOf(contents), depth: 0 });
  return { value, positions: walk.positions, insertions: walk.insertions, faults: walk.faults };
}

function read(walk: Walk, node: unknown, position: NodePosition): unknown {
  if (position.depth > DEPTH_LIMIT) return reportFault(walk, position, TOO_DEEP);
  if (walk.positions.size >= VALUE_LIMIT) return reportFault(walk, position, TOO_LARGE);
  walk.positions.set(position.pointer, position.place);
  if (isAlias(node)) return readAlias(walk, node, position);
  if (isScalar(node)) return readScalar(walk, anchored(walk, node), position);
  if (!isMap(node) && !isSeq(node)) return null;
  const { anchor } = node;
  if (anchor !== undefined) walk.anchors.set(anchor, undefined);
  const value = isMap(node) ? readMap(walk, node, position) : readSeq(walk, node, position);
  anchored(walk, node);
  return value;
}

function anchored<N extends Node>(walk: Walk, node: N & { anchor?: string }): N {
  if (node.anchor !== undefined) walk.anchors.set(node.anchor, node);
  return node;
}

function readAlias(walk: Walk, alias: Alias, position: NodePosition): unknown {
  const node = walk.anchors.get(alias.source);
  return node
    ? read(walk, node, { ...position, depth: position.depth + 1 })
    : reportFault(walk, position, UNRESOLVED);
}

function readSeq(walk: Walk, { items }: YAMLSeq, position: NodePosition): unknown[] {
  return items.map((item, at) => {
    const pointer = pointerTo(position.pointer, at);
    return read(walk, item, { pointer, place: placeOf(item, position.place), depth: position.depth + 1 });
  });
}

function readMap(walk: Walk, { items }: YAMLMap, position: NodePosition): Record<string, unknown> {
  const members = new Map<string, unknown>();
  for (const pair of items as readonly Pair[]) {
    const { key, value } = pair;
    const name = isScalar(key) ? String(key.value) : '';
    const named = placeOf(key, position.place).at;
    if (lacksBlank(name, key, value)) {
      reportFault(walk, { ...position, place: { at: named } }, NO_BLANK);
      continue;
    }
    const pointer = pointerTo(position.pointer, name);
    const member = {
      pointer,
      place: { ...placeOf(value, { at: named }), key: named },
      depth: position.depth + 1,
    };
    const refusal = members.has(name)
      ? { ...DUPLICATE, earlier: walk.positions.get(pointer)?.key }
      : refusedName(name, pair, walk);
    if (refusal) reportFault(walk, { ...member, place: { at: named } }, refusal);
    else members.set(name, read(walk, value, member));
  }
  return Object.fromEntries(members);
}

/** Returns true for a name and a value without a blank between them, as in `{ listen:127.0.0.1:3000 }`: YAML reads a name. */
function lacksBlank(name: string, key: unknown, value: unknown): boolean {
  return value === null && isScalar(key) && key.type === Scalar.PLAIN && /^[\w-]+:./.test(name);
}

/** Returns the fault of a name that no object may have; `undefined` for any other name. */
function refusedName(
  name: string,
  { key, value }: Pair,
  { takesAnyName = false }: ValueTerms,
): FaultText | undefined {
  if (name === '__proto__' && !takesAnyName) return RESERVED;
  const isMerge = name === '<<' && isScalar(key) && key.type === Scalar.PLAIN && !isScalar(value);
  return isMerge ? MERGE_KEY : undefined;
}

function readScalar(walk: Walk, { value, source }: Scalar, position: NodePosition): unknown {
  if (typeof value === 'string') return readText(walk, value, position);
  if (typeof value !== 'number') return value;
  const exact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  if (exact) return value;
  const kept = walk.keepsNumbers && source !== undefined && parseExactJson(Buffer.from(source));
  return kept && 'value' in kept ? kept.value : reportFault(walk, position, INEXACT);
}

function readText(walk: Walk, written: string, position: NodePosition): string {
  if (!walk.env) return written;
  const { text, insertion, missing, malformed } = interpolate(written, walk.env);
  if (insertion) walk.insertions.set(position.pointer, insertion);
  for (const name of missing) reportFault(walk, position, unsetFault(name));
  if (malformed) reportFault(walk, position, MALFORMED);
  return text;
}

function placeOf(node: unknown, otherwise: TextPosition = { at: 0 }): TextPosition {
  const range = (node as Node | null)?.range;
  return range ? { at: range[0] } : { at: otherwise.at };
}

type FaultText = Pick<UnlocatedFault, 'code' | 'message' | 'fix' | 'earlier'>;

function reportFault(walk: Walk, { pointer, place }: NodePosition, what: FaultText): null {
  // One fault about the size is sufficient.
  if (what !== TOO_LARGE || !walk.faults.some(({ message }) => message === TOO_LARGE.message))
    walk.faults.push({ pointer, offset: place.at, ...what });
  return null;
}

function unsetFault(name: string): FaultText {
  const fix = `Set ${name} for the process, or write \${${name}:-default}.`;
  return { code: 'env', message: `needs the environment variable ${name}, which is not set`, fix };
}

const MALFORMED: FaultText = {
  code: 'env',
  message: 'holds a "${" that does not start a variable',
  fix: 'Write ${NAME} or ${NAME:-default} (no braces in the default), or $${ for a literal "${".',
};
const TOO_DEEP: FaultText = {
  code: 'yaml',
  message: `is nested deeper than ${DEPTH_LIMIT} levels`,
  fix: 'Write a flatter document.',
};
const TOO_LARGE: FaultText = {
  code: 'yaml',
  message: `exceeds the maximum of ${VALUE_LIMIT} values in a document`,
  fix: 'Write a smaller document; values repeated by aliases count each time.',
};
const UNRESOLVED: FaultText = {
  code: 'yaml',
  message: 'is an alias without an anchor before it',
  fix: 'Put the value in quotes if it is meant to start with "*"; otherwise define the anchor first.',
};
const DUPLICATE: FaultText = {
  code: 'yaml',
  message: 'occurs twice in its object',
  fix: 'Remove one of the two.',
};
const MERGE_KEY: FaultText = {
  code: 'yaml',
  message: 'is a merge key of YAML 1.1, which YAML 1.2 does not have',
  fix: 'Write the members here in full; "NAME: *ALIAS" repeats a whole value.',
};
const NO_BLANK: FaultText = {
  code: 'yaml',
  message: 'has a name without a space after its colon',
  fix: 'Write a space after the colon.',
};
const RESERVED: FaultText = {
  code: 'yaml',
  message: 'is a reserved name',
  fix: 'Choose another name.',
};
const INEXACT: FaultText = {
  code: 'yaml',
  message: 'is a number that cannot be stored exactly',
  fix: 'Put it in quotes if it is text; otherwise write a smaller number.',
};
