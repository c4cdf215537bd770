import { EncodingFault, type InstanceModel } from '../../src/yang/encoding/instance-model.js';
import { elementsAt, elementsOfPath, type ResourceStep } from '../../src/yang/encoding/resource-path.js';
import type { XmlOutput } from '../../src/yang/encoding/write-xml.js';
import { childElement, type XmlElement } from '../../src/yang/encoding/xml-element.js';
import { objectOf, type UnknownReport, valuesOf } from '../../src/yang/encoding/xml-to-json.js';
import { NETCONF } from './messages.js';
import type { QueryParameters } from './query-parameters.js';
import { refused } from './replies.js';

const WITH_DEFAULTS = 'urn:ietf:params:xml:ns:yang:ietf-netconf-with-defaults';
const NMDA = 'urn:ietf:params:xml:ns:yang:ietf-netconf-nmda';
const DATASTORES = 'urn:ietf:params:xml:ns:yang:ietf-datastores';

/** Resource to read, and of which datastore: without one, of running and the state. */
interface ReadRequest {
  readonly steps: readonly ResourceStep[];
  readonly parameters: QueryParameters;
  /** Name of a datastore of NMDA (RFC 8342), such as `operational`. */
  readonly datastore?: string;
}

/** What decides about a read, besides the request. */
export interface ReadTerms {
  readonly model: InstanceModel;
  /** Maximum number of characters of the JSON. */
  readonly maxLength: number;
  /** What becomes of nodes that the model does not have. */
  readonly unknown: UnknownReport;
}

/** Returns the JSON value of a resource in a reply. Throws RestconfFault with 404 if it does not exist, and EncodingFault. */
export function resourceJson(
  reply: XmlElement,
  { steps, parameters }: ReadRequest,
  { model, maxLength, unknown }: ReadTerms,
): unknown {
  const data = dataOf(reply);
  const found = elementsAt(data, steps, model);
  const { selection } = parameters;
  const place = steps.map(({ definition: { member } }) => `/${member}`).join('');
  const terms = { model, selection, maxLength, unknown, place };
  const last = steps.at(-1);
  // The datastore is the requested node, and its children have level 2.
  if (!last) return { 'ietf-restconf:data': objectOf(data.children, model.top, terms) };
  const { definition } = last;
  const [first] = found;
  const isWanted =
    selection.isStateOnly !== true || !definition.node.config || definition.children.list.length > 0;
  if (!first) requireNamespace(data, steps, model);
  if (!first || !isWanted) throw refused(404, 'invalid-value', 'there is no such data');
  const values = valuesOf(found, definition, terms);
  const isList = definition.node.kind === 'list' || definition.node.kind === 'leaf-list';
  return { [definition.qualified]: isList ? values : values[0] };
}

/** Throws EncodingFault if the data is in a namespace that no module has: the resource may exist. */
function requireNamespace(
  { children }: XmlElement,
  [step]: readonly ResourceStep[],
  { moduleByNamespace }: InstanceModel,
): void {
  const node = step?.definition.node;
  const other = children.find(
    (child) =>
      child.name === node?.name && child.children.length > 0 && !moduleByNamespace.has(child.namespace),
  );
  if (!other || !node) return;
  throw new EncodingFault(
    '/',
    `has "${node.name}" of the namespace "${other.namespace}", and the module "${node.module.name}" has "${node.module.namespace}"`,
    'unknown-element',
  );
}

/**
 * Returns the operation `get`, `get-config` or `get-data` that reads a resource. `defaultsModes` are the modes of with-defaults that the
 * server has. Throws RestconfFault for another one.
 */
export function readOperation(request: ReadRequest, defaultsModes: readonly string[]): XmlOutput {
  const { steps, parameters, datastore } = request;
  const defaults = defaultsElement(parameters, defaultsModes);
  if (datastore !== undefined) return getDataOperation(datastore, request, defaults);
  const isConfig = parameters.content === 'config';
  return {
    namespace: NETCONF,
    name: isConfig ? 'get-config' : 'get',
    content: [
      ...(isConfig ? [sourceElement('running')] : []),
      ...filterElements(elementsOfPath(steps, {})),
      ...defaults,
    ],
  };
}

/** Returns the operation `get-data` (RFC 8526 section 3.1.1). */
function getDataOperation(
  datastore: string,
  { steps, parameters: { content } }: ReadRequest,
  defaults: readonly XmlOutput[],
): XmlOutput {
  const filter = elementsOfPath(steps, {});
  return {
    namespace: NMDA,
    name: 'get-data',
    content: [
      { namespace: NMDA, name: 'datastore', prefixes: { ds: DATASTORES }, content: `ds:${datastore}` },
      ...(filter.length > 0 ? [{ namespace: NMDA, name: 'subtree-filter', content: filter }] : []),
      ...(content === 'all'
        ? []
        : [{ namespace: NMDA, name: 'config-filter', content: String(content === 'config') }]),
      ...defaults.map((element) => ({ ...element, namespace: NMDA })),
    ],
  };
}

function defaultsElement({ withDefaults }: QueryParameters, modes: readonly string[]): readonly XmlOutput[] {
  if (withDefaults === undefined) return [];
  if (!modes.includes(withDefaults))
    throw refused(501, 'operation-not-supported', `the server has no with-defaults mode "${withDefaults}"`);
  return [{ namespace: WITH_DEFAULTS, name: 'with-defaults', content: withDefaults }];
}

/** Returns the element with a subtree filter; none without content. */
export function filterElements(content: readonly XmlOutput[]): readonly XmlOutput[] {
  if (content.length === 0) return [];
  return [{ namespace: NETCONF, name: 'filter', attributes: { type: 'subtree' }, content }];
}

/** Returns the element that names the source of an operation. */
export function sourceElement(datastore: string): XmlOutput {
  return { namespace: NETCONF, name: 'source', content: [{ namespace: NETCONF, name: datastore }] };
}

/** Returns the element with the data of a reply. Throws RestconfFault. */
export function dataOf(reply: XmlElement): XmlElement {
  const data = childElement(reply, 'data');
  if (!data) throw refused(502, 'operation-failed', 'the server answers a read without data');
  return data;
}
