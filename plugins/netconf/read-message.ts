import { oneLine } from '../../src/lib/one-line.js';
import { EncodingFault, type InstanceModel } from '../../src/yang/encoding/instance-model.js';
import { notificationToJson } from '../../src/yang/encoding/notification.js';
import { InvalidXml, parseXml } from '../../src/yang/encoding/parse-xml.js';
import { elementsAt, readResourcePath } from '../../src/yang/encoding/resource-path.js';
import {
  attributeOf,
  childElements,
  childText,
  type XmlElement,
} from '../../src/yang/encoding/xml-element.js';
import { confirmationIn, subscriptionConfirmation, warningsOf } from './confirmation.js';
import { outputJson } from './invoke.js';
import { capabilitiesIn, messageIdOf, requireNoErrors, RpcFailed } from './messages.js';
import { modulesIn } from './modules-in.js';
import { readQueryParameters } from './query-parameters.js';
import { dataOf, type ReadTerms, resourceJson } from './read-data.js';
import type { OutputReply, Reading, ReadingResults } from './reading.js';
import { jsonReply, RestconfFault } from './replies.js';
import { pathTextWith } from './rpc-errors.js';
import { schemaTextOf } from './schema-text.js';
import { streamsIn } from './streams-in.js';
import { isLastNotification } from './subscribe.js';
import type { MessageContent, NotificationJson, Outcome, ReadTask } from './thread-tasks.js';

const MAX_TEXT_LENGTH = 1000;

/** Reads a message of the server, and what it means for the calls that wait. */
export function readMessage(task: ReadTask, model: InstanceModel | undefined): MessageContent {
  let root: XmlElement;
  try {
    root = parseXml(task.message, task.limits);
  } catch (error) {
    if (!(error instanceof InvalidXml)) throw error;
    return { kind: 'invalid', reason: error.message, isTooLarge: error.isTooLarge };
  }
  if (root.name === 'hello') return helloOf(root);
  if (root.name === 'notification' && task.wantsEvents && model) return eventOf(root, model, task);
  return root.name === 'rpc-reply' ? replyOf(root, model, task) : { kind: 'other' };
}

/** Maximum number of capabilities in a hello, and of their parameters with the features and deviations in them. */
const MAX_CAPABILITIES = 8000;
const MAX_PARAMETERS = 50_000;

/** Reads a hello. The process reads the capabilities themselves, so there are not too many. */
function helloOf(hello: XmlElement): MessageContent {
  const capabilities = capabilitiesIn(hello);
  const tooMany = (what: string): MessageContent => ({
    kind: 'invalid',
    reason: `has a hello with more than ${what}`,
    isTooLarge: true,
  });
  if (capabilities && capabilities.length > MAX_CAPABILITIES)
    return tooMany(`${MAX_CAPABILITIES} capabilities`);
  const parameters = capabilities?.reduce((sum, uri) => sum + uri.split(/[&,]/).length, 0) ?? 0;
  return parameters > MAX_PARAMETERS
    ? tooMany(`${MAX_PARAMETERS} parameters of capabilities`)
    : { kind: 'hello', capabilities };
}

function replyOf(
  reply: XmlElement,
  model: InstanceModel | undefined,
  { calls, limits, unknownNodes }: ReadTask,
): MessageContent {
  const [only] = calls.keys();
  // An error without a message-id answers the only call.
  const isOfOnly = calls.size === 1 && attributeOf(reply, 'message-id') === undefined;
  const id = messageIdOf(reply) ?? (isOfOnly ? only : undefined);
  if (id === undefined) return { kind: 'reply' };
  const reading = calls.get(id);
  if (!reading) return { kind: 'reply', id };
  const outcome = outcomeOf(() => {
    const unknown = { choice: unknownNodes, paths: new Set<string>() };
    const terms = { model, maxLength: limits.bytes, unknown };
    return readAs(requireNoErrors(reply, pathTextWith(model)), reading, terms);
  });
  return { kind: 'reply', id, outcome };
}

type Terms = Omit<ReadTerms, 'model'> & { readonly model: InstanceModel | undefined };

