import type { DataChildren } from '../../src/yang/document/data-definition.js';
import type { InstanceModel } from '../../src/yang/encoding/instance-model.js';
import { elementsOf } from '../../src/yang/encoding/json-to-xml.js';
import { elementsOfPath, type ResourceStep } from '../../src/yang/encoding/resource-path.js';
import type { XmlOutput } from '../../src/yang/encoding/write-xml.js';
import { isNonPresenceContainer, keysOf } from '../../src/yang/tree/schema-node.js';
import { notOrdered, placed } from './insert.js';
import { NETCONF } from './messages.js';
import type { EditMethod, EditPlan, InsertParameters, ResourceFilter } from './plan.js';
import { refused } from './replies.js';
import { type BodyInstance, instanceIn, onlyMember } from './request-body.js';

/** Change of a data resource (RFC 8040 sections 4.4 to 4.7). */
interface EditRequest {
  readonly method: EditMethod;
  readonly steps: readonly ResourceStep[];
  /** Path of the resource below `/restconf/data` as the caller wrote it. */
  readonly resource: string;
  readonly body: Buffer | undefined;
  /** Where the entry in the body belongs; absent: where the server puts it. */
  readonly insert: InsertParameters | undefined;
}

/** Returns the plan of a change. Throws RestconfFault and EncodingFault. */
export function planEdit(request: EditRequest, model: InstanceModel): EditPlan {
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
      return createChild(request, model);
    case 'DELETE':
      return remove(request);
    default:
      return last ? write(request, model) : writeDatastore(request, model);
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
function createChild({ method, steps, resource, body, insert }: EditRequest, model: InstanceModel): EditPlan {
  const instance = placed(
    instanceIn(body, childrenAt(steps, model), model),
    { insert, parents: steps },
    model,
  );
  return {
    method,
    ...parentOf(steps, resource),
    content: elementsOfPath(steps, { content: [withOperation(instance.element, 'create')] }),
    defaultOperation: 'merge',
    location: `/restconf/data${resource.replace(/\/$/, '')}/${segmentOf(instance)}`,
  };
}

function childrenAt(steps: readonly ResourceStep[], model: InstanceModel): DataChildren {
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
function write({ method, steps, resource, body, insert }: EditRequest, model: InstanceModel): EditPlan {
  const parents = steps.slice(0, -1);
  const instance = placed(instanceIn(body, childrenAt(parents, model), model), { insert, parents }, model);
  requireSameResource(instance, steps);
  const mustExist = method === 'PATCH' && !isNonPresenceContainer(instance.definition.node);
  const element = method === 'PUT' ? withOperation(instance.element, 'replace') : instance.element;
  return {
    method,
    target: filterOf(steps, resource),
    ...(mustExist && { missing: 'there is no such data to change; create it with PUT or POST' }),
    ...parentOf(parents, resource),
    content: elementsOfPath(parents, { content: [element] }),
    defaultOperation: 'merge',
  };
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
function writeDatastore({ method, body, insert }: EditRequest, model: InstanceModel): EditPlan {
  if (insert) throw notOrdered('the datastore');
  const [name, value] = onlyMember(body);
  if (name !== 'ietf-restconf:data')
    throw refused(400, 'invalid-value', 'the body must be "ietf-restconf:data"');
  const content = elementsOf(value, model.top, { model, place: `/${name}`, isConfiguration: true });
  return { method, content, defaultOperation: method === 'PUT' ? 'replace' : 'merge' };
}

function remove({ method, steps, resource }: EditRequest): EditPlan {
  if (steps.length === 0) throw refused(405, 'operation-not-supported', 'the datastore cannot be deleted');
  const end = { attributes: { 'nc:operation': 'delete' }, prefixes: { nc: NETCONF } };
  return {
    method,
    target: filterOf(steps, resource),
    missing: 'there is no such data',
    content: elementsOfPath(steps, end),
    defaultOperation: 'none',
  };
}

function filterOf(steps: readonly ResourceStep[], resource: string): ResourceFilter {
  const segments = resource.split('/').filter((segment) => segment !== '');
  return {
    resource: segments
      .slice(0, steps.length)
      .map((segment) => `/${segment}`)
      .join(''),
    filter: elementsOfPath(steps, {}),
  };
}

/** Returns the nearest list entry or presence container of a path. */
function parentOf(steps: readonly ResourceStep[], resource: string): Pick<EditPlan, 'parent'> {
  const at = steps.findLastIndex(({ definition: { node } }) => !isNonPresenceContainer(node));
  return at < 0 ? {} : { parent: filterOf(steps.slice(0, at + 1), resource) };
}

function withOperation(element: XmlOutput, operation: string): XmlOutput {
  return {
    ...element,
    attributes: { ...element.attributes, 'nc:operation': operation },
    prefixes: { ...element.prefixes, nc: NETCONF },
  };
}
