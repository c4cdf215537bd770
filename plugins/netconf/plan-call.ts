import type { InstanceModel } from '../../src/yang/encoding/instance-model.js';
import { readResourcePath } from '../../src/yang/encoding/resource-path.js';
import { invocation } from './invoke.js';
import { planEdit } from './plan-edit.js';
import type { Plan, ResourceRequest } from './plan.js';
import { readInsertParameters, readQueryParameters, requireNoParameters } from './query-parameters.js';
import { readOperation } from './read-data.js';
import { jsonReply, notAllowed, refused } from './replies.js';

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
  const isPlaced = method === 'POST' || method === 'PUT';
  if (!isPlaced) requireNoParameters(query);
  const insert = isPlaced ? readInsertParameters(query) : undefined;
  return { do: 'edit', edit: planEdit({ method, steps, resource: rest, body, insert }, model) };
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
