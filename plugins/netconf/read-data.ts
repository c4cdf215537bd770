import type { UpstreamReply } from '../../src/core/adapter.js';
import { elementsAt, elementsOfPath, type ResourceStep } from '../../src/yang/encoding/resource-path.js';
import type { XmlOutput } from '../../src/yang/encoding/write-xml.js';
import { childElement, type XmlElement } from '../../src/yang/encoding/xml-element.js';
import { objectOf, valueOf } from '../../src/yang/encoding/xml-to-json.js';
import { NETCONF } from './messages.js';
import type { QueryParameters } from './query-parameters.js';
import { dataReply, fromReply, refused } from './replies.js';
import type { CallContext } from './server.js';

const WITH_DEFAULTS = 'urn:ietf:params:xml:ns:yang:ietf-netconf-with-defaults';
const NMDA = 'urn:ietf:params:xml:ns:yang:ietf-netconf-nmda';
const DATASTORES = 'urn:ietf:params:xml:ns:yang:ietf-datastores';

/** Resource to read, and of which datastore: without one, of running and the state. */
export interface ReadRequest {
  readonly steps: readonly ResourceStep[];
  readonly parameters: QueryParameters;
  /** Name of a datastore of NMDA (RFC 8342), such as `operational`. */
  readonly datastore?: string;
}

/** Reads a resource with `get`, `get-config` or `get-data`. Throws RestconfFault with 404 if it does not exist. */
export async function readData(context: CallContext, request: ReadRequest): Promise<UpstreamReply> {
  const { steps, parameters } = request;
  const { model, signal, session } = context;
  const data = dataOf(await session.rpc(operationFor(context, request), signal));
  const found = elementsAt(data, steps, model);
  const { selection } = parameters;
  const last = steps.at(-1);
  if (!last) {
    // The datastore is the requested node, and its children have level 2.
    const value = fromReply(() => objectOf(data.children, model.top, { model, selection }));
    return dataReply(200, { 'ietf-restconf:data': value });
  }
  const { definition } = last;
  const [first] = found;
  const isWanted =
    selection.isStateOnly !== true || !definition.node.config || definition.children.list.length > 0;
  if (!first || !isWanted) throw refused(404, 'invalid-value', 'there is no such data');
  const values = fromReply(() => found.map((element) => valueOf(element, definition, { model, selection })));
  const isList = definition.node.kind === 'list' || definition.node.kind === 'leaf-list';
  return dataReply(200, { [definition.qualified]: isList ? values : values[0] });
}

function operationFor(context: CallContext, request: ReadRequest): XmlOutput {
  const { steps, parameters, datastore } = request;
  const defaults = defaultsElement(context, parameters);
  if (datastore !== undefined) return getDataOperation(datastore, request, defaults);
  const isConfig = parameters.content === 'config';
  return {
    namespace: NETCONF,
    name: isConfig ? 'get-config' : 'get',
    content: [...(isConfig ? [sourceElement('running')] : []), ...filterElements(steps), ...defaults],
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

function defaultsElement({ session }: CallContext, { withDefaults }: QueryParameters): readonly XmlOutput[] {
  if (withDefaults === undefined) return [];
  const { capabilities } = session;
  const modes = [
    capabilities.parameter('with-defaults', 'basic-mode'),
    ...(capabilities.parameter('with-defaults', 'also-supported') ?? '').split(','),
  ];
  if (!modes.includes(withDefaults))
    throw refused(501, 'operation-not-supported', `the server has no with-defaults mode "${withDefaults}"`);
  return [{ namespace: WITH_DEFAULTS, name: 'with-defaults', content: withDefaults }];
}

function filterElements(steps: readonly ResourceStep[]): readonly XmlOutput[] {
  if (steps.length === 0) return [];
  return [
    {
      namespace: NETCONF,
      name: 'filter',
      attributes: { type: 'subtree' },
      content: elementsOfPath(steps, {}),
    },
  ];
}

/** Returns the element that names the source of an operation. */
export function sourceElement(datastore: string): XmlOutput {
  return { namespace: NETCONF, name: 'source', content: [{ namespace: NETCONF, name: datastore }] };
}

/** Returns the configuration at a path of a datastore: its instances, and none if it does not exist. */
export async function readConfig(
  { session, model, signal }: CallContext,
  datastore: string,
  steps: readonly ResourceStep[],
): Promise<readonly XmlElement[]> {
  const content = [sourceElement(datastore), ...filterElements(steps)];
  const reply = await session.rpc({ namespace: NETCONF, name: 'get-config', content }, signal);
  return elementsAt(dataOf(reply), steps, model);
}

function dataOf(reply: XmlElement): XmlElement {
  const data = childElement(reply, 'data');
  if (!data) throw refused(502, 'operation-failed', 'the server answers a read without data');
  return data;
}
