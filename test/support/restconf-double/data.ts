import type { Clock } from '../../../src/lib/clock.js';
import { initialData, interfaceState, isObject, type Json, type JsonObject } from './interfaces.js';
import { malformed, notAllowed, notFound, type Reply, RestconfFault } from './reply.js';
import { messageBody, type SeenRequest } from './request.js';

/** A resource below `{+restconf}/data`. */
interface DataResource {
  readonly path: string;
  readonly query: URLSearchParams;
  /** Absolute URI of `{+restconf}/data`. */
  readonly base: string;
}

/** The data of a small router in memory: configuration as clients write it, and state data in replies. */
export interface Datastore {
  /** Carries out a method on a resource. Throws `RestconfFault`. */
  answer(request: SeenRequest, resource: DataResource): Reply;
}

/** One step of a path: a member of the tree, and the key of a list entry. */
interface Step {
  readonly member: string;
  readonly key?: string;
}

/** Key leafs of the lists. */
const KEYS: Readonly<Record<string, string>> = { interface: 'name', address: 'ip' };

export function createDatastore(clock: Clock): Datastore {
  const booted = clock.now();
  const config = initialData();

  function withState(): JsonObject {
    const tree = structuredClone(config);
    for (const [at, entry] of interfacesOf(tree).entries())
      Object.assign(entry, interfaceState(entry, at + 1, booted));
    return tree;
  }

  function edit(request: SeenRequest, { path, base }: DataResource): Reply {
    const steps = stepsOf(path);
    const [name, body] = messageBody(request);
    const isPost = request.method === 'POST';
    if (isPost) steps.push(createdStep(name, body));
    else if (name !== qualifiedName(steps))
      throw malformed('the message body is not the target of the request');
    const value = steps.at(-1)?.key === undefined ? body : (body as Json[])[0];
    const known = valueOf(config, steps);
    if (isPost && known !== undefined) throw exists(steps);
    if (request.method === 'PATCH' && known === undefined) throw notFound();
    setValue(config, steps, request.method === 'PATCH' ? merged(known, value as Json) : (value as Json));
    if (isPost) return { status: 201, headers: { location: base + pathOf(steps) } };
    return { status: known === undefined ? 201 : 204 };
  }

  return {
    answer(request, resource) {
      const { method } = request;
      if (method === 'GET' || method === 'HEAD') return read(withState(), resource);
      if (['POST', 'PUT', 'PATCH'].includes(method)) return edit(request, resource);
      if (method !== 'DELETE') throw notAllowed(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);
      const steps = stepsOf(resource.path);
      if (valueOf(config, steps) === undefined) throw notFound();
      setValue(config, steps, undefined);
      return { status: 204 };
    },
  };
}

function read(tree: JsonObject, { path, query }: DataResource): Reply {
  const steps = stepsOf(path);
  const value = valueOf(tree, steps);
  if (value === undefined) throw notFound();
  const kept = pruned(value, Number(query.get('depth') ?? Infinity));
  return { status: 200, body: { [qualifiedName(steps)]: steps.at(-1)?.key === undefined ? kept : [kept] } };
}

/** Reads a path (RFC 8040 section 3.5.3). Members of the module `ietf-interfaces` have no prefix in the tree. */
function stepsOf(path: string): Step[] {
  const segments = path === '' ? [] : path.slice(1).split('/');
  return segments.map((segment, at) => {
    const [name = '', key] = segment.split('=').map(decodeURIComponent);
    const member = at === 0 ? name : name.replace(/^ietf-interfaces:/, '');
    return { member, ...(key !== undefined && { key }) };
  });
}

/** Returns the name of a resource with its module: that of the nearest member with a prefix. */
function qualifiedName(steps: readonly Step[]): string {
  const members = ['ietf-restconf:data', ...steps.map(({ member }) => member)];
  const last = members.at(-1) ?? '';
  const [module = ''] = members.findLast((member) => member.includes(':'))?.split(':') ?? [];
  return last.includes(':') ? last : `${module}:${last}`;
}

/** Returns the step to the resource that a POST creates. */
function createdStep(name: string, body: unknown): Step {
  const member = name.replace(/^ietf-interfaces:(?!interfaces$)/, '');
  const [entry] = Array.isArray(body) ? (body as readonly unknown[]) : [];
  const key = isObject(entry) ? entry[KEYS[member] ?? ''] : undefined;
  return { member, ...(typeof key === 'string' && { key }) };
}

function entryAt(list: Json | undefined, { member, key }: Step): number {
  const isEntry = (entry: Json): boolean => isObject(entry) && entry[KEYS[member] ?? ''] === key;
  return Array.isArray(list) ? list.findIndex(isEntry) : -1;
}

function valueOf(tree: JsonObject, steps: readonly Step[]): Json | undefined {
  return steps.reduce<Json | undefined>((value, step) => {
    const inner = isObject(value) && Object.hasOwn(value, step.member) ? value[step.member] : undefined;
    if (step.key === undefined) return inner;
    return Array.isArray(inner) ? inner[entryAt(inner, step)] : undefined;
  }, tree);
}

/** Sets a resource whose parent exists, or removes it for the value `undefined`. */
function setValue(tree: JsonObject, steps: readonly Step[], value: Json | undefined): void {
  const parent = valueOf(tree, steps.slice(0, -1));
  const last = steps.at(-1);
  if (!isObject(parent) || !last) throw notFound();
  if (last.key === undefined) {
    if (value === undefined) Reflect.deleteProperty(parent, last.member);
    else parent[last.member] = value;
    return;
  }
  const list = (parent[last.member] ??= []) as Json[];
  const at = entryAt(list, last);
  list.splice(at < 0 ? list.length : at, 1, ...(value === undefined ? [] : [value]));
}

/** Merges as a plain patch does (RFC 8040 section 4.6.1): objects by member, list entries by key. */
function merged(target: Json | undefined, source: Json, member = ''): Json {
  if (Array.isArray(target) && Array.isArray(source)) {
    const result = [...target];
    for (const entry of source) {
      const at = entryAt(result, createdStep(member, [entry]));
      if (at < 0) result.push(entry);
      else result[at] = merged(result[at], entry);
    }
    return result;
  }
  if (!isObject(target) || !isObject(source)) return source;
  const changed = Object.entries(source).map(
    ([name, value]) => [name, merged(target[name], value, name)] as const,
  );
  return { ...target, ...Object.fromEntries(changed) };
}

/** Returns the part of a value that `depth` selects (RFC 8040 section 4.8.2): the value itself is level 1. */
function pruned(value: Json, depth: number): Json {
  if (Array.isArray(value)) return value.map((entry) => pruned(entry, depth));
  if (!isObject(value)) return value;
  const kept = depth <= 1 ? [] : Object.entries(value);
  return Object.fromEntries(kept.map(([member, inner]) => [member, pruned(inner, depth - 1)]));
}

function interfacesOf(tree: JsonObject): readonly JsonObject[] {
  const list = valueOf(tree, [{ member: 'ietf-interfaces:interfaces' }, { member: 'interface' }]);
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function exists(steps: readonly Step[]): RestconfFault {
  const names = steps.map(({ member, key }) =>
    key === undefined ? `/${member}` : `/${member}[${KEYS[member] ?? ''}='${key}']`,
  );
  return new RestconfFault(409, {
    tag: 'data-exists',
    message: 'object already exists',
    path: names.join(''),
  });
}

function pathOf(steps: readonly Step[]): string {
  return steps
    .map(({ member, key }) => `/${member}${key === undefined ? '' : `=${encodeURIComponent(key)}`}`)
    .join('');
}
