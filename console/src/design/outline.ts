import { isJsonObject, type JsonObject } from '../../../src/json/json-object.js';
import { pointerTo, valueAt } from '../../../src/json/pointer.js';
import { branchesOf, memberOf } from './branches.js';
import type { Condition } from './condition.js';
import { text } from './designer-text.js';
import { fieldAt } from './field-location.js';
import { shownNames } from './field-order.js';
import { isConstantList } from './fixed-choices.js';
import { objectAt, textsAt } from './json-edit.js';

/** One line of a form's outline. */
export interface OutlineNode {
  /** Pointer of the field's schema. */
  readonly pointer: string;
  readonly name: string;
  readonly title: string;
  /** Text of the type label: `string`, `list`, `group`. */
  readonly type: string;
  readonly isRequired: boolean;
  /**
   * Pointer of the object schema that new fields are added to; undefined for a node that cannot contain
   * fields.
   */
  readonly container: string | undefined;
  /** The condition under which the field is shown, if it has one. */
  readonly condition: Condition | undefined;
  readonly children: readonly OutlineNode[];
}

/** The documents that an outline is built from. */
export interface Outlined {
  readonly schema: JsonObject;
  readonly uiSchema: JsonObject;
}

/** Maximum depth of the outline. Deeper levels can only be edited as JSON. */
const MAX_LEVELS = 32;

/** Returns the fields of a form, in display order. */
export function outlineOf(form: Outlined): OutlineNode {
  return nodeAt(form, { pointer: '', name: '', isRequired: false, condition: undefined, level: 0 });
}

interface NodeSource {
  readonly pointer: string;
  readonly name: string;
  readonly isRequired: boolean;
  readonly condition: Condition | undefined;
  readonly level: number;
}

function nodeAt(form: Outlined, source: NodeSource): OutlineNode {
  const { pointer, name, isRequired, condition, level } = source;
  const schema = objectAt(form.schema, pointer);
  const container = containerOf(schema, pointer);
  const { title } = schema;
  const children = level >= MAX_LEVELS ? [] : childrenOf(form, { pointer, container, level: level + 1 });
  return {
    pointer,
    name,
    title: typeof title === 'string' && title !== '' ? title : name,
    type: /\/(?:then|else)$/.test(pointer) ? text('typeCondition') : typeWords(schema),
    isRequired,
    container,
    condition,
    children,
  };
}

/**
 * Returns the pointer of the schema that describes the members of this field: the field itself, or the
 * entries of the list.
 */
export function containerOf(schema: JsonObject, pointer: string): string | undefined {
  if (isJsonObject(schema['properties']) || schema['type'] === 'object') return pointer;
  const { items } = schema;
  if (isJsonObject(items) && (isJsonObject(items['properties']) || items['type'] === 'object'))
    return `${pointer}/items`;
  return undefined;
}

function childrenOf(
  form: Outlined,
  { pointer, container, level }: { pointer: string; container: string | undefined; level: number },
): readonly OutlineNode[] {
  const fields =
    container === undefined
      ? []
      : shownNames(form, container).map((name) => {
          const member = memberOf(form.schema, container, name);
          const holder = member?.branch?.container ?? container;
          return nodeAt(form, {
            pointer: member?.pointer ?? fieldAt(container, name),
            name,
            isRequired: textsAt(form.schema, `${holder}/required`).includes(name),
            condition: member?.branch?.condition,
            level,
          });
        });
  const branches = branchesAt(form.schema, container ?? pointer).map((at) =>
    nodeAt(form, {
      pointer: at,
      name: branchName(at),
      isRequired: false,
      condition: undefined,
      level,
    }),
  );
  return [...fields, ...branches];
}

/** Returns the pointers of alternatives and conditions that describe additional members. */
function branchesAt(schema: JsonObject, container: string): readonly string[] {
  const containerSchema = objectAt(schema, container);
  const lists = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => {
    const list = containerSchema[keyword];
    if (!Array.isArray(list)) return [];
    return list.flatMap((_, index) => {
      const at = pointerTo(`${container}/${keyword}`, index);
      return [at, `${at}/then`, `${at}/else`];
    });
  });
  const single = ['then', 'else'].map((keyword) => `${container}/${keyword}`);
  const definitions = container === '' ? definitionsOf(schema) : [];
  const edited = new Set(branchesOf(schema, container).flatMap((branch) => [branch.at, branch.container]));
  return [...lists, ...single, ...definitions].filter((at) => {
    if (edited.has(at)) return false;
    const branch = objectAt(schema, at);
    return isJsonObject(branch['properties']) && Object.keys(branch['properties']).length > 0;
  });
}

