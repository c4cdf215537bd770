import type { DataChildren, DataDefinition } from '../document/data-definition.js';
import { keysOf } from '../tree/schema-node.js';
import { EncodingFault, type InstanceModel } from './instance-model.js';
import { leafToJson } from './leaf-values.js';
import type { XmlElement } from './xml-element.js';

/** Names of nodes to return, each with those below it; an empty map selects the whole subtree. */
// oxlint-disable-next-line typescript/no-empty-object-type -- a type alias cannot refer to itself here
export interface FieldTree extends ReadonlyMap<string, FieldTree> {}

/** Selection of the nodes of a reply (RFC 8040 sections 4.8.1 to 4.8.3). */
export interface NodeSelection {
  /** Maximum level of the nodes; the requested node has level 1. Absent: all. */
  readonly depth?: number;
  readonly fields?: FieldTree;
  /** True to return state only, with the nodes around it and the keys of lists. */
  readonly isStateOnly?: boolean;
}

/** What decides about the JSON of elements. */
export interface JsonTerms {
  readonly model: InstanceModel;
  readonly selection?: NodeSelection;
  /** Maximum number of characters: the names of a schema may be much longer than those of the elements. Absent: no maximum. */
  readonly maxLength?: number;
}

/**
 * Returns the JSON object (RFC 7951) of sibling elements. Throws EncodingFault for an element that the model does not have, because
 * its encoding would be a guess.
 */
export function objectOf(
  elements: readonly XmlElement[],
  children: DataChildren,
  { model, selection = {}, maxLength }: JsonTerms,
): Record<string, unknown> {
  return new JsonWriter(model, maxLength).object({ elements, children, selection, place: '', keys: [] });
}

/**
 * Returns the JSON values of instances: of a container, list entries, a leaf or leaf-list entries. Throws EncodingFault.
 */
export function valuesOf(
  elements: readonly XmlElement[],
  definition: DataDefinition,
  { model, selection = {}, maxLength }: JsonTerms,
): readonly unknown[] {
  const writer = new JsonWriter(model, maxLength);
  return elements.map((element) =>
    writer.value(element, definition, { selection, place: `/${definition.qualified}` }),
  );
}

interface Siblings {
  readonly elements: readonly XmlElement[];
  readonly children: DataChildren;
  readonly selection: NodeSelection;
  readonly place: string;
  /** Names of the leaves that every selection contains. */
  readonly keys: readonly string[];
}

interface Place {
  readonly selection: NodeSelection;
  readonly place: string;
}

class JsonWriter {
  readonly #model: InstanceModel;
  readonly #maxLength: number;
  #length = 0;

  constructor(model: InstanceModel, maxLength = Infinity) {
    this.#model = model;
    this.#maxLength = maxLength;
  }

