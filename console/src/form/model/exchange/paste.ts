import { pointerTo } from '../../../../../src/json/pointer.js';
import { decodeUri } from '../../../../../src/lib/decode-uri.js';
import { labelOf } from '../field/options.js';
import { keysOf, type Shape } from '../json/align-lists.js';
import { readJson } from '../json/json-text.js';
import { isList, isMembers, type Json, type JsonList, type JsonMembers, sameJson } from '../json/json.js';
import { nodeAt } from '../rows/children.js';
import type { Node } from '../rows/node.js';
import { addEntry, withValue } from '../state/apply-edit.js';
import type { FormState } from '../state/form-state.js';
import { committed } from '../state/history.js';
import { fieldValue } from '../state/values.js';

/** A part of the text that was not applied, by its line from 1. */
export interface PasteProblem {
  readonly line: number;
  readonly reason:
    | 'readOnly'
    | 'noField'
    | 'noValue'
    | 'noJson'
    | 'noList'
    | 'noObject'
    | 'noCsv'
    | 'noColumn';
  /** The path or the column in the text; empty without one. */
  readonly path: string;
}

/** Result of a paste, which is one undo step. */
export interface Pasted {
  readonly state: FormState;
  /** Number of values or lines that were applied. */
  readonly applied: number;
  readonly problems: readonly PasteProblem[];
}

/**
 * Pastes a text at a location. JSON replaces existing members, and matches list entries by their keys. Any
 * other text consists of lines with a path and a value, such as `interface[name=eth0]/mtu 1500`.
 */
