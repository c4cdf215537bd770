import { InvalidYang } from '../diagnostic.js';
import type { YangModule } from '../modules/yang-module.js';
import { childrenOf, type Statement } from '../syntax/statement.js';
import type { ExpandedNodes } from './expanded-groupings.js';
import { checkStatusOf, laterStatus } from './inherit-status.js';
import type { Linker } from './linker.js';
import {
  defineNode,
  type DefinitionStart,
  derivedDefinition,
  NO_PROPERTIES,
  type NodeDefinition,
} from './node-definition.js';
import { kindOf, mayHaveChildren } from './node-kinds.js';
import { refine } from './refine-and-deviate.js';
import { addNode, SchemaNode, type Status } from './schema-node.js';
import { findNode, stepsOf } from './schema-path.js';

/** Environment in which statements are expanded: the parent of new nodes and the inherited state. */
export interface ExpandEnvironment {
  readonly parent: SchemaNode;
  /** Module whose namespace contains new nodes. */
  readonly module: YangModule;
  /** Groupings that are being expanded, to detect a grouping that uses itself. */
  readonly groupings: readonly Statement[];
  readonly depth: number;
}

/**
 * Creates nodes for the substatements of a statement. Records faults and continues with the next statement.
 */
export function expandChildren(
  parentStatement: Statement,
  environment: ExpandEnvironment,
  linker: Linker,
): void {
  for (const statement of parentStatement.children) expandStatement(statement, environment, linker);
}

function expandStatement(statement: Statement, environment: ExpandEnvironment, linker: Linker): void {
  if (statement.keyword === 'uses') {
    linker.faults.catching(() => {
      expandUses(statement, environment, linker);
    });
    return;
  }
  const kind = kindOf(statement.keyword);
  if (kind === undefined) return;
  if (environment.parent.kind === 'choice' && kind !== 'case') {
    // A shorthand case (RFC 7950 7.9.2) has the name of its only node.
    const { module } = environment;
    const start = { kind: 'case', name: statement.argument, module, statement } as const;
    const definition = definitionOf({ ...start, properties: NO_PROPERTIES }, environment, linker);
    const parent = addNode(definition, environment.parent);
    expandNode(statement, { ...environment, parent, depth: environment.depth + 1 }, linker);
  } else expandNode(statement, environment, linker);
}

function expandNode(statement: Statement, environment: ExpandEnvironment, linker: Linker): void {
  const { parent, module, depth } = environment;
  linker.budget.takeNode(depth, statement);
  const kind = kindOf(statement.keyword) ?? 'container';
  const name = kind === 'input' || kind === 'output' ? kind : statement.argument;
  const start = { kind, name, module, statement, properties: statement.children };
  const node = addNode(definitionOf(start, environment, linker), parent);
  if (!mayHaveChildren(kind)) return;
  expandChildren(statement, { ...environment, parent: node, depth: depth + 1 }, linker);
  if (kind === 'rpc' || kind === 'action')
    // Input and output exist even without a statement, and may be augmented.
    for (const part of ['input', 'output'] as const)
      if (!node.children.some((child) => child.kind === part))
        addNode(defineNode({ kind: part, name: part, module, statement, properties: NO_PROPERTIES }), node);
  // A copy has the exact length; an array that grows reserves memory.
  if (node.children.length > 0) node.children = node.children.slice();
}

/** Returns the definition of a new node. Only a statement in a grouping is expanded several times. */
function definitionOf(
  start: DefinitionStart,
  { groupings }: ExpandEnvironment,
  { shared }: Linker,
): NodeDefinition {
  return groupings.length > 0 ? shared.of(start) : defineNode(start);
}

/** Returns the nodes of a grouping below a node of their own, for checks of a grouping that nothing uses. */
export function expandGrouping(grouping: Statement, module: YangModule, linker: Linker): SchemaNode {
  const start = { kind: 'container', name: grouping.argument, module, statement: grouping } as const;
  const root = addNode(defineNode({ ...start, properties: NO_PROPERTIES }), undefined);
  expandChildren(grouping, { parent: root, module, groupings: [grouping], depth: 1 }, linker);
  return root;
}