  object({ elements, children, selection, place, keys }: Siblings): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    for (const element of elements) {
      const definition = this.#definitionOf(element, children, place);
      const { node, member } = definition;
      const isKey = keys.includes(node.name) && node.kind === 'leaf';
      const below = selectionBelow(isKey ? depthOf(selection) : selection, definition);
      if (!below) continue;
      const at = { selection: below, place: `${place}/${member}` };
      const value = this.value(element, definition, at);
      if (below.isStateOnly && isEmptyObject(value, keysOf(node))) continue;
      this.#take(member, value, place);
      if (node.kind === 'list' || node.kind === 'leaf-list') addEntry(object, member, value);
      else if (Object.hasOwn(object, member)) throw new EncodingFault(at.place, 'occurs twice');
      else define(object, member, value);
    }
    return object;
  }

  value(element: XmlElement, definition: DataDefinition, { selection, place }: Place): unknown {
    const { node } = definition;
    switch (node.kind) {
      case 'leaf':
      case 'leaf-list':
        return leafToJson(definition, element, this.#model);
      case 'anydata':
      case 'anyxml':
        return this.#anyValue(element, place);
      default:
        return this.object({
          elements: element.children,
          children: definition.children,
          selection,
          place,
          keys: node.kind === 'list' ? keysOf(node) : [],
        });
    }
  }

  /** Counts a member. Throws EncodingFault beyond the maximum. */
  #take(member: string, value: unknown, place: string): void {
    this.#length += member.length + (typeof value === 'string' ? value.length : MIN_MEMBER_LENGTH);
    if (this.#length > this.#maxLength)
      throw new EncodingFault(place, `has more than ${this.#maxLength} characters as JSON`, 'too-big');
  }

  #definitionOf({ namespace, name }: XmlElement, children: DataChildren, place: string): DataDefinition {
    const module = this.#model.moduleByNamespace.get(namespace);
    const definition = module && children.byQualifiedName.get(`${module.name}:${name}`);
    if (definition) return definition;
    const of = module ? `the module "${module.name}"` : `the namespace "${namespace}"`;
    throw new EncodingFault(
      place === '' ? '/' : place,
      `has "${name}" of ${of}, for which the adapter has no schema`,
    );
  }

  /** Returns the nodes of a datastore, such as `push-update` contains (RFC 8641), with the types of their schema. */
  #datastoreValue({ children }: XmlElement): Record<string, unknown> | undefined {
    try {
      return this.object({
        elements: children,
        children: this.#model.top,
        selection: {},
        place: '',
        keys: [],
      });
    } catch (error) {
      if (error instanceof EncodingFault) return undefined;
      throw error;
    }
  }

  /** Returns content without a schema: names have their modules, and every value is a string (RFC 7951 section 5.5). */
  #anyValue(element: XmlElement, place: string): unknown {
    if (element.children.length === 0) return element.text;
    const known = this.#datastoreValue(element);
    if (known) return known;
    const object: Record<string, unknown> = {};
    const repeated = new Set<string>();
    for (const child of element.children) {
      const module = this.#model.moduleByNamespace.get(child.namespace);
      const member =
        child.namespace === element.namespace || !module ? child.name : `${module.name}:${child.name}`;
      const value = this.#anyValue(child, place);
      this.#take(member, value, place);
      if (repeated.has(member)) addEntry(object, member, value);
      else if (Object.hasOwn(object, member)) {
        define(object, member, [object[member], value]);
        repeated.add(member);
      } else define(object, member, value);
    }
    return object;
  }
}

/** Length of the punctuation of a member, and of a value that is no text. */
const MIN_MEMBER_LENGTH = 6;

/** Returns the selection of a key, which `fields` and `content` do not leave out. */
function depthOf({ depth }: NodeSelection): NodeSelection {
  return depth === undefined ? {} : { depth };
}

const WITH_CHILDREN = new Set(['container', 'list']);

/** Returns the selection below a child, or undefined if the child is not selected. */
function selectionBelow(selection: NodeSelection, definition: DataDefinition): NodeSelection | undefined {
  const { node } = definition;
  const isStateOnly = selection.isStateOnly === true && node.config;
  if (isStateOnly && !WITH_CHILDREN.has(node.kind)) return undefined;
  const fields = fieldsBelow(selection.fields, definition);
  if (fields === 'none') return undefined;
  // Nodes that `fields` names and the nodes around them have level 1.
  const depth = selection.depth === undefined || fields ? selection.depth : selection.depth - 1;
  if (depth === 0) return undefined;
  return {
    ...(depth !== undefined && { depth }),
    ...(fields && fields.size > 0 && { fields }),
    ...(isStateOnly && { isStateOnly }),
  };
}

/** Returns the fields below a child, undefined if all are wanted, or `none` if the child is not. */
function fieldsBelow(
  fields: FieldTree | undefined,
  { member, qualified }: DataDefinition,
): FieldTree | undefined | 'none' {
  if (fields === undefined || fields.size === 0) return undefined;
  return fields.get(member) ?? fields.get(qualified) ?? 'none';
}

function isEmptyObject(value: unknown, keys: readonly string[]): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.keys(value).every((name) => keys.includes(name))
  );
}

function addEntry(object: Record<string, unknown>, member: string, value: unknown): void {
  const entries: unknown = Object.hasOwn(object, member) ? object[member] : undefined;
  if (Array.isArray(entries)) entries.push(value);
  else define(object, member, [value]);
}

/** Sets a member, also one called `__proto__`. */
function define(object: Record<string, unknown>, member: string, value: unknown): void {
  Object.defineProperty(object, member, { value, configurable: true, enumerable: true, writable: true });
}
