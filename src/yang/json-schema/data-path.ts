import { dataChildren, dataParent, isOperation, type SchemaNode } from '../tree/schema-node.js';

/** Selection of a document of a module: by target, or by the path of a data node. */
export interface TargetChoice {
  readonly target?: string;
  readonly path?: string;
}

/** Top-level nodes of a document. `start` is set if the document has a single root node. */
export interface TargetDocument {
  readonly nodes: readonly SchemaNode[];
  readonly start?: SchemaNode;
}

type FoundTarget = TargetDocument | { readonly refused: string };

/** Returns the names of the targets of a module besides `data`. */
export function targetsOf(root: SchemaNode): readonly string[] {
  return operationsIn(root.children).flatMap((node) => documentsOf(node).map(([name]) => name));
}

/** Returns the top-level nodes of the selected document of modules, given by the roots of their trees, or `refused` if it does not exist. */
export function findTarget(
  roots: readonly SchemaNode[],
  { target = 'data', path }: TargetChoice,
): FoundTarget {
  const top = roots.flatMap(({ children }) => children);
  if (target !== 'data') return findOperation(top, target);
  if (path === undefined || path === '/' || path === '') return { nodes: top };
  let nodes: readonly SchemaNode[] = top;
  let found: SchemaNode | undefined;
  for (const step of path.replace(/^\//, '').split('/')) {
    const children: readonly SchemaNode[] = dataChildren(nodes);
    found = children.find((node) => memberName(node) === step || (found && qualifiedName(node) === step));
    if (!found) return { refused: `the path "${path}" does not exist: there is no "${step}"` };
    nodes = found.children;
  }
  return found ? { nodes: [found], start: found } : { nodes: top };
}

function findOperation(top: readonly SchemaNode[], target: string): FoundTarget {
  const documents = operationsIn(top).flatMap(documentsOf);
  const [, node] = documents.find(([name]) => name === target) ?? [];
  // RFC 8040 section 3.6: the root of an input is `module:input`, the root of a notification is its name. RFC 8791
  // section 4: the name of a structure is encoded like a container. The root of yang-data is its container.
  if (node) return isYangData(node) ? { nodes: node.children } : { nodes: [node], start: node };
  const known = documents.map(([name]) => name).join(', ');
  return {
    refused: `there is no target "${target}"; use data, datastore, ${known || 'or give another module'}`,
  };
}

/** Returns all operations, notifications and structures below nodes, at any depth. */
function operationsIn(nodes: readonly SchemaNode[], found: SchemaNode[] = []): readonly SchemaNode[] {
  for (const node of nodes)
    if (isOperation(node)) found.push(node);
    // Children that are alike elsewhere are no operations: see SharedSubtrees.
    else if (!node.origin) operationsIn(node.children, found);
  return found;
}

/**
 * Returns the documents of an operation, notification or structure with the names of their targets. The name
 * of a target inside the data tree contains the path of the node.
 */
function documentsOf(node: SchemaNode): readonly (readonly [target: string, node: SchemaNode])[] {
  const name = `${node.kind}:${node.parent?.parent ? dataPath(node) : node.name}`;
  if (node.kind === 'notification' || node.kind === 'structure') return [[name, node]];
  return node.children.map((part) => [`${name}/${part.kind}`, part] as const);
}

/**
 * Returns the JSON member name of a node. The name is qualified at the top level, and if the module differs
 * from that of the parent data node (RFC 7951 section 4).
 */
export function memberName(node: SchemaNode): string {
  const parent = dataParent(node);
  const isTop = !parent?.parent || isYangData(parent);
  return !isTop && parent.module === node.module ? node.name : `${node.module.name}:${node.name}`;
}

/** Returns true for `rc:yang-data` (RFC 8040), which has no name in documents, unlike `sx:structure` (RFC 8791). */
function isYangData({ kind, statement }: SchemaNode): boolean {
  return kind === 'structure' && statement.keyword.endsWith(':yang-data');
}

/** Returns the qualified name of a node, the member name at the top level of a document. */
export function qualifiedName({ module, name }: SchemaNode): string {
  return `${module.name}:${name}`;
}

/** Returns the path of a node in the data tree, without choices and cases: `/module:a/b`. */
export function dataPath(node: SchemaNode): string {
  const parent = dataParentOf(node);
  const name = parent?.module === node.module ? node.name : `${node.module.name}:${node.name}`;
  return `${parent ? dataPath(parent) : ''}/${name}`;
}

function dataParentOf(node: SchemaNode): SchemaNode | undefined {
  let parent = node.parent;
  while (parent && (parent.kind === 'choice' || parent.kind === 'case')) parent = parent.parent;
  return parent?.parent ? parent : undefined;
}