function definitionsOf(schema: JsonObject): readonly string[] {
  return ['$defs', 'definitions'].flatMap((keyword) =>
    Object.keys(objectAt(schema, `/${keyword}`)).map((name) => pointerTo(`/${keyword}`, name)),
  );
}

function branchName(pointer: string): string {
  const [keyword = '', at = ''] = pointer.split('/').slice(-2);
  if (at === 'then' || at === 'else') return text(at === 'then' ? 'branchThen' : 'branchElse');
  if (/^(?:allOf|anyOf|oneOf)$/.test(keyword)) return text('branchOf', { keyword, number: Number(at) + 1 });
  return keyword === '$defs' || keyword === 'definitions' ? text('branchDefinition', { name: at }) : at;
}

function typeWords(schema: JsonObject): string {
  const { $ref, type, format } = schema;
  if (typeof $ref === 'string') return `→ ${$ref.split('/').at(-1) ?? ''}`;
  if (isChoice(schema)) return text('typeChoice');
  if (Array.isArray(type)) return type.join(' | ');
  const meant = typeof type === 'string' ? type : typeByMembers(schema);
  if (meant === 'object') return text('typeGroup');
  if (meant === 'array')
    return isJsonObject(schema['items'])
      ? text('typeListOf', { entry: typeWords(schema['items']) })
      : text('typeList');
  return meant === 'string' && typeof format === 'string' ? format : meant;
}

function isChoice(schema: JsonObject): boolean {
  const { enum: values, oneOf } = schema;
  return Array.isArray(values) || Object.hasOwn(schema, 'const') || isConstantList(oneOf);
}

/** Returns the type of a schema without `type`, from its other keywords. */
function typeByMembers({ properties, items }: JsonObject): string {
  if (isJsonObject(properties)) return 'object';
  return isJsonObject(items) ? 'array' : text('typeAny');
}

/** One visible line, with the attributes of a tree widget (WAI-ARIA tree view). */
export interface OutlineRow {
  readonly node: OutlineNode;
  /** From 1. */
  readonly level: number;
  readonly position: number;
  readonly setSize: number;
  readonly parent: string | undefined;
  /** Undefined for a node without children. */
  readonly isOpen: boolean | undefined;
}

/** Returns the visible lines below the form, given the open nodes. */
export function outlineRows(root: OutlineNode, open: ReadonlySet<string>): readonly OutlineRow[] {
  const rows: OutlineRow[] = [];
  const visit = (nodes: readonly OutlineNode[], level: number, parent: string | undefined): void => {
    nodes.forEach((node, at) => {
      const isOpen = node.children.length === 0 ? undefined : open.has(node.pointer);
      rows.push({ node, level, position: at + 1, setSize: nodes.length, parent, isOpen });
      if (isOpen) visit(node.children, level + 1, node.pointer);
    });
  };
  visit(root.children, 1, undefined);
  return rows;
}

/** Counts the fields at any depth, including groups and lists. */
export function fieldCount(schema: unknown): number {
  if (!isJsonObject(schema)) return 0;
  const count = (node: OutlineNode): number =>
    node.children.reduce((sum, child) => sum + 1 + count(child), 0);
  return count(outlineOf({ schema, uiSchema: {} }));
}

/** Returns the pointers from the root to a field; these nodes must be open for the field to be visible. */
export function ancestorsOf(root: OutlineNode, pointer: string): readonly string[] {
  const find = (node: OutlineNode): readonly string[] | undefined => {
    if (node.pointer === pointer) return [];
    for (const child of node.children) {
      const below = find(child);
      if (below) return [node.pointer, ...below];
    }
    return undefined;
  };
  return find(root) ?? [];
}

const DESCRIPTIVE_KEYWORDS = ['$schema', '$id', 'type', 'title', 'description', 'properties', 'examples'];

/** Returns true for an object schema that describes no field. */
export function isEmptyForm(schema: JsonObject): boolean {
  const isDescriptive = Object.keys(schema).every((keyword) => DESCRIPTIVE_KEYWORDS.includes(keyword));
  const { type = 'object' } = schema;
  return type === 'object' && isDescriptive && Object.keys(objectAt(schema, '/properties')).length === 0;
}

export function isThere(schema: JsonObject, pointer: string): boolean {
  return valueAt(schema, pointer) !== undefined;
}
