import { isList, isMembers, type Json, type JsonList, sameJson } from '../json/json.js';
import { keysOf, type Shape } from '../json/align-lists.js';
import { readJson } from '../json/json-text.js';
import { fieldValue } from '../state/value-from-text.js';
import { nodeAt } from '../rows/find-node.js';
import type { Node } from '../rows/node.js';
import { withValue } from '../state/apply-edit.js';
import type { FormState } from '../state/form-state.js';
import { committed } from '../state/history.js';
import { findPath } from './find-path.js';

/** A part of the text that was not applied, by its line from 1. */
export interface PasteProblem {
  readonly line: number;
  readonly message: string;
}

/** Result of a paste, which is one undo step. */
export interface Pasted {
  readonly state: FormState;
  /** Number of values or lines that were applied. */
  readonly applied: number;
  readonly problems: readonly PasteProblem[];
}

/**
 * Pastes a text at a location: JSON (members replace existing ones, entries are matched by their keys), or
 * lines of a path and a value such as `interface[name=eth0]/mtu 1500`.
 */
export function paste(state: FormState, pointer: string, text: string): Pasted {
  if (state.form.options.readOnly === true) return refused(state, 'the form is read-only');
  const trimmed = text.trim();
  return /^[{["]/.test(trimmed) ? pastedJson(state, pointer, trimmed) : pastedLines(state, pointer, text);
}

function pastedJson(state: FormState, pointer: string, text: string): Pasted {
  const node = nodeAt(state, pointer);
  if (!node) return refused(state, `there is no place ${pointer}`);
  let value: Json;
  try {
    value = readJson(text);
  } catch (error) {
    return refused(state, `is not JSON: ${error instanceof Error ? error.message : ''}`);
  }
  const wanted = {
    list: isList,
    'leaf-list': isList,
    container: isMembers,
    presence: isMembers,
    entry: isMembers,
  };
  const fits = wanted[node.kind as keyof typeof wanted] as ((value: Json) => boolean) | undefined;
  if (fits && !fits(value))
    return refused(state, `an ${fits === isList ? 'array' : 'object'} is needed here`);
  return {
    state: withValue(state, pointer, { value: putOnto(node.value, value, node.field) }),
    applied: 1,
    problems: [],
  };
}

function putOnto(current: Json | undefined, pasted: Json, shape: Shape | undefined): Json {
  if (isMembers(current) && isMembers(pasted)) {
    const members = Object.entries(pasted).map(([name, value]) => {
      const old = Object.hasOwn(current, name) ? current[name] : undefined;
      return [name, putOnto(old, value, shape?.memberShape(name))] as const;
    });
    return { ...current, ...Object.fromEntries(members) };
  }
  return isList(current) && isList(pasted) && keysOf(shape).length > 0
    ? entriesOnto(current, pasted, shape)
    : pasted;
}

function entriesOnto(current: JsonList, pasted: JsonList, shape: Shape | undefined): Json {
  const list = [...current];
  pasted.forEach((entry) => {
    const place = samePlace(current, entry, keysOf(shape));
    if (place === -1) list.push(entry);
    else list[place] = putOnto(list[place], entry, shape?.itemShape());
  });
  return list;
}

function samePlace(list: JsonList, entry: Json, keys: readonly string[]): number {
  return list.findIndex(
    (one) =>
      isMembers(one) &&
      isMembers(entry) &&
      keys.every((key) => Object.hasOwn(one, key) && sameJson(one[key], entry[key])),
  );
}

function pastedLines(before: FormState, pointer: string, text: string): Pasted {
  const problems: PasteProblem[] = [];
  let state = before;
  let applied = 0;
  text.split(/\r?\n/).forEach((line, at) => {
    if (/^\s*(?:[#!].*)?$/.test(line)) return;
    const taken = withLine(state, pointer, line.trim());
    if (typeof taken === 'string') problems.push({ line: at + 1, message: taken });
    else [state, applied] = [taken, applied + 1];
  });
  const { data, open, errors, chosen, aside } = state;
  if (data === before.data) return { state: before, applied, problems };
  return {
    state: committed(before, { content: { data, open, errors, chosen, aside }, pointer, what: '' }),
    applied,
    problems,
  };
}

/** A path may contain blanks between quotes. */
const LINE = /^((?:[^\s'"]|'[^']*'|"[^"]*")+)(?:\s+(.*))?$/;

function withLine(state: FormState, from: string, line: string): FormState | string {
  const [, path = '', written = ''] = LINE.exec(line) ?? [];
  const found = path === '' ? undefined : findPath(state, from, path);
  const node = found && nodeAt(found.state, found.pointer);
  if (!found || !node) return `there is no place ${path}`;
  if (STRUCTURES.has(node.kind) && written !== '') return `${path} takes no value`;
  return withValue(found.state, found.pointer, {
    value: valueOfLine(node, written.replace(/^"(.*)"$/, '$1')),
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

function refused(state: FormState, message: string): Pasted {
  return { state, applied: 0, problems: [{ line: 1, message }] };
}
