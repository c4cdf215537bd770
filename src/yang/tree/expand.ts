import { InvalidYang } from '../diagnostic.js';
import type { YangModule } from '../modules/yang-module.js';
import { childrenOf, type Statement } from '../syntax/statement.js';
import type { Linker } from './linker.js';
import { checkStatusOf, later } from './inherit-status.js';
import { refine } from './refine-and-deviate.js';
import { addNode, kindOf, type SchemaNode, type Status } from './schema-node.js';
import { findNode, stepsOf } from './schema-path.js';

/** Parent of new nodes, and the state that they inherit from their ancestors. */
export interface CompileEnvironment {
  readonly parent: SchemaNode;
  /** Module whose namespace contains new nodes. */
  readonly module: YangModule;
  /** Groupings that are being expanded, to detect a grouping inside itself. */
  readonly groupings: readonly Statement[];
  readonly depth: number;
}

/**
 * Creates nodes for the statements inside another statement, below a parent. Records faults and continues
 * with the next statement.
 */
export function expandChildren(outer: Statement, ground: CompileEnvironment, linker: Linker): void {
  for (const statement of outer.children) expandStatement(statement, ground, linker);
}

function expandStatement(statement: Statement, ground: CompileEnvironment, linker: Linker): void {
  if (statement.keyword === 'uses') {
    linker.faults.catching(() => {
      expandUses(statement, ground, linker);
    });
    return;
  }
  const kind = kindOf(statement.keyword);
  if (kind === undefined) return;
  if (ground.parent.kind === 'choice' && kind !== 'case') {
    // A shorthand case has the name of its only node.
    const start = { name: statement.argument, module: ground.module, statement, parent: ground.parent };
    const parent = addNode({ ...start, kind: 'case', properties: [] });
    expandNode(statement, { ...ground, parent, depth: ground.depth + 1 }, linker);
  } else expandNode(statement, ground, linker);
}

function expandNode(statement: Statement, ground: CompileEnvironment, linker: Linker): void {
  const { parent, module, depth } = ground;
  linker.budget.takeNode(depth, statement);
  const kind = kindOf(statement.keyword) ?? 'container';
  const name = kind === 'input' || kind === 'output' ? kind : statement.argument;
  const node = addNode({ kind, name, module, statement, parent, properties: statement.children });
  expandChildren(statement, { ...ground, parent: node, depth: depth + 1 }, linker);
  if (kind === 'rpc' || kind === 'action')
    // Input and output exist even if they are not written, and may be augmented.
    for (const half of ['input', 'output'] as const)
      if (!node.children.some((child) => child.kind === half))
        addNode({ kind: half, name: half, module, statement, parent: node, properties: [] });
}

function expandUses(uses: Statement, ground: CompileEnvironment, linker: Linker): void {
  const grouping = linker.names.definition('grouping', uses, uses.argument);
  if (!grouping) throw new InvalidYang(uses, 'RFC 7950 7.13', `there is no grouping "${uses.argument}"`);
  if (ground.groupings.includes(grouping))
    throw new InvalidYang(uses, 'RFC 7950 7.12', `the grouping "${grouping.argument}" uses itself`);
  // Groupings may contain only other groupings, so the depth of nodes is no limit for them.
  linker.budget.checkDepth(ground.groupings.length, uses);
  checkStatusOf(uses, grouping, linker.names);
  linker.budget.takeUse(uses);
  const before = ground.parent.children.length;
  expandChildren(grouping, { ...ground, groupings: [...ground.groupings, grouping] }, linker);
  const brought = ground.parent.children.slice(before);
  for (const statement of childrenOf(uses, 'refine'))
    linker.faults.catching(() => {
      refine(findNode(brought, stepsOf(statement, linker.names, ground.module), statement), statement);
    });
  for (const statement of childrenOf(uses, 'augment'))
    linker.faults.catching(() => {
      const target = findNode(brought, stepsOf(statement, linker.names, ground.module), statement);
      expandAugment(statement, { ...ground, parent: target }, linker);
    });
  for (const node of brought) importNode(node, uses);
}

/** Adds the nodes of an augment to its target. */
export function expandAugment(augment: Statement, ground: CompileEnvironment, linker: Linker): void {
  const { parent } = ground;
  if (!AUGMENTABLE.has(parent.kind))
    throw new InvalidYang(augment, 'RFC 7950 7.17', `a ${parent.kind} cannot be augmented`);
  const before = parent.children.length;
  expandChildren(augment, ground, linker);
  if (parent.children.length === before && augment.keyword.endsWith(':augment-structure'))
    throw new InvalidYang(augment, 'RFC 8791 2', 'augment-structure holds no data definition');
  for (const node of parent.children.slice(before)) {
    checkPlace(node, augment);
    importNode(node, augment);
  }
}

const AUGMENTABLE = new Set([
  'container',
  'list',
  'choice',
  'case',
  'input',
  'output',
  'notification',
  'structure',
]);

function checkPlace(node: SchemaNode, augment: Statement): void {
  const parent = node.parent?.kind ?? 'container';
  const operation = node.kind === 'action' || node.kind === 'notification';
  if (
    (operation && parent !== 'container' && parent !== 'list') ||
    (node.kind === 'case') !== (parent === 'choice')
  )
    throw new InvalidYang(augment, 'RFC 7950 7.17', `a ${node.kind} cannot stand inside a ${parent}`);
}

/** Gives a node the conditions and the status of the `uses` or `augment` that added it. */
function importNode(node: SchemaNode, by: Statement): void {
  for (const statement of by.children) {
    if (statement.keyword === 'if-feature') node.conditions = [...node.conditions, statement];
    else if (statement.keyword === 'when') node.whens = [...node.whens, { statement, fromParent: true }];
    else if (statement.keyword === 'status') node.status = later(node.status, statement.argument as Status);
  }
}