function expandUses(uses: Statement, environment: ExpandEnvironment, linker: Linker): void {
  const grouping = linker.names.definition('grouping', uses, uses.argument);
  if (!grouping) throw new InvalidYang(uses, 'RFC 7950 7.13', `there is no grouping "${uses.argument}"`);
  if (environment.groupings.includes(grouping))
    throw new InvalidYang(uses, 'RFC 7950 7.12', `the grouping "${grouping.argument}" uses itself`);
  // A grouping may contain only `uses` statements, which the limit for the depth of nodes does not cover.
  linker.budget.checkDepth(environment.groupings.length, uses);
  checkStatusOf(uses, grouping, linker.names);
  linker.budget.takeUse(uses);
  linker.usedGroupings.add(grouping);
  const nodeCount = environment.parent.children.length;
  addGrouping(grouping, environment, linker);
  const newNodes = environment.parent.children.slice(nodeCount);
  for (const statement of childrenOf(uses, 'refine'))
    linker.faults.catching(() => {
      refine(findNode(newNodes, stepsOf(statement, linker.names, environment.module), statement), statement);
    });
  for (const statement of childrenOf(uses, 'augment'))
    linker.faults.catching(() => {
      const target = findNode(newNodes, stepsOf(statement, linker.names, environment.module), statement);
      expandAugment(statement, { ...environment, parent: target }, linker);
    });
  for (const node of newNodes) importNode(node, uses);
}

/** Adds the nodes of a grouping: copies, if the grouping was expanded for the module before. */
function addGrouping(grouping: Statement, environment: ExpandEnvironment, linker: Linker): void {
  const { parent, module, depth, groupings } = environment;
  const inside = { ...environment, groupings: [...groupings, grouping] };
  // The nodes in a choice need cases of their own.
  if (parent.kind === 'choice') {
    expandChildren(grouping, inside, linker);
    return;
  }
  const nodes = linker.expanded.of(grouping, module, {
    expand: () => expandOnce(grouping, inside, linker),
    mayCopy: (expanded) => linker.budget.takeCopy(expanded, depth),
  });
  if (nodes) for (const node of nodes) parent.children.push(node.copyTo(parent));
  else expandChildren(grouping, inside, linker);
}

/** Returns the nodes of a grouping below a node of their own; undefined if there are faults. */
function expandOnce(
  grouping: Statement,
  environment: ExpandEnvironment,
  linker: Linker,
): ExpandedNodes | undefined {
  const { budget, faults } = linker;
  const { nodes, uses } = budget;
  const faultsBefore = faults.added;
  const parent = new SchemaNode(environment.parent.definition, undefined);
  expandChildren(grouping, { ...environment, parent }, linker);
  if (faults.added > faultsBefore) return undefined;
  return { nodes: parent.children, counts: { nodes: budget.nodes - nodes, uses: budget.uses - uses } };
}

/** Adds the nodes of an augment to its target. */
export function expandAugment(augment: Statement, environment: ExpandEnvironment, linker: Linker): void {
  const { parent } = environment;
  if (!AUGMENTABLE_KINDS.has(parent.kind))
    throw new InvalidYang(augment, 'RFC 7950 7.17', `a ${parent.kind} cannot be augmented`);
  const nodeCount = parent.children.length;
  expandChildren(augment, environment, linker);
  if (parent.children.length === nodeCount && augment.keyword.endsWith(':augment-structure'))
    throw new InvalidYang(augment, 'RFC 8791 2', 'augment-structure contains no data definition');
  for (const node of parent.children.slice(nodeCount)) {
    checkParentKind(node, augment);
    importNode(node, augment);
  }
}

const AUGMENTABLE_KINDS = new Set([
  'container',
  'list',
  'choice',
  'case',
  'input',
  'output',
  'notification',
  'structure',
]);

function checkParentKind(node: SchemaNode, augment: Statement): void {
  const parent = node.parent?.kind ?? 'container';
  const operation = node.kind === 'action' || node.kind === 'notification';
  if (
    (operation && parent !== 'container' && parent !== 'list') ||
    (node.kind === 'case') !== (parent === 'choice')
  )
    throw new InvalidYang(augment, 'RFC 7950 7.17', `a ${node.kind} is not allowed inside a ${parent}`);
}

/**
 * Adds the conditions and the status of the `uses` or `augment` statement to a node that the statement added.
 */
function importNode(node: SchemaNode, source: Statement): void {
  for (const statement of source.children)
    if (statement.keyword === 'status') node.status = laterStatus(node.status, statement.argument as Status);
  const conditions = childrenOf(source, 'if-feature');
  const whens = childrenOf(source, 'when').map((statement) => ({ statement, fromParent: true }));
  if (conditions.length === 0 && whens.length === 0) return;
  node.definition = derivedDefinition(node.definition, source, () => ({
    conditions: [...node.conditions, ...conditions],
    whens: [...node.whens, ...whens],
  }));
}
