import { dataChildren, dataParent, isOperation, type SchemaNode } from '../tree/schema-node.js';

/** Selects a document of a module. */
export interface TargetChoice {
  readonly target?: string;
  readonly path?: string;
}

/** Top-level nodes of a document, or the single node that it starts with. */
export interface Document {
  readonly nodes: readonly SchemaNode[];
  readonly start?: SchemaNode;
}

type Found = Document | { readonly refused: string };

/** Returns the targets of a module's documents other than its data. */
export function targetsOf(root: SchemaNode): readonly string[] {
  return operationsIn(root.children).flatMap((node) => documentsOf(node).map(([name]) => name));
}

/** Returns the top-level members of the selected document. */
export function findTarget(root: SchemaNode, { target = 'data', path }: TargetChoice): Found {
  if (target !== 'data') return findOperation(root, target);
  if (path === undefined || path === '/' || path === '') return { nodes: root.children };
  let nodes: readonly SchemaNode[] = root.children;
  let found: SchemaNode | undefined;
  for (const step of path.replace(/^\//, '').split('/')) {
    const children: readonly SchemaNode[] = dataChildren(nodes);
    found = children.find((node) => memberName(node) === step || (found && qualifiedName(node) === step));
    if (!found) return { refused: `the path "${path}" leads nowhere: there is no "${step}"` };
    nodes = found.children;
  }
  return found ? { nodes: [found], start: found } : { nodes: root.children };
}

function findOperation(root: SchemaNode, target: string): Found {
  const documents = operationsIn(root.children).flatMap(documentsOf);
  const [, node] = documents.find(([name]) => name === target) ?? [];
  // RFC 8040 3.6: the input of an operation is under `module:input`, a notification under its own name.
  if (node) return node.kind === 'structure' ? { nodes: node.children } : { nodes: [node], start: node };
  const known = documents.map(([name]) => name).join(', ');
  return { refused: `there is no target "${target}"; use data, ${known || 'or give another module'}` };
}

/** Returns operations, notifications and structures at any depth. */
function operationsIn(nodes: readonly SchemaNode[]): readonly SchemaNode[] {
  return nodes.flatMap((node) =>
    isOperation(node) ? [node] : node.children.length > 0 ? operationsIn(node.children) : [],
  );
}

/**
 * Returns the documents of an operation, notification or structure by the names of their targets. Documents
 * inside data are named by their path.
 */
function documentsOf(node: SchemaNode): readonly (readonly [target: string, node: SchemaNode])[] {
  const name = `${node.kind}:${node.parent?.parent ? dataPath(node) : node.name}`;
  if (node.kind === 'notification' || node.kind === 'structure') return [[name, node]];
  return node.children.map((half) => [`${name}/${half.kind}`, half] as const);
}

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

/** Returns the path of a node through data, without choices and cases: `/module:a/b`. */
export function dataPath(node: SchemaNode): string {
  const parent = parentOf(node);
  const name = parent?.module === node.module ? node.name : `${node.module.name}:${node.name}`;
  return `${parent ? dataPath(parent) : ''}/${name}`;
}

function parentOf(node: SchemaNode): SchemaNode | undefined {
  let parent = node.parent;
  while (parent && (parent.kind === 'choice' || parent.kind === 'case')) parent = parent.parent;
  return parent?.parent ? parent : undefined;
}
