import { pointerTo } from '../../json/pointer.js';
import { annotationsOf, type Annotations } from '../document/annotation-check.js';
import type { DataChildren, DataDefinition } from '../document/data-definition.js';
import type { DocumentValidation, DocumentValidator } from '../document/validate-document.js';
import type { CompilePattern } from '../document/value-reader.js';
import { type DataViolation, ViolationList } from '../document/violations.js';
import type { LinkedModules } from '../link.js';
import { keysOf } from '../tree/schema-node.js';
import { type InstanceModel, instanceModelOf } from './instance-model.js';
import { annotationToJson, leafPrefixFault, leafToJson } from './leaf-values.js';
import { InvalidXml, parseXmlSiblings, type XmlLimits } from './parse-xml.js';
import type { XmlAttribute, XmlElement } from './xml-element.js';
import { valuesOf } from './xml-to-json.js';

/** Default limits of a document; the caller limits its bytes. */
const LIMITS: XmlLimits = { bytes: Infinity, depth: 201, memory: 536_870_912 };

/** Elements around the data of NETCONF and RESTCONF, and their namespaces. */
const WRAPPERS = new Set(['rpc', 'rpc-reply', 'config', 'data']);
const WRAPPER_NAMESPACES = new Set([
  '',
  'urn:ietf:params:xml:ns:netconf:base:1.0',
  'urn:ietf:params:xml:ns:yang:ietf-restconf',
]);

/**
 * Returns a function that validates documents of XML (RFC 7950) as `validator` validates those of JSON: the violations have the
 * same words, and the pointers of the RFC 7951 document with the same data. Elements beside each other may have no root.
 * Throws `ValidationTooCostly`.
 */
export function xmlValidatorOf(
  linked: LinkedModules,
  validator: DocumentValidator,
  compilePattern: CompilePattern,
): (bytes: Uint8Array) => DocumentValidation {
  const nodes = linked.trees.roots().flatMap((root) => root.children);
  const model = instanceModelOf({ nodes, modules: linked.all, names: linked.names }, compilePattern);
  const annotations = annotationsOf(linked.all, linked);
  return (bytes) => {
    const violations = new ViolationList();
    const reader = new XmlDocumentReader({ model, annotations, violations });
    const document = reader.document(bytes, validator.children);
    if (document) return validator.validate(document, violations);
    return { violations: violations.list, isTruncated: false, steps: 0 };
  };
}

interface ReaderOptions {
  readonly model: InstanceModel;
  readonly annotations: Annotations;
  readonly violations: ViolationList;
}

/** Element, and the pointer to its parent in the JSON document. */
interface Place {
  readonly element: XmlElement;
  readonly parent: string;
  readonly object: Record<string, unknown>;
}

/** Reads a document of XML into a document of RFC 7951, and reports what that cannot express. */
class XmlDocumentReader {
  readonly #model: InstanceModel;
  readonly #annotations: Annotations;
  readonly #violations: ViolationList;

  constructor({ model, annotations, violations }: ReaderOptions) {
    this.#model = model;
    this.#annotations = annotations;
    this.#violations = violations;
  }

