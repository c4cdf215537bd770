import type { DataDefinition } from '../document/data-definition.js';

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

/** Returns the selection of a key, which `fields` and `content` do not leave out. */
export function selectionOfKey({ depth }: NodeSelection): NodeSelection {
  return depth === undefined ? {} : { depth };
}

const WITH_CHILDREN = new Set(['container', 'list']);

/** Returns the selection below a child, or undefined if the child is not selected. */
export function selectionBelow(
  selection: NodeSelection,
  definition: DataDefinition,
): NodeSelection | undefined {
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

/** Returns true for a member without a schema that a selection contains. */
export function isSelected(member: string, { depth, fields }: NodeSelection): boolean {
  if (fields && fields.size > 0) return fields.has(member);
  return depth === undefined || depth > 1;
}
