import type { DataChildren, DataDefinition } from '../document/data-definition.js';
import { keysOf } from '../tree/schema-node.js';
import { definitionOf } from './element-definition.js';
import { EncodingFault, type InstanceModel } from './instance-model.js';
import { leafToJson } from './leaf-values.js';
import { isSelected, type NodeSelection, selectionBelow, selectionOfKey } from './node-selection.js';
import type { XmlElement } from './xml-element.js';

/** What becomes of elements that the model does not have. */
export type UnknownNodes = 'refuse' | 'omit' | 'anydata';

/** Choice for elements that the model does not have, and the paths of those that were found. */
export interface UnknownReport {
  readonly choice: UnknownNodes;
  readonly paths: Set<string>;
}

/** What decides about the JSON of elements. */
export interface JsonTerms {
  readonly model: InstanceModel;
  readonly selection?: NodeSelection;
  /** Maximum number of characters: the names of a schema may be much longer than those of the elements. Absent: no maximum. */
  readonly maxLength?: number;
  /** Absent: they are refused. */
  readonly unknown?: UnknownReport;
  /** Path of the elements' parent, or of instances; absent: the top. */
  readonly place?: string;
  /** Parent of the elements; absent: they are at the top of a document. */
  readonly around?: Pick<XmlElement, 'namespace'>;
}

/**
 * Returns the JSON object (RFC 7951) of sibling elements. Throws EncodingFault for an element that the model does not have, because
 * its encoding would be a guess, unless the terms permit it.
 */
export function objectOf(
  elements: readonly XmlElement[],
  children: DataChildren,
  terms: JsonTerms,
): Record<string, unknown> {
  const { selection = {}, place = '', around } = terms;
  const namespace = around?.namespace ?? '';
  return new JsonWriter(terms).object({ elements, children, selection, place, namespace, keys: [] });
}

/**
 * Returns the JSON values of instances: of a container, list entries, a leaf or leaf-list entries. Throws EncodingFault.
 */
export function valuesOf(
  elements: readonly XmlElement[],
  definition: DataDefinition,
  terms: JsonTerms,
): readonly unknown[] {
  const { selection = {}, place = `/${definition.qualified}` } = terms;
  const writer = new JsonWriter(terms);
  return elements.map((element) => writer.value(element, definition, { selection, place }));
}

/** Returns the member of an element that the model does not have, and its content without types. */
export function anyMember(element: XmlElement, terms: JsonTerms): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  new JsonWriter(terms).addUnknown([element], object, { selection: {}, place: '', namespace: '' });
  return object;
}

/** Maximum number of the reported paths of one document, and the maximum length of a path. */
const [MAX_PATHS, MAX_PATH_LENGTH] = [100, 300];

interface Siblings {
  readonly elements: readonly XmlElement[];
  readonly children: DataChildren;
  readonly selection: NodeSelection;
  readonly place: string;
  /** Namespace of the parent. */
  readonly namespace: string;
  /** Names of the leaves that every selection contains. */
  readonly keys: readonly string[];
}

interface Place {
  readonly selection: NodeSelection;
  readonly place: string;
}

const REFUSED: UnknownReport = { choice: 'refuse', paths: new Set() };

class JsonWriter {
  readonly #model: InstanceModel;
  readonly #maxLength: number;
  readonly #paths: Set<string>;
  #choice: UnknownNodes;
  #isInDatastore = false;
  #length = 0;

  constructor({ model, maxLength = Infinity, unknown: { choice, paths } = REFUSED }: JsonTerms) {
    this.#model = model;
    this.#maxLength = maxLength;
    this.#choice = choice;
    this.#paths = paths;
  }