export function paste(state: FormState, pointer: string, text: string): Pasted {
  if (state.form.options.readOnly === true) return rejected(state, 'readOnly');
  const trimmed = text.trim();
  return /^[{["]/.test(trimmed) ? pastedJson(state, pointer, trimmed) : pastedLines(state, pointer, text);
}

function pastedJson(state: FormState, pointer: string, text: string): Pasted {
  const node = nodeAt(state, pointer);
  if (!node) return rejected(state, 'noField', pointer);
  let value: Json;
  try {
    value = readJson(text);
  } catch {
    return rejected(state, 'noJson');
  }
  const checks = {
    list: isList,
    'leaf-list': isList,
    container: isMembers,
    presence: isMembers,
    entry: isMembers,
  };
  const fits = checks[node.kind as keyof typeof checks] as ((value: Json) => boolean) | undefined;
  if (fits && !fits(value)) return rejected(state, fits === isList ? 'noList' : 'noObject');
  return {
    state: withValue(state, pointer, { value: merged(node.value, value, node.field) }),
    applied: 1,
    problems: [],
  };
}

function merged(current: Json | undefined, pasted: Json, shape: Shape | undefined): Json {
  if (isMembers(current) && isMembers(pasted)) {
    const members = Object.entries(pasted).map(([name, value]) => {
      const previous = Object.hasOwn(current, name) ? current[name] : undefined;
      return [name, merged(previous, value, shape?.memberShape(name))] as const;
    });
    return { ...current, ...Object.fromEntries(members) };
  }
  return isList(current) && isList(pasted) && keysOf(shape).length > 0
    ? mergedEntries(current, pasted, shape)
    : pasted;
}

function mergedEntries(current: JsonList, pasted: JsonList, shape: Shape | undefined): Json {
  const list = [...current];
  pasted.forEach((entry) => {
    const index = indexOfEntry(current, entry, keysOf(shape));
    if (index === -1) list.push(entry);
    else list[index] = merged(list[index], entry, shape?.itemShape());
  });
  return list;
}

function indexOfEntry(list: JsonList, entry: Json, keys: readonly string[]): number {
  return list.findIndex(
    (item) =>
      isMembers(item) &&
      isMembers(entry) &&
      keys.every((key) => Object.hasOwn(item, key) && sameJson(item[key], entry[key])),
  );
}

function pastedLines(before: FormState, pointer: string, text: string): Pasted {
  const problems: PasteProblem[] = [];
  let state = before;
  let applied = 0;
  text.split(/\r?\n/).forEach((line, at) => {
    if (/^\s*(?:[#!].*)?$/.test(line)) return;
    const next = withLine(state, pointer, line.trim());
    if ('reason' in next) problems.push({ line: at + 1, ...next });
    else [state, applied] = [next, applied + 1];
  });
  const { data, open, errors, chosen, stashed } = state;
  if (data === before.data) return { state: before, applied, problems };
  return {
    state: committed(before, { content: { data, open, errors, chosen, stashed }, pointer, editName: '' }),
    applied,
    problems,
  };
}

/** Matches a path, which may contain blanks between quotes, and a value. */
const LINE = /^((?:[^\s'"]|'[^']*'|"[^"]*")+)(?:\s+(.*))?$/;

function withLine(state: FormState, from: string, line: string): FormState | Omit<PasteProblem, 'line'> {
  const [, path = '', valueText = ''] = LINE.exec(line) ?? [];
  const found = path === '' ? undefined : findPath(state, from, path);
  const node = found && nodeAt(found.state, found.pointer);
  if (!found || !node) return { reason: 'noField', path };
  if (STRUCTURES.has(node.kind) && valueText !== '') return { reason: 'noValue', path };
  return withValue(found.state, found.pointer, {
    value: valueOfLine(node, valueText.replace(/^"(.*)"$/, '$1')),
  });
}

const STRUCTURES: ReadonlySet<string> = new Set(['container', 'presence', 'list', 'entry']);

/** Returns the value that a line sets: a value of a leaf-list is appended, a container is created. */
function valueOfLine({ kind, value, field }: Node, text: string): Json | undefined {
  if (kind === 'presence') return value ?? {};
  if (STRUCTURES.has(kind)) return value;
  return kind === 'leaf-list'
    ? [...(isList(value) ? value : []), fieldValue(field.item(0), text) ?? text]
    : fieldValue(field, text);
}

function rejected(state: FormState, reason: PasteProblem['reason'], path = ''): Pasted {
  return { state, applied: 0, problems: [{ line: 1, reason, path }] };
}

/** The location that a path leads to; the state includes list entries that were created on the way. */
interface FoundPath {
  readonly state: FormState;
  readonly pointer: string;
}

const STEP = /(?:[^/[\]'"]+|\[(?:[^\]'"]|'[^']*'|"[^"]*")*\]|'[^']*'|"[^"]*")+/g;

/**
 * Finds the location for a path such as `interface[name=eth0]/mtu`, `interface=eth0/mtu` or
 * `interface/0/mtu`; prefixes may be left out. Undefined if there is no such location.
 */
function findPath(state: FormState, from: string, path: string): FoundPath | undefined {
  let found: FoundPath | undefined = { state, pointer: path.startsWith('/') ? '' : from };
  for (const step of path.match(STEP) ?? []) found = found && followStep(found, step);
  return found;
}

function followStep({ state, pointer }: FoundPath, step: string): FoundPath | undefined {
  const node = nodeAt(state, pointer);
  if (!node) return undefined;
  if (isList(node.value) || node.kind === 'list')
    return /^\d+$/.test(step)
      ? { state, pointer: pointerTo(pointer, step) }
      : findOrCreateEntry(state, node, step);
  const [, source = '', keys = ''] = /^([^[=]+)(.*)$/.exec(step) ?? [];
  const name = memberNameOf(node, decodeUri(source));
  if (name === undefined) return undefined;
  const member = pointerTo(pointer, name);
  if (keys === '') return { state, pointer: member };
  const list = nodeAt(state, member);
  return list && findOrCreateEntry(state, list, keys);
}

/** Returns the member for a name with or without module prefix. */
function memberNameOf({ field, value }: Node, source: string): string | undefined {
  const names = [...field.names, ...(isMembers(value) ? Object.keys(value) : [])];
  if (names.includes(source)) return source;
  const local = names.find((name) => name.replace(/^[^:]*:/, '') === source.replace(/^[^:]*:/, ''));
  return local ?? (field.describes(source) ? source : undefined);
}

/** Returns the entry with the given keys; creates it if it does not exist. */
function findOrCreateEntry(state: FormState, list: Node, source: string): FoundPath | undefined {
  const keys = keysFrom(list, source);
  if (!keys) return undefined;
  const items = isList(list.value) ? list.value : [];
  const index = items.findIndex((item) => isMembers(item) && hasKeys(item, keys));
  if (index !== -1) return { state, pointer: pointerTo(list.pointer, index) };
  const item = list.field.item(items.length);
  const entry = Object.fromEntries(
    Object.entries(keys).map(([name, text]) => [name, fieldValue(item.member(name), text) ?? text]),
  );
  return {
    state: addEntry(state, list.pointer, { value: entry }),
    pointer: pointerTo(list.pointer, items.length),
  };
}

function hasKeys(item: JsonMembers, keys: Readonly<Record<string, string>>): boolean {
  return Object.entries(keys).every(
    ([name, text]) => Object.hasOwn(item, name) && labelOf(item[name] as Json) === text,
  );
}

/** Parses keys: `[name=eth0][unit='0']`, or the values in the order of the keys: `=eth0,0`. */
function keysFrom({ field }: Node, source: string): Readonly<Record<string, string>> | undefined {
  if (source.startsWith('[')) {
    const pairs = [...source.matchAll(/\[\s*([^=\s]+)\s*=\s*('[^']*'|"[^"]*"|[^\]]*?)\s*\]/g)];
    return pairs.length === 0
      ? undefined
      : Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, unquoted(value)]));
  }
  const values = source.replace(/^=/, '').split(',').map(decodeUri);
  return values.length === field.keys.length && values.length > 0
    ? Object.fromEntries(field.keys.map((key, at) => [key, values[at] ?? '']))
    : undefined;
}

function unquoted(text: string): string {
  return /^(['"]).*\1$/.test(text) ? text.slice(1, -1) : text;
}
