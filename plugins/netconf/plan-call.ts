import type { InstanceModel } from '../../src/yang/encoding/instance-model.js';
import { readResourcePath } from '../../src/yang/encoding/resource-path.js';
import type { XmlOutput } from '../../src/yang/encoding/write-xml.js';
import { invocation } from './invoke.js';
import { type EditPlan, planEdit } from './plan-edit.js';
import { readQueryParameters, requireNoParameters } from './query-parameters.js';
import { readOperation } from './read-data.js';
import { notAllowed, refused } from './replies.js';
import { jsonReply } from './read-message.js';
import type { Reading, ReplyBytes } from './thread-tasks.js';

/** A request for a resource of the server, by its path below the root of RESTCONF. */
export interface ResourceRequest {
  readonly kind: 'data' | 'datastore' | 'operations' | 'yang-library-version';
  readonly method: string;
  /** Path below the kind. */
  readonly rest: string;
  readonly query: string;
  readonly body: Uint8Array | undefined;
  /** Modes of with-defaults that the server has. */
  readonly defaultsModes: readonly string[];
}

/** What carries out a request: an answer that needs no operation, a read, an rpc or action by its name, or a change. */
export type Plan =
  | { readonly do: 'answer'; readonly reply: ReplyBytes }
  | {
      readonly do: 'read';
      readonly operation: XmlOutput;
      readonly reading: Extract<Reading, { as: 'data' }>;
    }
  | {
      readonly do: 'invoke';
      readonly name: string;
      readonly operation: XmlOutput;
      readonly reading: Extract<Reading, { as: 'output' }>;
    }
  | { readonly do: 'edit'; readonly edit: EditPlan };

/** Returns what carries out a request. Throws RestconfFault and EncodingFault. */
export function planCall(request: ResourceRequest, model: InstanceModel): Plan {
  switch (request.kind) {
    case 'data':
      return planData(request, model);
    case 'datastore':
      return planDatastore(request, model);
    case 'operations':
      return planOperation(request, model);
    default:
      requireGet(request, 'this resource');
      return {
        do: 'answer',
        reply: jsonReply({ 'ietf-restconf:yang-library-version': libraryVersion(model) }),
      };
  }
}

function planData(request: ResourceRequest, model: InstanceModel): Plan {
  const { method, rest, query, defaultsModes } = request;
  const { steps, action } = readResourcePath(rest, model);
  const body = bodyOf(request);
  if (action) {
    if (method !== 'POST') throw notAllowed(method, 'an action');
    requireNoParameters(query);
    const operation = invocation(action, { body, steps }, model);
    return { do: 'invoke', name: action.name, operation, reading: { as: 'output', resource: rest } };
  }
  if (method === 'GET') {
    const operation = readOperation({ steps, parameters: readQueryParameters(query) }, defaultsModes);
    return { do: 'read', operation, reading: { as: 'data', resource: rest, query } };
  }
  if (method !== 'PUT' && method !== 'POST' && method !== 'PATCH' && method !== 'DELETE')
    throw notAllowed(method, 'data');
  requireNoParameters(query);
  return { do: 'edit', edit: planEdit({ method, steps, resource: rest, body }, model) };
}

/** Reads a datastore of NMDA (RFC 8527). */
function planDatastore(request: ResourceRequest, model: InstanceModel): Plan {
  const { rest, query, defaultsModes } = request;
  const [, datastore = '', resource = ''] = /^\/ietf-datastores:([a-z-]+)(\/.*)?$/.exec(rest) ?? [];
  if (datastore === '') throw refused(404, 'invalid-value', 'there is no such datastore');
  requireGet(request, 'a datastore of NMDA');
  const { steps } = readResourcePath(resource, model);
  const read = { steps, parameters: readQueryParameters(query), datastore };
  return {
    do: 'read',
    operation: readOperation(read, defaultsModes),
    reading: { as: 'data', resource, query },
  };
}

function planOperation(request: ResourceRequest, model: InstanceModel): Plan {
  const { method, rest, query } = request;
  const name = rest.slice(1).replaceAll(/%3a/gi, ':');
  const { rpcs } = model;
  if (name === '') {
    requireGet(request, 'this resource');
    const operations = Object.fromEntries([...rpcs.keys()].map((rpc) => [rpc, [null]]));
    return { do: 'answer', reply: jsonReply({ 'ietf-restconf:operations': operations }) };
  }
  const operation = rpcs.get(name);
  if (!operation) throw refused(404, 'invalid-value', `there is no operation "${name}"`);
  if (method !== 'POST') throw notAllowed(method, 'an operation');
  requireNoParameters(query);
  return {
    do: 'invoke',
    name: operation.name,
    operation: invocation(operation, { body: bodyOf(request) }, model),
    reading: { as: 'output', rpc: name },
  };
}

function bodyOf({ body }: ResourceRequest): Buffer | undefined {
  return body && Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}

function libraryVersion({ moduleByName }: InstanceModel): string {
  return moduleByName.get('ietf-yang-library')?.revision ?? '2016-06-21';
}

function requireGet({ method }: ResourceRequest, what: string): void {
  if (method !== 'GET') throw notAllowed(method, what);
}
