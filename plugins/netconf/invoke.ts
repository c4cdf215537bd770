import type { UpstreamReply } from '../../src/core/adapter.js';
import { memberName } from '../../src/yang/json-schema/data-path.js';
import { parametersOf } from '../../src/yang/encoding/instance-model.js';
import { elementsOf } from '../../src/yang/encoding/json-to-xml.js';
import { elementsOfPath, type ResourceStep } from '../../src/yang/encoding/resource-path.js';
import type { XmlOutput } from '../../src/yang/encoding/write-xml.js';
import { objectOf } from '../../src/yang/encoding/xml-to-json.js';
import type { SchemaNode } from '../../src/yang/tree/schema-node.js';
import { logWarnings, requireConfirmation } from './confirmed.js';
import { dataReply, emptyReply, fromReply, refused } from './replies.js';
import { onlyMember } from './request-body.js';
import type { CallContext } from './server.js';

const ACTION = 'urn:ietf:params:xml:ns:yang:1';

/** Modules whose operations would change the session that calls share. */
const OF_SESSIONS = new Set([
  'ietf-netconf',
  'notifications',
  'ietf-subscribed-notifications',
  'ietf-netconf-partial-lock',
]);

const UNKNOWN = { text: 'whether the operation was carried out is unknown.', mayBeDone: true };

/** Calls an rpc, or an action of a data resource (RFC 8040 section 3.6). Throws RestconfFault, RpcFailed and EncodingFault. */
export async function invoke(
  { session, model, signal, log }: CallContext,
  operation: SchemaNode,
  { body, steps }: { readonly body: Buffer | undefined; readonly steps?: readonly ResourceStep[] },
): Promise<UpstreamReply> {
  const { name, module } = operation;
  if (OF_SESSIONS.has(module.name))
    throw refused(
      501,
      'operation-not-supported',
      `operations of "${module.name}" belong to the session, which gatehouse manages`,
    );
  const content = inputOf(operation, body, model);
  const element = { namespace: module.namespace, name, content };
  const sent: XmlOutput = steps
    ? { namespace: ACTION, name: 'action', content: elementsOfPath(steps, { content: [element] }) }
    : element;
  const reply = await session.rpc(sent, signal);
  const output = reply.children.filter(({ name: child }) => child !== 'ok' && child !== 'rpc-error');
  if (output.length === 0) requireConfirmation(reply, { operation: element, unconfirmed: UNKNOWN });
  logWarnings(reply, element, log);
  if (output.length === 0) return emptyReply(204);
  const value = fromReply(() => objectOf(output, parametersOf(model, operation, 'output'), { model }));
  return dataReply(200, { [`${module.name}:output`]: value });
}

function inputOf(
  operation: SchemaNode,
  body: Buffer | undefined,
  model: CallContext['model'],
): readonly XmlOutput[] {
  const input = parametersOf(model, operation, 'input');
  if (body === undefined || body.length === 0) return [];
  const [name, value] = onlyMember(body);
  const expected = `${operation.module.name}:input`;
  if (name !== expected)
    throw refused(400, 'malformed-message', `the body of "${memberName(operation)}" must be "${expected}"`);
  return elementsOf(value, input, { model, place: `/${name}` });
}