  object(siblings: Siblings): Record<string, unknown> {
    const { elements, children, selection, place, keys } = siblings;
    const object: Record<string, unknown> = {};
    const unknown: XmlElement[] = [];
    for (const element of elements) {
      const definition = definitionOf(element, children, this.#model);
      if (!definition) {
        unknown.push(element);
        continue;
      }
      const { node, member } = definition;
      const isKey = keys.includes(node.name) && node.kind === 'leaf';
      const below = selectionBelow(isKey ? selectionOfKey(selection) : selection, definition);
      if (!below) continue;
      const at = { selection: below, place: `${place}/${member}` };
      const value = this.value(element, definition, at);
      if (below.isStateOnly && isEmptyObject(value, keysOf(node))) continue;
      this.#take(member, value, place);
      if (node.kind === 'list' || node.kind === 'leaf-list') addEntry(object, member, value);
      else if (Object.hasOwn(object, member)) throw new EncodingFault(at.place, 'occurs twice');
      else define(object, member, value);
    }
    this.addUnknown(unknown, object, siblings);
    return object;
  }

  /** Adds the elements that the model does not have, leaves them out, or throws EncodingFault. */
  addUnknown(
    elements: readonly XmlElement[],
    object: Record<string, unknown>,
    { selection, place, namespace }: Pick<Siblings, 'selection' | 'place' | 'namespace'>,
  ): void {
    const repeated = new Set<string>();
    for (const element of elements) {
      const member = this.#memberOf(element, namespace);
      if (!isSelected(member, selection)) continue;
      if (this.#choice === 'refuse') throw this.#noSchema(element, place);
      const path = `${place}/${member}`;
      if (this.#paths.size < MAX_PATHS) this.#paths.add(path.slice(0, MAX_PATH_LENGTH));
      if (this.#choice === 'omit') continue;
      const value = this.#anyValue(element, path);
      this.#take(member, value, place);
      addAny(object, { member, value }, repeated);
    }
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
          namespace: element.namespace,
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

  #noSchema({ namespace, name }: XmlElement, place: string): EncodingFault {
    const module = this.#model.moduleByNamespace.get(namespace);
    const of = module ? `the module "${module.name}"` : `the namespace "${namespace}"`;
    return new EncodingFault(
      place === '' ? '/' : place,
      `has "${name}" of ${of}, for which the adapter has no schema`,
      'unknown-element',
    );
  }

  /** Returns the name of a member without a schema. No module has a name for an unknown namespace. */
  #memberOf({ namespace, name }: XmlElement, around: string): string {
    if (namespace === around || namespace === '') return name;
    const module = this.#model.moduleByNamespace.get(namespace);
    return module ? `${module.name}:${name}` : `{${namespace}}${name}`;
  }

  /**
   * Returns the nodes of a datastore, such as `push-update` contains (RFC 8641), with the types of their schema. Nodes below them that the
   * model does not have are kept, unless they are refused.
   */
  #datastoreValue({ children }: XmlElement): Record<string, unknown> | undefined {
    const { top } = this.#model;
    if (this.#isInDatastore || !children.every((child) => definitionOf(child, top, this.#model)))
      return undefined;
    const choice = this.#choice;
    this.#isInDatastore = true;
    if (choice === 'omit') this.#choice = 'anydata';
    try {
      return this.object({
        elements: children,
        children: top,
        selection: {},
        place: '',
        namespace: '',
        keys: [],
      });
    } catch (error) {
      if (error instanceof EncodingFault) return undefined;
      throw error;
    } finally {
      this.#isInDatastore = false;
      this.#choice = choice;
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
      addAny(object, { member, value }, repeated);
    }
    return object;
  }
}

/** Length of the punctuation of a member, and of a value that is no text. */
const MIN_MEMBER_LENGTH = 6;

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

/** Adds a member without a schema, which becomes an array if it occurs again. */
function addAny(
  object: Record<string, unknown>,
  { member, value }: { readonly member: string; readonly value: unknown },
  repeated: Set<string>,
): void {
  if (repeated.has(member)) addEntry(object, member, value);
  else if (Object.hasOwn(object, member)) {
    define(object, member, [object[member], value]);
    repeated.add(member);
  } else define(object, member, value);
}

/** Sets a member, also one called `__proto__`. */
function define(object: Record<string, unknown>, member: string, value: unknown): void {
  Object.defineProperty(object, member, { value, configurable: true, enumerable: true, writable: true });
}
