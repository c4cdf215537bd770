import {
  childNamed,
  isObject,
  type Json,
  type JsonObject,
  type List,
  memberName,
  type SchemaNode,
} from './model.js';
import { invalidValue, RestconfFault } from './reply.js';

/** Checks configuration from a client and converts its member names to the short form. Throws 400. */
export function checkedValue(node: SchemaNode, value: unknown, path: string): Json {
  if (node.kind === 'list') return checkedEntries(node, value, path);
  if (node.kind === 'container') return checkedMembers(node, value, path);
  if (!node.accepts(value)) throw invalidValue('the value does not fit the type of the leaf', path);
  return value as Json;
}

function checkedEntries(node: List, value: unknown, path: string): Json[] {
  if (!Array.isArray(value)) throw invalidValue('a list is written as an array', path);
  const entries = value.map((entry) => checkedMembers(node, entry, path));
  const keys = entries.map((entry) => entry[node.key]);
  if (keys.includes(undefined)) throw missing(`${path}/${node.key}`);
  if (new Set(keys).size < keys.length) throw invalidValue('two entries of the list have the same key', path);
  return entries;
}

function checkedMembers(node: SchemaNode, value: unknown, path: string): JsonObject {
  if (!isObject(value)) throw invalidValue('a container or list entry is written as an object', path);
  const checked: JsonObject = {};
  for (const [member, inner] of Object.entries(value)) {
    const child = childNamed(node, member);
    if (!child?.config) throw unknownElement(`${path}/${member}`);
    checked[memberName(node, child)] = checkedValue(child, inner, `${path}/${member}`);
  }
  return checked;
}

export function unknownElement(path: string): RestconfFault {
  return new RestconfFault(400, {
    tag: 'unknown-element',
    message: 'there is no such configuration node',
    path,
  });
}

function missing(path: string): RestconfFault {
  return new RestconfFault(400, { tag: 'missing-element', message: 'a mandatory node is missing', path });
}

/** Fills in defaults and checks that mandatory leafs exist. Throws 400. */
export function complete(node: SchemaNode, value: Json | undefined, path = ''): void {
  if (node.kind === 'leaf' || value === undefined) return;
  for (const entry of Array.isArray(value) ? value : [value]) {
    if (isObject(entry)) completeMembers(node, entry, path);
  }
}

function completeMembers(node: Exclude<SchemaNode, { kind: 'leaf' }>, entry: JsonObject, path: string): void {
  for (const child of node.children) {
    const member = memberName(node, child);
    const place = `${path}/${member}`;
    if (child.kind === 'leaf' && entry[member] === undefined) {
      if (child.mandatory) throw missing(place);
      if (child.fallback !== undefined) entry[member] = child.fallback;
    }
    complete(child, entry[member], place);
  }
}

/** Merges as a plain patch does (RFC 8040 section 4.6.1): objects by member, list entries by key. */
export function merged(node: SchemaNode, target: Json | undefined, source: Json): Json {
  if (node.kind === 'list' && Array.isArray(source)) return mergedEntries(node, target, source);
  if (node.kind === 'leaf' || !isObject(target) || !isObject(source)) return source;
  return mergedMembers(node, target, source);
}

function mergedMembers(node: SchemaNode, target: JsonObject, source: JsonObject): JsonObject {
  const result = { ...target };
  for (const [member, value] of Object.entries(source)) {
    const child = childNamed(node, member);
    if (child) result[member] = merged(child, target[member], value);
  }
  return result;
}

function mergedEntries(node: List, target: Json | undefined, source: readonly Json[]): Json[] {
  const result = Array.isArray(target) ? [...target] : [];
  for (const entry of source.filter(isObject)) {
    const at = result.findIndex((known) => isObject(known) && known[node.key] === entry[node.key]);
    const known = result[at];
    if (isObject(known)) result[at] = mergedMembers(node, known, entry);
    else result.push(entry);
  }
  return result;
}

/**
 * Returns the part of a value that `content=config` or `content=nonconfig` selects (RFC 8040 section 4.8.1):
 * keys and ancestors are kept.
 */
export function filtered(node: SchemaNode, value: Json, config: boolean): Json | undefined {
  if (node.kind === 'leaf') return node.config === config ? value : undefined;
  if (!node.config) return config ? undefined : value;
  if (Array.isArray(value)) return value.flatMap((entry) => filtered(node, entry, config) ?? []);
  if (!isObject(value)) return undefined;
  const kept: JsonObject = {};
  for (const child of node.children) {
    const member = memberName(node, child);
    const inner = value[member];
    const isKey = node.kind === 'list' && node.key === child.name;
    const left = inner === undefined || isKey ? inner : filtered(child, inner, config);
    if (left !== undefined) kept[member] = left;
  }
  return kept;
}

/** Returns the part of a value that `depth` selects (RFC 8040 section 4.8.2): the value itself is level 1. */
export function pruned(value: Json, depth: number): Json {
  if (Array.isArray(value)) return value.map((entry) => pruned(entry, depth));
  if (!isObject(value)) return value;
  if (depth <= 1) return {};
  return Object.fromEntries(
    Object.entries(value).map(([member, inner]) => [member, pruned(inner, depth - 1)]),
  );
}
