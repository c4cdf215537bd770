import { propertyOf, type SchemaNode, valueOf } from './schema-node.js';

/** Kinds of nodes that say themselves whether they must be there. */
const OUTSPOKEN = new Set(['leaf', 'choice', 'anydata', 'anyxml']);

/**
 * True when the node's parent needs an instance of it (RFC 7950 section 3, "mandatory node"), looking only at nodes
 * that are included. What stands under a `when` is never needed, because nobody here knows the condition.
 */
export function isNeeded(node: SchemaNode, included: (node: SchemaNode) => boolean): boolean {
  if (!included(node) || node.whens.length > 0 || propertyOf(node, 'when')) return false;
  if (OUTSPOKEN.has(node.kind)) return valueOf(node, 'mandatory') === 'true';
  if (node.kind === 'list' || node.kind === 'leaf-list') return minimumOf(node) > 0;
  return isHollow(node) && node.children.some((child) => isNeeded(child, included));
}

/** As {@link isNeeded}, among all nodes that features have not switched off. */
export function isMandatory(node: SchemaNode): boolean {
  return isNeeded(node, ({ enabled }) => enabled);
}

/** True for a container without presence: empty, it is as good as absent (RFC 7950 7.5.1). */
export function isHollow(node: SchemaNode): boolean {
  return node.kind === 'container' && propertyOf(node, 'presence') === undefined;
}

/** The fewest entries of a list or leaf-list. */
export function minimumOf(node: SchemaNode): number {
  return Number(valueOf(node, 'min-elements') ?? 0);
}
