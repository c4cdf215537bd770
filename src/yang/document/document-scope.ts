import { findTarget, qualifiedName, type TargetChoice } from '../json-schema/data-path.js';
import type { LinkedModules } from '../link.js';
import { dataParent, propertiesOf, type SchemaNode } from '../tree/schema-node.js';
import type { DataChildren, DataDefinition, DataDefinitions } from './data-definition.js';
import { DataNode } from './data-node.js';

/** Selection of a document: all data, the data of some modules, or another document of one module. */
export interface DocumentChoice extends TargetChoice {
  /**
   * Modules whose data the document contains. Nothing is known about the data of other modules. Absent: the document
   * contains all data.
   */
  readonly modules?: readonly string[];
}

/** Schema nodes of a document, prepared once. */
export interface DocumentSchema {
  /** Schema nodes of the members of the document. */
  readonly nodes: readonly SchemaNode[];
  readonly children: DataChildren;
  /** Nodes above the members, the outermost first. Nothing is known about their other children. */
  readonly ancestors: readonly DataDefinition[];
  /** True if the members are at the root of the accessible tree. */
  readonly isRoot: boolean;
  /** Modules of the nodes at the root; absent if the document contains all data. */
  readonly modules: ReadonlySet<string> | undefined;
}

/** Returns the schema of a document, or `refused` if the model has no such document. */
export function documentSchema(
  linked: LinkedModules,
  definitions: DataDefinitions,
  choice: DocumentChoice,
): DocumentSchema | { readonly refused: string } {
  const { modules, path } = choice;
  // A datastore contains the data of all selected modules.
  const target = choice.target === 'datastore' ? 'data' : (choice.target ?? 'data');
  const roots = linked.trees.roots().filter((root) => modules?.includes(root.name) ?? true);
  if (target === 'data' && path === undefined) {
    const nodes = roots.flatMap((root) => root.children);
    const known = modules && new Set(modules);
    return { nodes, children: definitions.childrenOf(nodes), ancestors: [], isRoot: true, modules: known };
  }
  const document = findTarget(roots, { target, ...(path !== undefined && { path }) });
  if ('refused' in document) return document;
  const { nodes, start } = document;
  if (!start)
    return {
      nodes,
      children: definitions.childrenOf(nodes),
      ancestors: [],
      isRoot: true,
      modules: undefined,
    };
  const definition = definitions.begin(start, startDefinition(start, definitions));
  return {
    nodes: [start],
    children: {
      list: [definition],
      byMember: new Map([[definition.member, definition]]),
      byQualifiedName: new Map([[definition.qualified, definition]]),
    },
    ancestors: ancestorsOf(isPart(start) ? start.parent : start).map((node) => definitions.of(node)),
    isRoot: false,
    modules: undefined,
  };
}

/** Returns the definition of the only member of a document. An input or output has the name of its operation in paths. */
function startDefinition(start: SchemaNode, definitions: DataDefinitions): DataDefinition {
  const own = definitions.of(start);
  const operation = isPart(start) ? start.parent : undefined;
  return {
    node: start,
    qualified: qualifiedName(operation ?? start),
    member: qualifiedName(start),
    conditions: own.conditions,
    musts: propertiesOf(start, 'must'),
    children: own.children,
  };
}

function isPart({ kind }: SchemaNode): boolean {
  return kind === 'input' || kind === 'output';
}

function ancestorsOf(node: SchemaNode | undefined): readonly SchemaNode[] {
  const ancestors: SchemaNode[] = [];
  for (let at = node && dataParent(node); at?.parent; at = dataParent(at)) ancestors.unshift(at);
  return ancestors;
}

/** Root of the accessible tree of one document, and the node whose children the document contains. */
interface DocumentTree {
  readonly root: DataNode;
  readonly top: DataNode;
}

/** Creates an empty tree for a document. */
export function emptyTree({ ancestors, isRoot }: DocumentSchema): DocumentTree {
  const root = new DataNode({ definition: undefined, parent: undefined });
  root.isOutside = !isRoot;
  let top = root;
  for (const definition of ancestors) {
    const parent = top;
    top = new DataNode({ definition, parent });
    top.presence = 'present';
    top.isOutside = true;
    parent.add(top);
  }
  return { root, top };
}
