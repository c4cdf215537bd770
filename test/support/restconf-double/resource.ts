import {
  childNamed,
  isObject,
  type Json,
  type JsonObject,
  memberName,
  qualifiedName,
  type SchemaNode,
} from './model.js';
import { datastoreNode } from './interfaces.js';
import { malformed, notFound } from './reply.js';

/**
 * One step of a resource path: the schema node, its member name in the parent, and the key of a list entry.
 */
export interface Step {
  readonly node: SchemaNode;
  readonly member: string;
  readonly key?: string;
}

/** A data resource: the steps to it, of which the first is the datastore. */
export interface Resource {
  readonly steps: readonly [Step, ...Step[]];
  readonly last: Step;
}

const datastore: Step = { node: datastoreNode, member: qualifiedName(datastoreNode) };

/** Reads the path below `{+restconf}/data` (RFC 8040 section 3.5.3). Throws 400 or 404. */
export function parseResource(path: string): Resource {
  const steps: [Step, ...Step[]] = [datastore];
  let last = datastore;
  for (const segment of path === '' ? [] : path.slice(1).split('/')) {
    if (last.node.kind === 'list' && last.key === undefined)
      throw malformed('a list in a path needs its key');
    last = parseStep(last.node, segment);
    steps.push(last);
  }
  return { steps, last };
}

function parseStep(parent: SchemaNode, segment: string): Step {
  const [name = '', key, more] = segment.split('=');
  const node = childNamed(parent, decode(name));
  // The first member of a path carries its module (RFC 8040 section 3.5.3).
  if (!node || (parent === datastoreNode && !name.includes(':'))) throw notFound();
  if (more !== undefined || key?.includes(',')) throw malformed('this list has one key');
  if (key !== undefined && node.kind !== 'list') throw malformed('only a list has keys');
  return { node, member: memberName(parent, node), ...(key !== undefined && { key: decode(key) }) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw malformed('a percent-encoding in the path is broken');
  }
}

/**
 * Returns the value of a resource in a tree whose top member is the datastore; `undefined` if the resource
 * does not exist.
 */
export function valueOf(tree: JsonObject, steps: readonly Step[]): Json | undefined {
  return steps.reduce<Json | undefined>((value, { node, member, key }) => {
    const inner = isObject(value) && Object.hasOwn(value, member) ? value[member] : undefined;
    if (node.kind !== 'list' || key === undefined) return inner;
    return Array.isArray(inner)
      ? inner.find((entry) => isObject(entry) && entry[node.key] === key)
      : undefined;
  }, tree);
}

/** Sets a resource whose parent exists; throws 404 if the parent does not exist. */
export function setValue(tree: JsonObject, { steps, last }: Resource, value: Json): void {
  const parent = parentOf(tree, steps);
  const { node, member, key } = last;
  if (node.kind !== 'list') {
    parent[member] = value;
    return;
  }
  const list = listIn(parent, member);
  const at = list.findIndex((entry) => isObject(entry) && entry[node.key] === key);
  list.splice(at < 0 ? list.length : at, 1, value);
}

/** Removes an existing resource. */
export function removeValue(tree: JsonObject, { steps, last }: Resource): void {
  const parent = parentOf(tree, steps);
  const { node, member, key } = last;
  const list = node.kind === 'list' ? listIn(parent, member) : [];
  const kept = list.filter((entry) => isObject(entry) && node.kind === 'list' && entry[node.key] !== key);
  if (kept.length > 0) parent[member] = kept;
  else Reflect.deleteProperty(parent, member);
}

function parentOf(tree: JsonObject, steps: readonly Step[]): JsonObject {
  const parent = valueOf(tree, steps.slice(0, -1));
  if (!isObject(parent)) throw notFound();
  return parent;
}

function listIn(parent: JsonObject, member: string): Json[] {
  const list = parent[member] ?? [];
  parent[member] = list;
  return Array.isArray(list) ? list : [];
}

/** Path of a resource below `{+restconf}/data`, keys percent-encoded. */
export function resourcePath(steps: readonly Step[]): string {
  return steps
    .slice(1)
    .map(({ member, key }) => `/${member}${key === undefined ? '' : `=${encodeURIComponent(key)}`}`)
    .join('');
}

/** Instance identifier of a resource (RFC 7951 section 6.11), for `error-path`. */
export function instancePath(steps: readonly Step[]): string {
  return steps
    .slice(1)
    .map(({ node, member, key }) => {
      const predicate = node.kind === 'list' && key !== undefined ? `[${node.key}='${key}']` : '';
      return `/${member}${predicate}`;
    })
    .join('');
}
