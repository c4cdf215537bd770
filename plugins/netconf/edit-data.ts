import type { UpstreamReply } from '../../src/core/adapter.js';
import type { DataChildren } from '../../src/yang/document/data-definition.js';
import { elementsOf } from '../../src/yang/encoding/json-to-xml.js';
import { elementsOfPath, type ResourceStep } from '../../src/yang/encoding/resource-path.js';
import type { XmlOutput } from '../../src/yang/encoding/write-xml.js';
import { isNonPresenceContainer, keysOf } from '../../src/yang/tree/schema-node.js';
import { changeDatastore } from './change-datastore.js';
import { NETCONF } from './messages.js';
import { readConfig } from './read-data.js';
import { emptyReply, refused } from './replies.js';
import { type BodyInstance, instanceIn, onlyMember } from './request-body.js';
import type { CallContext } from './server.js';

/** Change of a data resource (RFC 8040 sections 4.4 to 4.7). */
export interface EditRequest {
  readonly method: 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  readonly steps: readonly ResourceStep[];
  /** Path of the resource as the caller wrote it, for the header `location`. */
  readonly path: string;
  readonly body: Buffer | undefined;
}

/** Makes a change with `edit-config`. Throws RestconfFault, RpcFailed and EncodingFault. */
export function editData(context: CallContext, request: EditRequest): Promise<UpstreamReply> {
  const { steps, method } = request;
  const last = steps.at(-1);
  if (last && !last.definition.node.config)
    throw refused(
      405,
      'operation-not-supported',
      `"${last.definition.qualified}" is state, not configuration`,
    );
  if (last && !last.keys && isListKind(last))
    throw refused(
      405,
      'operation-not-supported',
      `"${last.definition.member}" needs keys in the path for a change`,
    );
  if (method === 'DELETE' && isKey(steps))
    throw refused(405, 'operation-not-supported', 'the key of a list entry cannot be deleted');
  switch (method) {
    case 'POST':
      return createChild(context, request);
    case 'DELETE':
      return remove(context, request);
    default:
      return last ? write(context, request) : writeDatastore(context, request);
  }
}

function isKey(steps: readonly ResourceStep[]): boolean {
  const [list, leaf] = steps.slice(-2);
  if (!list || !leaf || list.definition.node.kind !== 'list') return false;
  const { name, module } = leaf.definition.node;
  return module === list.definition.node.module && keysOf(list.definition.node).includes(name);
}

function isListKind({ definition: { node } }: ResourceStep): boolean {
  return node.kind === 'list' || node.kind === 'leaf-list';
}

/** Creates a child of a resource; 409 if it exists. */
function createChild(context: CallContext, { steps, path, body }: EditRequest): Promise<UpstreamReply> {
  const instance = instanceIn(body, childrenAt(context, steps), context.model);
  const location = `${path.replace(/\/$/, '')}/${segmentOf(instance)}`;
  return changeDatastore(context, async (edit) => {
    await requireParent(context, edit.datastore, steps);
    await edit.config(
      elementsOfPath(steps, { content: [withOperation(instance.element, 'create')] }),
      'merge',
    );
    return emptyReply(201, { location });
  });
}

function childrenAt({ model }: CallContext, steps: readonly ResourceStep[]): DataChildren {
  return steps.at(-1)?.definition.children ?? model.top;
}

/** Returns the segment of an instance in a path. */
function segmentOf({ definition, element }: BodyInstance): string {
  const name = encodeURIComponent(definition.member).replaceAll('%3A', ':');
  const { node } = definition;
  if (node.kind === 'leaf-list') return `${name}=${encodeURIComponent(textOf(element))}`;
  if (node.kind !== 'list') return name;
  const content = typeof element.content === 'object' ? element.content : [];
  const keys = keysOf(node).map((key) =>
    encodeURIComponent(textOf(content.find((child) => child.name === key))),
  );
  return `${name}=${keys.join(',')}`;
}