  /** Returns undefined for a text that is no XML. */
  document(bytes: Uint8Array, children: DataChildren): Record<string, unknown> | undefined {
    try {
      return this.#object(withoutWrappers(parseXmlSiblings(bytes, LIMITS)), {
        children,
        pointer: '',
        module: '',
      });
    } catch (error) {
      if (!(error instanceof InvalidXml)) throw error;
      this.#report('', 'type', error.message);
      return undefined;
    }
  }

  #object(
    elements: readonly XmlElement[],
    at: { readonly children: DataChildren; readonly pointer: string; readonly module: string },
  ): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    for (const element of elements) {
      const module = this.#model.moduleByNamespace.get(element.namespace)?.name;
      const qualified = `${module ?? ''}:${element.name}`;
      const definition = at.children.byQualifiedName.get(qualified) ?? at.children.byMember.get(qualified);
      if (definition) this.#read(definition, { element, parent: at.pointer, object });
      else if (module === undefined)
        this.#report(pointerTo(at.pointer, element.name), 'member', unknownNamespace(element));
      else {
        const member = module === at.module ? element.name : qualified;
        this.#report(pointerTo(at.pointer, member), 'member', 'is no node of the model here');
      }
    }
    return object;
  }

  #read(definition: DataDefinition, place: Place): void {
    const { object, parent } = place;
    const { member, node } = definition;
    const pointer = pointerTo(parent, member);
    if (node.kind === 'list' || node.kind === 'leaf-list') {
      const entries = Object.hasOwn(object, member)
        ? (object[member] as unknown[])
        : define(object, member, []);
      const value = this.#value(definition, place.element, pointerTo(pointer, entries.length));
      entries.push(value);
      this.#annotate(definition, place, value);
    } else if (Object.hasOwn(object, member)) this.#report(pointer, 'member', 'occurs twice');
    else
      this.#annotate(
        definition,
        place,
        define(object, member, this.#value(definition, place.element, pointer)),
      );
  }

  #value(definition: DataDefinition, element: XmlElement, pointer: string): unknown {
    const { node, children } = definition;
    switch (node.kind) {
      case 'leaf':
      case 'leaf-list':
        return this.#leaf(definition, element, pointer);
      case 'anydata':
      case 'anyxml':
        if (node.kind === 'anydata' && isEmpty(element)) return {};
        return valuesOf([element], definition, { model: this.#model })[0];
      default:
        if (element.text.trim() !== '')
          this.#report(pointer, 'type', 'must have elements only, and has text');
        if (node.kind === 'list') this.#checkKeys(definition, element, pointer);
        return this.#object(element.children, { children, pointer, module: node.module.name });
    }
  }

  #leaf(definition: DataDefinition, element: XmlElement, pointer: string): unknown {
    if (element.children.length > 0) this.#report(pointer, 'type', 'must be a value, and has elements');
    const fault = leafPrefixFault(definition, element);
    if (fault !== undefined) this.#report(pointer, 'type', fault);
    return hasOuterSpace(definition, element) ? element.text : leafToJson(definition, element, this.#model);
  }

  /** Reports keys that other elements precede (RFC 7950 section 7.8.5). */
  #checkKeys({ node }: DataDefinition, { children }: XmlElement, pointer: string): void {
    const keys = keysOf(node);
    const found = children.filter(
      ({ name, namespace }) => namespace === node.module.namespace && keys.includes(name),
    );
    const late = found.find((element, at) => children[at] !== element || keys[at] !== element.name);
    if (late && found.length === keys.length)
      this.#report(
        pointerTo(pointer, late.name),
        'key',
        'is a key of the list, and keys come first, in their order',
      );
  }

  /** Adds the annotations of an element in the form of JSON (RFC 7952 section 5.2). */
  #annotate({ member, node }: DataDefinition, { element, object, parent }: Place, value: unknown): void {
    if (element.attributes.length === 0) return;
    const isValue = node.kind === 'leaf' || node.kind === 'leaf-list' || node.kind.startsWith('any');
    const pointer = isValue ? pointerTo(parent, `@${member}`) : pointerTo(pointerTo(parent, member), '@');
    const members = element.attributes.flatMap(
      (attribute) => this.#annotation(attribute, element, pointer) ?? [],
    );
    if (members.length === 0) return;
    const annotations = Object.fromEntries(members);
    if (!isValue) define(value as Record<string, unknown>, '@', annotations);
    else if (node.kind !== 'leaf-list') define(object, `@${member}`, annotations);
    else {
      const all = (object[`@${member}`] ?? define(object, `@${member}`, [])) as unknown[];
      const count = (object[member] as readonly unknown[]).length;
      while (all.length < count - 1) all.push(null);
      all.push(annotations);
    }
  }

  #annotation(
    attribute: XmlAttribute,
    element: XmlElement,
    pointer: string,
  ): readonly [string, unknown][] | undefined {
    const { namespace, name, value } = attribute;
    const module = this.#model.moduleByNamespace.get(namespace)?.name;
    if (module === undefined) {
      this.#report(pointerTo(pointer, name), 'annotation', unknownNamespace(attribute));
      return undefined;
    }
    const member = `${module}:${name}`;
    const type = this.#annotations.get(member);
    const [node] = this.#model.nodes;
    if (!type || !node) return [[member, value]];
    return [[member, annotationToJson(type, { ...element, text: value }, { node, model: this.#model })]];
  }

  #report(pointer: string, rule: DataViolation['rule'], message: string): void {
    this.#violations.add({ pointer, rule, message });
  }
}

function unknownNamespace({ namespace }: { readonly namespace: string }): string {
  return namespace === ''
    ? 'has no namespace; write the namespace of its module'
    : `has the namespace "${namespace}" of none of the modules; correct it, or add the module`;
}

const WITHOUT_SPACE = new Set(['boolean', 'empty', 'enumeration', 'identityref', 'instance-identifier']);

/** Returns true for white space around a value of a type that has no form with it, unlike a number. */
function hasOuterSpace({ node }: DataDefinition, { text }: XmlElement): boolean {
  return WITHOUT_SPACE.has(node.type?.base ?? '') && text !== text.trim();
}

/** Returns the elements inside the elements that NETCONF and RESTCONF write around data. */
function withoutWrappers(elements: readonly XmlElement[]): readonly XmlElement[] {
  const [only, ...others] = elements;
  const isWrapper =
    only && others.length === 0 && WRAPPERS.has(only.name) && WRAPPER_NAMESPACES.has(only.namespace);
  return isWrapper ? withoutWrappers(only.children) : elements;
}

function isEmpty({ children, text }: XmlElement): boolean {
  return children.length === 0 && text.trim() === '';
}

/** Sets a member, also one called `__proto__`. Returns the value. */
function define<T>(object: Record<string, unknown>, member: string, value: T): T {
  Object.defineProperty(object, member, { value, configurable: true, enumerable: true, writable: true });
  return value;
}
