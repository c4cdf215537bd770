import type { OutboundRequest, UpstreamReply } from '../../src/core/adapter.js';
import { readResourcePath } from '../../src/yang/encoding/resource-path.js';
import { editData } from './edit-data.js';
import { invoke } from './invoke.js';
import { readQueryParameters, requireNoParameters } from './query-parameters.js';
import { readData } from './read-data.js';
import { dataReply, refused } from './replies.js';
import type { CallContext } from './server.js';
import { monitoringStreams, readStreams } from './stream-list.js';

/** Path below the root of RESTCONF, and the query. */
export interface Target {
  readonly kind: 'root' | 'data' | 'datastore' | 'operations' | 'yang-library-version';
  /** Path below the resource. */
  readonly rest: string;
  readonly query: string;
}

const KINDS: Readonly<Record<string, Target['kind']>> = {
  '': 'root',
  data: 'data',
  ds: 'datastore',
  operations: 'operations',
  'yang-library-version': 'yang-library-version',
};

/** Reads the path of a request (RFC 8040 section 3). Throws RestconfFault for a path of no resource. */
export function targetOf(path: string): Target {
  const [whole = '', ...queries] = path.split('?');
  const below =
    whole === '/restconf' || whole.startsWith('/restconf/') ? whole.slice('/restconf'.length) : whole;
  const [, name = '', ...segments] = below.split('/');
  const kind = Object.hasOwn(KINDS, name) && whole !== '/' ? KINDS[name] : undefined;
  const isAlone = kind === 'root' || kind === 'yang-library-version';
  if (!kind || (isAlone && segments.some((segment) => segment !== '')))
    throw refused(
      404,
      'invalid-value',
      'there is no such resource: paths begin with /restconf/data or /restconf/operations',
    );
  return { kind, rest: segments.map((segment) => `/${segment}`).join(''), query: queries.join('?') };
}

/** Carries out a request in the form of RESTCONF. Throws RestconfFault, RpcFailed, EncodingFault and Problem. */
export function handleRequest(
  context: CallContext,
  { method, body }: OutboundRequest,
  target: Target,
): Promise<UpstreamReply> {
  switch (target.kind) {
    case 'data':
      return handleData(context, { method, body }, target);
    case 'datastore':
      return handleDatastore(context, method, target);
    case 'operations':
      return handleOperation(context, { method, body }, target);
    case 'root':
      return Promise.resolve(onlyRead(method, { 'ietf-restconf:restconf': { data: {}, operations: {} } }));
    default:
      return Promise.resolve(
        onlyRead(method, { 'ietf-restconf:yang-library-version': libraryVersion(context) }),
      );
  }
}

interface Sent {
  readonly method: string;
  readonly body: Buffer | undefined;
}

async function handleData(
  context: CallContext,
  { method, body }: Sent,
  target: Target,
): Promise<UpstreamReply> {
  const { rest, query } = target;
  if (/^\/ietf-restconf-monitoring:restconf-state(?:\/|$)/.test(rest))
    return readMonitoring(context, method, rest);
  const { steps, action } = readResourcePath(rest, context.model);
  if (action) {
    if (method !== 'POST') throw notAllowed(method, 'an action');
    requireNoParameters(query);
    return invoke(context, action, { body, steps });
  }
  if (method === 'GET') return readData(context, { steps, parameters: readQueryParameters(query) });
  if (method !== 'PUT' && method !== 'POST' && method !== 'PATCH' && method !== 'DELETE')
    throw notAllowed(method, 'data');
  requireNoParameters(query);
  return editData(context, { method, steps, path: `/restconf/data${rest}`, body });
}

/** Returns the list of event streams, by which clients find them (RFC 8040 section 9.3). A NETCONF server does not have it. */
async function readMonitoring(
  { adapter, session, signal }: CallContext,
  method: string,
  rest: string,
): Promise<UpstreamReply> {
  const [, , below, ...others] = rest.split('/');
  if (others.length > 0 || (below !== undefined && below !== 'streams'))
    throw refused(404, 'invalid-value', 'there is no such data');
  const list = monitoringStreams(adapter, await readStreams(session, signal));
  return onlyRead(
    method,
    below === undefined
      ? { 'ietf-restconf-monitoring:restconf-state': { streams: list } }
      : { 'ietf-restconf-monitoring:streams': list },
  );
}

/** Reads a datastore of NMDA (RFC 8527). */
async function handleDatastore(
  context: CallContext,
  method: string,
  { rest, query }: Target,
): Promise<UpstreamReply> {
  const [, datastore = '', path = ''] = /^\/ietf-datastores:([a-z-]+)(\/.*)?$/.exec(rest) ?? [];
  if (datastore === '') throw refused(404, 'invalid-value', 'there is no such datastore');
  if (method !== 'GET') throw notAllowed(method, 'a datastore of NMDA');
  const { steps } = readResourcePath(path, context.model);
  return readData(context, { steps, parameters: readQueryParameters(query), datastore });
}

async function handleOperation(
  context: CallContext,
  { method, body }: Sent,
  { rest, query }: Target,
): Promise<UpstreamReply> {
  const name = rest.slice(1).replaceAll(/%3a/gi, ':');
  const { rpcs } = context.model;
  if (name === '')
    return onlyRead(method, {
      'ietf-restconf:operations': Object.fromEntries([...rpcs.keys()].map((rpc) => [rpc, [null]])),
    });
  const operation = rpcs.get(name);
  if (!operation) throw refused(404, 'invalid-value', `there is no operation "${name}"`);
  if (method !== 'POST') throw notAllowed(method, 'an operation');
  requireNoParameters(query);
  return invoke(context, operation, { body });
}

function onlyRead(method: string, value: unknown): UpstreamReply {
  if (method !== 'GET') throw notAllowed(method, 'this resource');
  return dataReply(200, value);
}

function libraryVersion({ model }: CallContext): string {
  return model.moduleByName.get('ietf-yang-library')?.revision ?? '2016-06-21';
}

function notAllowed(method: string, what: string) {
  return refused(405, 'operation-not-supported', `${method} is not possible for ${what}`);
}
