import { InvalidYang } from '../diagnostic.js';
import type { Names, YangModule } from '../modules/yang-module.js';
import type { Statement } from '../syntax/statement.js';
import type { SchemaNode } from './schema-node.js';

/** Step of a path in the schema tree: a node name with its module. */
export interface Step {
  readonly module: YangModule;
  /** Alternative module of the node. Nodes of a grouping belong to the module that uses the grouping. */
  readonly otherwise: YangModule;
  readonly name: string;
}

/**
 * Returns the steps of a schema node identifier (RFC 7950 6.5). A step without a prefix belongs to the module
 * `defaultModule`. Inside a grouping, that is the module that uses the grouping.
 */
export function stepsOf(statement: Statement, names: Names, defaultModule: YangModule): readonly Step[] {
  // A lenient compilation accepts a slash at the end.
  const path = statement.argument.replace(/^\/|\/$/g, '');
  return stepsIn(path.split('/'), { at: statement, names, defaultModule });
}

/** Context of a path: the statement that contains the path, and the module of names without a prefix. */
interface PathContext {
  readonly at: Statement;
  readonly names: Names;
  readonly defaultModule: YangModule;
}

/** Returns the steps for node names in the context of a statement. See {@link stepsOf}. */
export function stepsIn(path: readonly string[], { at, names, defaultModule }: PathContext): readonly Step[] {
  const textModule = names.unitOf(at).module;
  return path.map((step) => {
    const { module, local } = names.resolve(at, step);
    if (module !== textModule) return { module, otherwise: module, name: local };
    return step.includes(':')
      ? { module, otherwise: defaultModule, name: local }
      : { module: defaultModule, otherwise: module, name: local };
  });
}

/**
 * Returns the steps for node names of an XPath. A step without a prefix belongs to the module of the current node, even in
 * a typedef of another module (RFC 7950 6.4.1).
 */
export function stepsInData(path: readonly string[], context: PathContext): readonly Step[] {
  const { defaultModule } = context;
  return stepsIn(path, context).map((step, at) =>
    path[at]?.includes(':') ? step : { ...step, module: defaultModule, otherwise: defaultModule },
  );
}

/** Returns the node at the end of the steps. Throws InvalidYang if the node does not exist. */
export function findNode(from: readonly SchemaNode[], steps: readonly Step[], at: Statement): SchemaNode {
  const found = findSchemaNode(from, steps);
  if (found) return found;
  throw new InvalidYang(at, 'RFC 7950 6.5', `${at.keyword} "${at.argument}": there is no such node`);
}

/** Returns the node at the end of the steps; undefined if the node does not exist. */
export function findSchemaNode(from: readonly SchemaNode[], steps: readonly Step[]): SchemaNode | undefined {
  let nodes = from;
  let found: SchemaNode | undefined;
  for (const step of steps) {
    found = stepFrom(nodes, step);
    if (!found) return undefined;
    nodes = found.children;
  }
  return found;
}

/** Returns the node with the name and module of a step among siblings. */
export function stepFrom(
  nodes: readonly SchemaNode[],
  { module, otherwise, name }: Step,
): SchemaNode | undefined {
  let second: SchemaNode | undefined;
  for (const node of nodes) {
    if (node.name !== name) continue;
    if (node.module === module) return node;
    if (node.module === otherwise) second ??= node;
  }
  return second;
}
