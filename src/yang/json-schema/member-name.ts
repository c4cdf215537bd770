import { dataParent, type SchemaNode } from '../tree/schema-node.js';

/**
 * Returns the name of a node's member. It is qualified if its module differs from that of the data node above
 * (RFC 7951 section 4).
 */
export function memberName(node: SchemaNode): string {
  const parent = dataParent(node);
  // A structure is not a data node: its content is at the top.
  const isTop = !parent?.parent || parent.kind === 'structure';
  return !isTop && parent.module === node.module ? node.name : `${node.module.name}:${node.name}`;
}

/** Returns the name of a node's member at the top of a document. */
export function qualifiedName({ module, name }: SchemaNode): string {
  return `${module.name}:${name}`;
}
