import type { DataDefinition } from '../document/data-definition.js';
import type { Candidate } from '../document/value-reader.js';
import type { SchemaNode } from '../tree/schema-node.js';
import type { YangType } from '../types/yang-type.js';
import { EncodingFault, type InstanceModel } from './instance-model.js';
import {
  identityPrefixFault,
  identityToJson,
  identityToXml,
  instancePrefixFault,
  instanceToJson,
  instanceToXml,
  type PrefixedText,
} from './names-in-values.js';
import type { XmlElement } from './xml-element.js';

/** Returns the XML form of a JSON value of a leaf. Throws EncodingFault for a value that the type does not have. */
export function leafToXml(
  { node }: DataDefinition,
  value: unknown,
  { model, place }: { readonly model: InstanceModel; readonly place: string },
): PrefixedText {
  const reading = model.values.read(typeOf(node), value, { node, module: node.module.name });
  if ('fault' in reading) throw new EncodingFault(place, reading.fault);
  return candidateToXml(reading[0], model);
}

/** Returns the XML form of a value in the path of a resource. Throws EncodingFault. */
export function keyToXml(
  { node, member }: DataDefinition,
  text: string,
  model: InstanceModel,
): PrefixedText & { readonly canonical: string } {
  const reading = model.values.readText(typeOf(node), text, { node, module: node.module.name });
  if ('fault' in reading) throw new EncodingFault('', `the value of "${member}" ${reading.fault}`);
  return { ...candidateToXml(reading[0], model), canonical: reading[0].text };
}

function candidateToXml({ text, type }: Candidate, model: InstanceModel): PrefixedText {
  if (type.base === 'identityref') return identityToXml(text, model);
  if (type.base === 'instance-identifier') return instanceToXml(text, model);
  return { text, prefixes: {} };
}

/** Returns the JSON value of a leaf in XML. A value that its type does not have is returned as a string. */
export function leafToJson({ node }: DataDefinition, element: XmlElement, model: InstanceModel): unknown {
  return new LeafReader(element, node, model).read(typeOf(node), node) ?? element.text;
}

/** Returns the fault of a leaf in XML with a name whose prefix has no namespace; undefined without one. Does not look into unions. */
export function leafPrefixFault({ node }: DataDefinition, element: XmlElement): string | undefined {
  const { base } = realTypeOf(node);
  const text = element.text.trim();
  if (base === 'identityref') return identityPrefixFault(text, element.prefixes);
  return base === 'instance-identifier' ? instancePrefixFault(text, element.prefixes) : undefined;
}

/** Returns the canonical form of a leaf in XML, for comparisons. */
export function canonicalText({ node }: DataDefinition, element: XmlElement, model: InstanceModel): string {
  return new LeafReader(element, node, model).canonical(typeOf(node));
}

/** Returns the JSON value of an annotation, whose value is the text of the element (RFC 7952 section 5.1). */
export function annotationToJson(
  type: YangType,
  element: XmlElement,
  { node, model }: { readonly node: SchemaNode; readonly model: InstanceModel },
): unknown {
  return new LeafReader(element, node, model).read(type, node) ?? element.text;
}

const CANONICAL_TYPES = new Set(['int64', 'uint64', 'decimal64', 'bits']);

/** Reads one value in XML. */
class LeafReader {
  readonly #element: XmlElement;
  readonly #node: SchemaNode;
  readonly #model: InstanceModel;

  constructor(element: XmlElement, node: SchemaNode, model: InstanceModel) {
    this.#element = element;
    this.#node = node;
    this.#model = model;
  }

  /** Returns the JSON value; undefined if the type has no such value. */
  read(type: YangType, node: SchemaNode): unknown {
    if (type.base === 'leafref') {
      const target = node.targets?.get(type);
      return target?.type && this.read(target.type, target);
    }
    const text = this.#lexical(type);
    // Servers write numbers in any form; JSON has the canonical one (RFC 7951 section 6.1).
    if (CANONICAL_TYPES.has(type.base)) return this.canonical(type);
    if (type.base !== 'union') return jsonOf(type, text);
    for (const member of type.members ?? []) if (this.#isValue(member, node)) return this.read(member, node);
    return undefined;
  }

  canonical(type: YangType): string {
    const node = this.#node;
    const reading = this.#model.values.readText(type, this.#lexical(type), {
      node,
      module: node.module.name,
    });
    return 'fault' in reading ? this.#element.text : reading[0].text;
  }

  #isValue(type: YangType, node: SchemaNode): boolean {
    const scope = { node, module: this.#node.module.name };
    return !('fault' in this.#model.values.readText(type, this.#lexical(type), scope));
  }

  /** Returns the text with the names of modules in place of prefixes. */
  #lexical({ base }: YangType): string {
    const { text, prefixes } = this.#element;
    if (base === 'identityref') return identityToJson(text.trim(), prefixes, this.#model);
    if (base === 'instance-identifier') return instanceToJson(text.trim(), prefixes, this.#model);
    if (base === 'binary') return text.replaceAll(/\s+/g, '');
    return base === 'string' || base === 'union' || base === 'leafref' ? text : text.trim();
  }
}

/** Returns the JSON value of a lexical form (RFC 7951 section 6); undefined if the type has no such value. */
function jsonOf({ base }: YangType, text: string): unknown {
  switch (base) {
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined;
    case 'empty':
      return text === '' ? [null] : undefined;
    default:
      if (!/^u?int(?:8|16|32)$/.test(base)) return text;
      return /^[+-]?[0-9]{1,10}$/.test(text) ? Number(text) : undefined;
  }
}

/** Returns the type of the leaf that a leafref refers to in the end. */
function realTypeOf(node: SchemaNode): YangType {
  const type = typeOf(node);
  const target = type.base === 'leafref' ? node.targets?.get(type) : undefined;
  return target?.type ? realTypeOf(target) : type;
}

function typeOf(node: SchemaNode): YangType {
  if (!node.type) throw new EncodingFault('', `"${node.name}" has no type`);
  return node.type;
}
