import type { DataChildren } from '../document/data-definition.js';
import { memberName, qualifiedName } from '../json-schema/data-path.js';
import { dataChildren, keysOf, type SchemaNode } from '../tree/schema-node.js';
import { definitionOf } from './element-definition.js';
import { EncodingFault } from './instance-model.js';
import { leafToJson } from './leaf-values.js';
import { isUndeclared, type XmlElement } from './xml-element.js';
import { anyMember, type JsonTerms, objectOf } from './xml-to-json.js';

/**
 * Returns the JSON member of a notification (RFC 8040 section 6.4): at the top of a module, or inside of data nodes with the keys of
 * their lists (RFC 7950 section 7.16). Throws EncodingFault for one that the model does not have.
 */
export function notificationToJson(element: XmlElement, terms: JsonTerms): Record<string, unknown> {
  const { nodes, top } = terms.model;
  return memberOf(element, { nodes, children: top, isTop: true }, terms);
}

interface Scope {
  readonly nodes: readonly SchemaNode[];
  readonly children: DataChildren;
  readonly isTop: boolean;
}

function memberOf(
  element: XmlElement,
  { nodes, children, isTop }: Scope,
  terms: JsonTerms,
): Record<string, unknown> {
  const { name, namespace } = element;
  const { model } = terms;
  const notification = nodes.find(
    (node) =>
      node.kind === 'notification' &&
      node.name === name &&
      (node.module.namespace === namespace || isUndeclared(namespace)),
  );
  if (notification) {
    const member = isTop ? qualifiedName(notification) : memberName(notification);
    const content = model.definitions.childrenOf(notification.children);
    return {
      [member]: objectOf(element.children, content, { ...terms, around: element, place: `/${member}` }),
    };
  }
  const definition = definitionOf(element, children, model);
  if (!definition && terms.unknown?.choice === 'anydata' && isTop) return anyMember(element, terms);
  if (!definition)
    throw new EncodingFault(
      '',
      `is a notification "${name}" of "${namespace}", which no module has`,
      'unknown-element',
    );
  const { node } = definition;
  const keys = node.kind === 'list' ? keysOf(node) : [];
  const inner = { nodes: dataChildren(node.children), children: definition.children, isTop: false };
  const parts = element.children.map((child) => {
    const leaf = keys.includes(child.name) ? definition.children.byMember.get(child.name) : undefined;
    return leaf ? { [leaf.member]: leafToJson(leaf, child, model) } : memberOf(child, inner, terms);
  });
  const value = Object.assign({}, ...parts) as Record<string, unknown>;
  return { [definition.member]: node.kind === 'list' ? [value] : value };
}
