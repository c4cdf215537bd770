import type { InstanceModel } from '../../src/yang/encoding/instance-model.js';
import { prefixOf } from '../../src/yang/encoding/names-in-values.js';
import { readResourcePath, type ResourceStep } from '../../src/yang/encoding/resource-path.js';
import type { XmlOutput } from '../../src/yang/encoding/write-xml.js';
import { isOrderedByUser } from '../../src/yang/tree/schema-node.js';
import type { InsertParameters } from './plan.js';
import { refused, type RestconfFault } from './replies.js';
import type { BodyInstance } from './request-body.js';

/** Namespace of the attributes `insert`, `key` and `value` (RFC 7950 sections 7.7.9 and 7.8.6). */
const YANG = 'urn:ietf:params:xml:ns:yang:1';

/** Where an entry belongs, and the path of its parent. */
interface EntryPlace {
  readonly insert: InsertParameters | undefined;
  readonly parents: readonly ResourceStep[];
}

type Attributes = Required<Pick<XmlOutput, 'attributes' | 'prefixes'>>;

/**
 * Returns an instance with the attributes that place it in its list. Throws RestconfFault if the list has another order, or the point is no
 * entry of it (RFC 8040 sections 4.8.5 and 4.8.6).
 */
export function placed(
  instance: BodyInstance,
  { insert, parents }: EntryPlace,
  model: InstanceModel,
): BodyInstance {
  if (!insert) return instance;
  const { definition, element } = instance;
  const { node, qualified } = definition;
  if (!isOrderedByUser(node) || (node.kind !== 'list' && node.kind !== 'leaf-list'))
    throw notOrdered(`"${qualified}"`);
  const point =
    'point' in insert
      ? pointAttributes(entryAt(insert.point, { definition, parents }, model), model)
      : { attributes: {}, prefixes: {} };
  return {
    definition,
    element: {
      ...element,
      attributes: { ...element.attributes, 'yang:insert': insert.insert, ...point.attributes },
      prefixes: { ...element.prefixes, ...point.prefixes, yang: YANG },
    },
  };
}

/** Creates the answer to `insert` for something that is no list in the order of the user. */
export function notOrdered(what: string): RestconfFault {
  return refused(
    400,
    'invalid-value',
    `the query parameter "insert" is for lists and leaf-lists that are "ordered-by user", and ${what} is not`,
  );
}

/** Reads the path of an entry of the same list. */
function entryAt(
  point: string,
  { definition, parents }: Pick<BodyInstance, 'definition'> & { readonly parents: readonly ResourceStep[] },
  model: InstanceModel,
): ResourceStep {
  const { steps, action } = readResourcePath(point.replace(/^\/restconf\/data(?=\/)/, ''), model);
  const last = steps.at(-1);
  const isOfList =
    !action &&
    last?.definition.node === definition.node &&
    last.keys !== undefined &&
    steps.length === parents.length + 1 &&
    parents.every((parent, at) => textsOf(parent) === textsOf(steps[at]));
  if (isOfList) return last;
  throw refused(
    400,
    'invalid-value',
    `the query parameter "point" must be the path of an entry of the same list "${definition.qualified}"`,
  );
}

function textsOf(step: ResourceStep | undefined): string {
  return JSON.stringify(step?.keys?.map(({ canonical }) => canonical) ?? []);
}

/** Returns the attribute that names the entry: the value of a leaf-list, or the keys as predicates (RFC 7950 section 9.13). */
function pointAttributes(
  { definition: { node }, keys = [] }: ResourceStep,
  model: InstanceModel,
): Attributes {
  const [first] = keys;
  if (node.kind === 'leaf-list')
    return { attributes: { 'yang:value': first?.text ?? '' }, prefixes: first?.prefixes ?? {} };
  const { prefix, namespace } = prefixOf(node.module.name, model);
  const predicates = keys.map(
    ({ definition, text }) => `[${prefix}:${definition.node.name}=${quoted(text)}]`,
  );
  return {
    attributes: { 'yang:key': predicates.join('') },
    prefixes: Object.assign({ [prefix]: namespace }, ...keys.map((key) => key.prefixes)) as Record<
      string,
      string
    >,
  };
}

/** Returns a string of XPath, which cannot have both quotation marks. */
function quoted(text: string): string {
  if (!text.includes("'")) return `'${text}'`;
  if (!text.includes('"')) return `"${text}"`;
  throw refused(
    400,
    'invalid-value',
    'the query parameter "point" has a key with both kinds of quotation marks',
  );
}
