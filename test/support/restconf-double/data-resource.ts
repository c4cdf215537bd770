import type { Datastore } from './datastore.js';
import { childNamed, isObject, type Json, memberName, qualifiedName } from './model.js';
import {
  invalidValue,
  malformed,
  notAllowed,
  notFound,
  type Reply,
  RestconfFault,
  YANG_JSON,
} from './reply.js';
import { messageBody, readParameters, requireNoParameters, type SeenRequest } from './request.js';
import {
  instancePath,
  parseResource,
  removeValue,
  type Resource,
  resourcePath,
  setValue,
  type Step,
  valueOf,
} from './resource.js';
import { checkedValue, filtered, merged, pruned, unknownElement } from './values.js';

/** A request to a data resource. */
export interface DataRequest {
  readonly request: SeenRequest;
  /** Path below `{+restconf}/data`, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Absolute URI of `{+restconf}/data`. */
  readonly base: string;
}

const READS = ['GET', 'HEAD', 'OPTIONS'];

/** Carries out a method on the datastore or a data resource (RFC 8040 section 4). Throws `RestconfFault`. */
export function answerData(store: Datastore, data: DataRequest): Reply {
  const resource = parseResource(data.path);
  const { method } = data.request;
  const allowed = allowedMethods(resource);
  if (!allowed.includes(method)) throw notAllowed(allowed);
  if (method === 'OPTIONS') return options(allowed);
  if (method === 'GET' || method === 'HEAD') return read(store, resource, data);
  requireNoParameters(data.query);
  requireMatch(store, data.request);
  if (method === 'POST') return create(store, resource, data);
  if (method === 'PUT') return replace(store, resource, data);
  return method === 'PATCH' ? patch(store, resource, data) : remove(store, resource);
}

function allowedMethods({ steps, last }: Resource): readonly string[] {
  const { node, key } = last;
  if (!node.config || (node.kind === 'list' && key === undefined)) return READS;
  if (steps.length === 1) return [...READS, 'POST', 'PUT', 'PATCH'];
  const parent = steps.at(-2)?.node;
  if (parent?.kind === 'list' && parent.key === node.name) return READS;
  return [...READS, ...(node.kind === 'leaf' ? [] : ['POST']), 'PUT', 'PATCH', 'DELETE'];
}

function options(allowed: readonly string[]): Reply {
  const patchable = allowed.includes('PATCH') && { 'accept-patch': YANG_JSON };
  return { status: 200, headers: { allow: allowed.join(', '), ...patchable } };
}

function read(store: Datastore, { steps, last }: Resource, { request, query }: DataRequest): Reply {
  const { depth, content } = readParameters(query);
  const whole = valueOf(store.read('all'), steps);
  if (whole === undefined) throw notFound();
  if (request.headers['if-none-match'] === store.etag()) return { status: 304, headers: stamps(store) };
  const kept = content === 'all' ? whole : filtered(last.node, whole, content === 'config');
  if (kept === undefined) throw notFound();
  const value = pruned(kept, depth);
  const entries = last.node.kind === 'list' && !Array.isArray(value) ? [value] : value;
  return { status: 200, headers: stamps(store), body: { [qualifiedName(last.node)]: entries } };
}

function create(store: Datastore, { steps, last }: Resource, { request, base }: DataRequest): Reply {
  const [name, body] = messageBody(request);
  const node = childNamed(last.node, name);
  if (!node?.config) throw unknownElement(`${instancePath(steps)}/${name}`);
  const child: Step = { node, member: memberName(last.node, node), ...keyIn(node, body) };
  const made: Resource = { steps: [...steps, child], last: child };
  const value = single(child, checkedValue(node, body, instancePath(made.steps)));
  const tree = store.read('config');
  if (valueOf(tree, steps) === undefined) throw notFound();
  if (valueOf(tree, made.steps) !== undefined) throw exists(made);
  store.edit((config) => {
    setValue(config, made, value);
  });
  return { status: 201, headers: { ...stamps(store), location: base + resourcePath(made.steps) } };
}

function replace(store: Datastore, resource: Resource, { request }: DataRequest): Reply {
  const value = targetValue(resource, request);
  const isNew = valueOf(store.read('config'), resource.steps) === undefined;
  store.edit((config) => {
    setValue(config, resource, value);
  });
  return { status: isNew ? 201 : 204, headers: stamps(store) };
}

function patch(store: Datastore, resource: Resource, { request }: DataRequest): Reply {
  const { steps, last } = resource;
  const value = targetValue(resource, request);
  const known = valueOf(store.read('config'), steps);
  if (known === undefined) throw notFound();
  const result =
    last.node.kind === 'list' ? merged(last.node, [known], [value]) : merged(last.node, known, value);
  store.edit((config) => {
    setValue(config, resource, single(last, result));
  });
  return { status: 204, headers: stamps(store) };
}

function remove(store: Datastore, resource: Resource): Reply {
  if (valueOf(store.read('config'), resource.steps) === undefined) throw notFound();
  store.edit((config) => {
    removeValue(config, resource);
  });
  return { status: 204, headers: stamps(store) };
}

/** Returns the body of a PUT or PATCH: the target itself, with the key in the path. */
function targetValue({ steps, last }: Resource, request: SeenRequest): Json {
  const [name, body] = messageBody(request);
  const path = instancePath(steps);
  if (name !== qualifiedName(last.node)) throw malformed('the message body is not the target of the request');
  const value = single(last, checkedValue(last.node, body, path));
  if (last.node.kind === 'list' && isObject(value) && value[last.node.key] !== last.key)
    throw invalidValue('the key in the message body is not the key in the path', path);
  return value;
}

function keyIn(node: Step['node'], body: unknown): { key?: string } {
  const entry: unknown = Array.isArray(body) ? body[0] : undefined;
  const key = node.kind === 'list' && isObject(entry) ? entry[node.key] : undefined;
  return typeof key === 'string' ? { key } : {};
}

function single({ node }: Step, value: Json): Json {
  if (node.kind !== 'list') return value;
  const [entry] = Array.isArray(value) ? value : [];
  if (entry === undefined || (Array.isArray(value) && value.length > 1))
    throw malformed('the message body has exactly one entry of the list');
  return entry;
}

function exists({ steps }: Resource): RestconfFault {
  const message = 'object already exists';
  return new RestconfFault(409, { tag: 'data-exists', message, path: instancePath(steps) });
}

/** Refuses an edit if the resource is not in the state that the client last saw (RFC 8040 section 3.4.1). */
function requireMatch(store: Datastore, { headers }: SeenRequest): void {
  const wanted = headers['if-match'];
  if (wanted === undefined || wanted === '*' || wanted === store.etag()) return;
  throw new RestconfFault(412, { tag: 'operation-failed', message: 'the datastore has changed since' });
}

function stamps(store: Datastore): Record<string, string> {
  return { etag: store.etag(), 'last-modified': store.lastModified() };
}
