import { definitionOf } from '../../src/yang/encoding/element-definition.js';
import { type InstanceModel, parametersOf } from '../../src/yang/encoding/instance-model.js';
import { elementsOf } from '../../src/yang/encoding/json-to-xml.js';
import { elementsOfPath, type ResourceStep } from '../../src/yang/encoding/resource-path.js';
import type { XmlOutput } from '../../src/yang/encoding/write-xml.js';
import type { XmlElement } from '../../src/yang/encoding/xml-element.js';
import { objectOf } from '../../src/yang/encoding/xml-to-json.js';
import { memberName } from '../../src/yang/json-schema/data-path.js';
import type { SchemaNode } from '../../src/yang/tree/schema-node.js';
import type { ReadTerms } from './read-data.js';
import { refused } from './replies.js';
import { onlyMember } from './request-body.js';

const ACTION = 'urn:ietf:params:xml:ns:yang:1';

/** Modules whose operations would change the session that calls share. */
export const OF_SESSIONS = new Set([
  'ietf-netconf',
  'notifications',
  'ietf-subscribed-notifications',
  'ietf-netconf-partial-lock',
]);

/**
 * Returns what calls an rpc, or an action of a data resource (RFC 8040 section 3.6). Throws RestconfFault and EncodingFault.
 */
export function invocation(
  operation: SchemaNode,
  { body, steps }: { readonly body: Buffer | undefined; readonly steps?: readonly ResourceStep[] },
  model: InstanceModel,
): XmlOutput {
  const { name, module } = operation;
  if (OF_SESSIONS.has(module.name))
    throw refused(
      501,
      'operation-not-supported',
      `operations of "${module.name}" belong to the session, which gatehouse manages`,
    );
  const content = inputOf(operation, body, model);
  const element = { namespace: module.namespace, name, content };
  if (!steps) return element;
  return { namespace: ACTION, name: 'action', content: elementsOfPath(steps, { content: [element] }) };
}

/** Output of an operation. */
interface Output {
  /** JSON value; absent for a reply without content. */
  readonly value?: unknown;
  /** True if the model has a node of it, so that the reply is one to this operation. */
  readonly isKnown: boolean;
}

/** Returns the output in the reply to an operation. Throws EncodingFault. */
export function outputJson(reply: XmlElement, operation: SchemaNode, terms: ReadTerms): Output {
  const { model } = terms;
  const { module } = operation;
  const output = reply.children.filter(({ name: child }) => child !== 'ok' && child !== 'rpc-error');
  if (output.length === 0) return { isKnown: false };
  const parameters = parametersOf(model, operation, 'output');
  const value = objectOf(output, parameters, {
    ...terms,
    around: module,
    place: `/${operation.module.name}:output`,
  });
  const isKnown = output.some((element) => definitionOf(element, parameters, model));
  if (!isKnown && terms.unknown.choice === 'omit') return { isKnown };
  return { value: { [`${module.name}:output`]: value }, isKnown };
}

function inputOf(
  operation: SchemaNode,
  body: Buffer | undefined,
  model: InstanceModel,
): readonly XmlOutput[] {
  const input = parametersOf(model, operation, 'input');
  if (body === undefined || body.length === 0) return [];
  const [name, value] = onlyMember(body);
  const expected = `${operation.module.name}:input`;
  if (name !== expected)
    throw refused(400, 'malformed-message', `the body of "${memberName(operation)}" must be "${expected}"`);
  return elementsOf(value, input, { model, place: `/${name}` });
}