function textOf(element: XmlOutput | undefined): string {
  return typeof element?.content === 'string' ? element.content : '';
}

/** Replaces a resource (PUT), or merges into it (PATCH). */
function write(context: CallContext, { method, steps, body }: EditRequest): Promise<UpstreamReply> {
  const parents = steps.slice(0, -1);
  const instance = instanceIn(body, childrenAt(context, parents), context.model);
  requireSameResource(instance, steps);
  return changeDatastore(context, async (edit) => {
    const exists = (await readConfig(context, edit.datastore, steps)).length > 0;
    if (!exists && method === 'PATCH' && !isNonPresenceContainer(instance.definition.node))
      throw refused(404, 'invalid-value', 'there is no such data to change; create it with PUT or POST');
    if (!exists) await requireParent(context, edit.datastore, parents);
    const element = method === 'PUT' ? withOperation(instance.element, 'replace') : instance.element;
    await edit.config(elementsOfPath(parents, { content: [element] }), 'merge');
    return emptyReply(exists || method === 'PATCH' ? 204 : 201);
  });
}

/** Throws RestconfFault if the body is another resource than the path. */
function requireSameResource({ definition, element }: BodyInstance, steps: readonly ResourceStep[]): void {
  const last = steps.at(-1);
  if (last?.definition.node !== definition.node)
    throw refused(
      400,
      'invalid-value',
      `the body must be "${last?.definition.qualified ?? ''}", which the path names`,
    );
  const content = typeof element.content === 'object' ? element.content : [];
  for (const key of last.keys ?? []) {
    const isValue = definition.node.kind === 'leaf-list';
    const found = isValue ? element : content.find(({ name }) => name === key.definition.node.name);
    if (textOf(found) !== key.text)
      throw refused(400, 'invalid-value', `the body has another "${key.definition.member}" than the path`);
  }
}

/** Replaces the whole configuration (PUT), or merges into it (PATCH). */
function writeDatastore(context: CallContext, { method, body }: EditRequest): Promise<UpstreamReply> {
  const [name, value] = onlyMember(body);
  if (name !== 'ietf-restconf:data')
    throw refused(400, 'invalid-value', 'the body must be "ietf-restconf:data"');
  const elements = elementsOf(value, context.model.top, {
    model: context.model,
    place: `/${name}`,
    isConfiguration: true,
  });
  return changeDatastore(context, async (edit) => {
    await edit.config(elements, method === 'PUT' ? 'replace' : 'merge');
    return emptyReply(204);
  });
}

function remove(context: CallContext, { steps }: EditRequest): Promise<UpstreamReply> {
  if (steps.length === 0) throw refused(405, 'operation-not-supported', 'the datastore cannot be deleted');
  return changeDatastore(context, async (edit) => {
    if ((await readConfig(context, edit.datastore, steps)).length === 0)
      throw refused(404, 'invalid-value', 'there is no such data');
    const end = { attributes: { 'nc:operation': 'delete' }, prefixes: { nc: NETCONF } };
    await edit.config(elementsOfPath(steps, end), 'none');
    return emptyReply(204);
  });
}

/** Throws RestconfFault with 404 if the nearest list entry or presence container of a path does not exist: a merge would create it. */
async function requireParent(
  context: CallContext,
  datastore: string,
  steps: readonly ResourceStep[],
): Promise<void> {
  const at = steps.findLastIndex(({ definition: { node } }) => !isNonPresenceContainer(node));
  if (at < 0) return;
  const found = await readConfig(context, datastore, steps.slice(0, at + 1));
  if (found.length === 0) throw refused(404, 'invalid-value', 'the parent of the data does not exist');
}

function withOperation(element: XmlOutput, operation: string): XmlOutput {
  return {
    ...element,
    attributes: { ...element.attributes, 'nc:operation': operation },
    prefixes: { ...element.prefixes, nc: NETCONF },
  };
}
