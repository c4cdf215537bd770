import { dataChildren, type SchemaNode } from '../tree/schema-node.js';
import { memberName, qualifiedName } from './member-name.js';

/** Which document of a module is meant. */
export interface TargetChoice {
  readonly target?: string;
  readonly path?: string;
}

/** The top-level nodes of a document, or the one node that it begins with. */
type Found =
  { readonly nodes: readonly SchemaNode[]; readonly start?: SchemaNode } | { readonly refused: string };

/** Documents of a module beside its data, as a caller names them. */
export function targetsOf(root: SchemaNode): readonly string[] {
  return root.children.flatMap(({ kind, name }) => {
    if (kind === 'rpc') return [`rpc:${name}/input`, `rpc:${name}/output`];
    return kind === 'notification' || kind === 'structure' ? [`${kind}:${name}`] : [];
  });
}

/** The top-level members of the wanted document. */
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
  const [, kind, name, half] =
    /^(rpc|notification|structure):([^/]+)(?:\/(input|output))?$/.exec(target) ?? [];
  const node = root.children.find((one) => one.kind === kind && one.name === name);
  const inner = kind === 'rpc' ? node?.children.find((one) => one.kind === half) : node;
  // RFC 8040 3.6: what goes into an operation stands under `module:input`; a notification under its own name.
  if (inner) return inner.kind === 'structure' ? { nodes: inner.children } : { nodes: [inner], start: inner };
  return {
    refused: `there is no target "${target}"; use data, ${targetsOf(root).join(', ') || 'or give another module'}`,
  };
}
