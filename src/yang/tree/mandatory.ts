import { propertyOf, type SchemaNode, valueOf } from './schema-node.js';

/** Kinds of nodes that state explicitly whether they are mandatory. */
const OUTSPOKEN = new Set(['leaf', 'choice', 'anydata', 'anyxml']);

/**
 * Returns true if the node's parent needs an instance of it (RFC 7950 section 3, "mandatory node"),
 * considering only included nodes. A node under a `when` is never needed, because the condition is not
 * evaluated here.
 */
export function isNeeded(node: SchemaNode, included: (node: SchemaNode) => boolean): boolean {
  if (!included(node) || node.whens.length > 0 || propertyOf(node, 'when')) return false;
  if (OUTSPOKEN.has(node.kind)) return valueOf(node, 'mandatory') === 'true';
  if (node.kind === 'list' || node.kind === 'leaf-list') return minimumOf(node) > 0;
  return isHollow(node) && node.children.some((child) => isNeeded(child, included));
}

/** Returns true if a node is needed among all nodes that features enable. See {@link isNeeded}. */
export function isMandatory(node: SchemaNode): boolean {
  return isNeeded(node, ({ enabled }) => enabled);
}

/**
 * Returns true for a container without presence. An empty one is equivalent to an absent one (RFC 7950
 * 7.5.1).
 */
export function isHollow(node: SchemaNode): boolean {
  return node.kind === 'container' && propertyOf(node, 'presence') === undefined;
}

/** Returns the minimum number of entries of a list or leaf-list. */
export function minimumOf(node: SchemaNode): number {
  return Number(valueOf(node, 'min-elements') ?? 0);
}
