import type { OutboundRequest, UpstreamReply } from '../../src/core/adapter.js';
import { hasMoreValues } from '../../src/json/json-size.js';
import { logWarnings, requireConfirmation } from './confirmed.js';
import { editData } from './edit-data.js';
import type { Plan, ResourceRequest } from './plan.js';
import { bytesReply, dataReply, notAllowed, refused, withWarnings } from './replies.js';
import type { CallContext } from './server.js';
import { monitoringStreams, readStreams } from './stream-list.js';

/** Path below the root of RESTCONF, and the query. */
interface Target {
  readonly kind: 'root' | ResourceRequest['kind'];
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

/** Carries out a request in the form of RESTCONF. Throws RestconfFault, RpcFailed and Problem. */
export async function handleRequest(
  context: CallContext,
  { method, body }: OutboundRequest,
  { kind, rest, query }: Target,
): Promise<UpstreamReply> {
  if (kind === 'root') return onlyRead(method, { 'ietf-restconf:restconf': { data: {}, operations: {} } });
  if (kind === 'data' && /^\/ietf-restconf-monitoring:restconf-state(?:\/|$)/.test(rest))
    return readMonitoring(context, method, rest);
  const { session, signal, model, threads, adapter } = context;
  if (body && hasMoreValues(body, MAX_BODY_VALUES))
    throw refused(
      413,
      'too-big',
      `the body has more than ${MAX_BODY_VALUES} members and items; send it in parts`,
    );
  const request = { kind, method, rest, query, body, defaultsModes: defaultsModesOf(context) };
  const plan = await threads.plan(request, { model, owner: adapter });
  if (plan.do === 'answer') return bytesReply(plan.reply);
  if (plan.do === 'edit') return editData(context, plan.edit);
  if (plan.do === 'invoke') return invoke(context, plan);
  const reply = await session.rpc(plan.operation, signal, plan.reading);
  logWarnings(reply, plan.operation.name, context.log);
  context.reportUnknown(reply.unknownNodes, model);
  return bytesReply(reply);
}

/** Maximum number of values in a body: the process writes the XML of a change at once, which a thread has made of them. */
const MAX_BODY_VALUES = 50_000;

const UNKNOWN = { text: 'whether the operation was carried out is unknown.', mayBeDone: true };

/** Calls an rpc or an action, which the server must confirm if it has no output. */
async function invoke(
  { session, signal, log, model, reportUnknown }: CallContext,
  { name, operation, reading }: Extract<Plan, { do: 'invoke' }>,
): Promise<UpstreamReply> {
  const reply = await session.rpc(operation, signal, reading);
  requireConfirmation(reply.confirmation, { name, unconfirmed: UNKNOWN });
  logWarnings(reply.confirmation, name, log);
  reportUnknown(reply.unknownNodes, model);
  return withWarnings(bytesReply(reply), reply.confirmation.warnings);
}

/** Returns the modes of with-defaults that the server has (RFC 6243 section 4.3). */
function defaultsModesOf({ session: { capabilities } }: CallContext): readonly string[] {
  const parameter = (name: string): string => capabilities.parameter('with-defaults', name) ?? '';
  return [parameter('basic-mode'), ...parameter('also-supported').split(',')];
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

function onlyRead(method: string, value: unknown): UpstreamReply {
  if (method !== 'GET') throw notAllowed(method, 'this resource');
  return dataReply(200, value);
}
