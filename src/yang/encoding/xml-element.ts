import type { NamespaceScope } from './namespace-scope.js';

/** Attribute of an element. Without a prefix it has the namespace ''. */
export interface XmlAttribute {
  readonly namespace: string;
  readonly name: string;
  readonly value: string;
}

/** Element of a parsed document, with its namespace resolved. */
export interface XmlElement {
  readonly namespace: string;
  /** Local name. */
  readonly name: string;
  readonly attributes: readonly XmlAttribute[];
  /** Namespaces by the prefixes that are in scope; '' is the default namespace. */
  readonly prefixes: NamespaceScope;
  readonly children: readonly XmlElement[];
  /** Text directly inside the element, with the text of CDATA sections. */
  readonly text: string;
}

/** Namespace of the messages of NETCONF. Elements without a declaration of their own inherit it in replies. */
const NETCONF = 'urn:ietf:params:xml:ns:netconf:base:1.0';

/** Returns true for the namespace of an element whose server leaves out the declaration of the module. */
export function isUndeclared(namespace: string): boolean {
  return namespace === '' || namespace === NETCONF;
}

/** Returns the first child with the local name, in the given namespace or in any. */
export function childElement(
  { children }: XmlElement,
  name: string,
  namespace?: string,
): XmlElement | undefined {
  return children.find(
    (child) => child.name === name && (namespace === undefined || child.namespace === namespace),
  );
}

/** Returns all children with the local name. */
export function childElements({ children }: XmlElement, name: string): readonly XmlElement[] {
  return children.filter((child) => child.name === name);
}

/** Returns the text of the first child with the local name, without white space around it; '' without such a child. */
export function childText(element: XmlElement, name: string): string {
  return childElement(element, name)?.text.trim() ?? '';
}

/** Returns the value of the attribute with the local name and namespace. */
export function attributeOf({ attributes }: XmlElement, name: string, namespace = ''): string | undefined {
  return attributes.find((one) => one.name === name && one.namespace === namespace)?.value;
}