function readAs(reply: XmlElement, reading: Reading, terms: Terms): ReadingResults[Reading['as']] {
  switch (reading.as) {
    case 'ok':
      return confirmationIn(reply);
    case 'subscription':
      return subscriptionConfirmation(reply);
    case 'data': {
      const known = withModel(terms);
      const { steps } = readResourcePath(reading.resource, known.model);
      const parameters = readQueryParameters(reading.query);
      const json = jsonReply(resourceJson(reply, { steps, parameters }, known));
      return { ...json, unknownNodes: [...known.unknown.paths], warnings: warningsOf(reply).warnings };
    }
    case 'count': {
      const { model } = withModel(terms);
      return elementsAt(dataOf(reply), readResourcePath(reading.resource, model).steps, model).length;
    }
    case 'output':
      return outputOf(reply, reading, withModel(terms));
    case 'modules':
      return modulesIn(reply, reading.list);
    case 'schema':
      return schemaTextOf(childElements(reply, 'data')[0]?.text ?? '', reading.name);
    case 'streams':
      return streamsIn(reply, reading.list);
  }
}

function withModel({ model, ...terms }: Terms): ReadTerms {
  if (!model) throw new Error('the session has no model');
  return { model, ...terms };
}

function outputOf(
  reply: XmlElement,
  { rpc = '', resource }: Extract<Reading, { as: 'output' }>,
  terms: ReadTerms,
): OutputReply {
  const { model } = terms;
  const operation = resource === undefined ? model.rpcs.get(rpc) : readResourcePath(resource, model).action;
  if (!operation) throw new Error('the model has another operation than that of the call');
  const { value, isKnown } = outputJson(reply, operation, terms);
  // Content that the operation does not have confirms nothing.
  const confirmation = isKnown ? warningsOf(reply) : confirmationIn(reply);
  const bytes = value === undefined ? { status: 204, body: new Uint8Array() } : jsonReply(value);
  return { ...bytes, unknownNodes: [...terms.unknown.paths], confirmation };
}

/** Returns the result of work on a reply. Data without a JSON form is a fault of the server. */
function outcomeOf(work: () => ReadingResults[Reading['as']]): Outcome<unknown> {
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof RpcFailed) return { rpcErrors: error.errors };
    if (error instanceof RestconfFault) return { fault: { status: error.status, errors: error.errors } };
    if (!(error instanceof EncodingFault)) throw error;
    return {
      badReply: oneLine(`${error.place} ${error.message}`, MAX_TEXT_LENGTH),
      isTooLarge: error.kind === 'too-big',
      isUnknown: error.kind === 'unknown-element',
    };
  }
}

/** Maximum length of a notification as JSON: no client may have more of them waiting. */
const MAX_EVENT_LENGTH = 1_048_576;

/** Returns a notification as the text of its JSON (RFC 8040 section 6.4). */
function eventOf(
  notification: XmlElement,
  model: InstanceModel,
  { limits, unknownNodes }: ReadTask,
): MessageContent {
  const event = notification.children.find(({ name }) => name !== 'eventTime');
  if (!event) return { kind: 'other' };
  const eventTime = childText(notification, 'eventTime');
  const unknown = { choice: unknownNodes, paths: new Set<string>() };
  return {
    kind: 'event',
    event: {
      ...jsonOf(event, eventTime, {
        model,
        maxLength: Math.min(limits.bytes, MAX_EVENT_LENGTH),
        unknown,
      }),
      isLast: isLastNotification(event),
      unknownNodes: [...unknown.paths],
    },
  };
}

function jsonOf(
  event: XmlElement,
  eventTime: string,
  terms: ReadTerms,
): Pick<NotificationJson, 'json' | 'fault'> {
  try {
    const content = contentOf(event, terms);
    return { json: JSON.stringify({ 'ietf-restconf:notification': { eventTime, ...content } }) };
  } catch (error) {
    if (!(error instanceof EncodingFault)) throw error;
    const fault = `a notification cannot be written as JSON: ${error.place} ${error.message}`;
    return { fault: oneLine(fault, MAX_TEXT_LENGTH) };
  }
}

/** Returns the content of a notification. Servers need not send the module of the messages of RFC 5277. */
function contentOf(event: XmlElement, terms: ReadTerms): object {
  const isOfProtocol = event.namespace === 'urn:ietf:params:xml:ns:netmod:notification';
  if (isOfProtocol && !terms.model.moduleByNamespace.has(event.namespace))
    return { [`nc-notifications:${event.name}`]: {} };
  return notificationToJson(event, terms);
}
