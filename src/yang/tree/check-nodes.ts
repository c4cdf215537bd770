import { type FaultList, InvalidYang } from '../diagnostic.js';
import type { Names } from '../modules/yang-module.js';
import { laterStatus } from './inherit-status.js';
import type { Linker } from './linker.js';
import {
  dataChildren,
  isMandatory,
  isOperation,
  keysOf,
  propertiesOf,
  propertyOf,
  type SchemaNode,
  splitWords,
  valueOf,
} from './schema-node.js';
import { findSchemaNode, stepsIn } from './schema-path.js';

/**
 * Checks the `key` and `unique` statements of a list (RFC 7950 7.8.2 and 7.8.3). `isConfigKnown`: false for a list of an
 * unused grouping that may be used inside state. Throws InvalidYang.
 */
export function checkList(node: SchemaNode, linker: Linker, isConfigKnown = true): void {
  checkKeys(node, linker, isConfigKnown);
  for (const unique of propertiesOf(node, 'unique'))
    linker.faults.catching(() => {
      const leaves = splitWords(unique.argument).map((path) => {
        const steps = stepsIn(path.split('/'), {
          at: unique,
          names: linker.names,
          defaultModule: node.module,
        });
        const leaf = findSchemaNode(node.children, steps);
        if (leaf?.kind !== 'leaf')
          throw new InvalidYang(
            unique,
            'RFC 7950 7.8.3',
            `unique: "${path}" is not a leaf of "${node.name}"`,
          );
        for (let at = leaf.parent; at && at !== node; at = at.parent)
          if (at.kind === 'list')
            throw new InvalidYang(unique, 'RFC 7950 7.8.3', `unique: "${path}" leads into another list`);
        return leaf;
      });
      if (isConfigKnown && leaves.some(({ config }) => config !== leaves[0]?.config))
        throw new InvalidYang(
          unique,
          'RFC 7950 7.8.3',
          'unique: one leaf is configuration and another is state',
        );
    });
}

function checkKeys(node: SchemaNode, linker: Linker, isConfigKnown: boolean): void {
  const key = propertyOf(node, 'key');
  if (!key) {
    if (node.config && isConfigKnown)
      throw new InvalidYang(
        node.statement,
        'RFC 7950 7.8.2',
        `the list "${node.name}" is configuration and needs a key`,
      );
    return;
  }
  for (const written of splitWords(key.argument)) linker.names.resolve(key, written);
  const previousKeys = new Set<string>();
  for (const name of keysOf(node)) {
    const fault = previousKeys.has(name) ? 'occurs twice' : faultOfKey(node, name, { linker, isConfigKnown });
    if (fault !== undefined)
      throw new InvalidYang(key, 'RFC 7950 7.8.2', `key "${name}" of "${node.name}" ${fault}`);
    previousKeys.add(name);
  }
}

function isConditional(leaf: SchemaNode): boolean {
  return propertyOf(leaf, 'when') !== undefined || propertyOf(leaf, 'if-feature') !== undefined;
}

function faultOfKey(
  node: SchemaNode,
  name: string,
  { linker, isConfigKnown }: { readonly linker: Linker; readonly isConfigKnown: boolean },
): string | undefined {
  const leaf = node.children.find((child) => child.name === name && child.module === node.module);
  if (leaf?.kind !== 'leaf') return 'is not a leaf directly inside the list';
  if (laterStatus(node.status, leaf.status) !== node.status)
    return `is ${leaf.status}, but the list is ${node.status}`;
  if (!leaf.enabled && node.enabled) return 'depends on a feature that is off';
  if (isConfigKnown && node.config && !leaf.config) return 'is state, but the list is configuration';
  return isVersion11(leaf, linker) ? faultOfKey11(leaf) : faultOfKey10(leaf);
}

function faultOfKey11(leaf: SchemaNode): string | undefined {
  return isConditional(leaf) ? 'is conditional' : undefined;
}

function faultOfKey10(leaf: SchemaNode): string | undefined {
  return leaf.type?.base === 'empty' ? 'is empty, which needs "yang-version 1.1"' : undefined;
}

function isVersion11(node: SchemaNode, linker: Linker): boolean {
  return linker.names.unitOf(node.statement).version === '1.1';
}

/**
 * Throws InvalidYang for an action or notification in an rpc, an action, a notification, a case, a list without a key, or,
 * for an action, at the top level (RFC 7950 7.15 and 7.16). A `uses` statement may have put it there.
 */
export function checkOperationPlace(node: SchemaNode): void {
  const { kind, name, parent, statement } = node;
  if ((kind !== 'action' && kind !== 'notification') || !parent) return;
  const place = forbiddenPlaceOf(kind, parent);
  if (place === undefined) return;
  const rule = kind === 'action' ? 'RFC 7950 7.15' : 'RFC 7950 7.16';
  throw new InvalidYang(statement, rule, `the ${kind} "${name}" is not allowed ${place}`);
}

function forbiddenPlaceOf(kind: 'action' | 'notification', parent: SchemaNode): string | undefined {
  if (parent.kind === 'case') return 'in a case';
  const isRoot = parent.kind === 'structure' && !parent.parent;
  if (kind === 'action' && isRoot) return 'at the top level of a module; use an rpc';
  for (let at: SchemaNode | undefined = parent; at; at = at.parent) {
    if (at.kind !== 'structure' && isOperation(at)) return `in the ${at.kind} "${at.name}"`;
    if (at.kind === 'list' && !propertyOf(at, 'key')) return `in the list "${at.name}", which has no key`;
  }
  return undefined;
}

/** Adds a fault for each node with the name of a sibling in the data tree (RFC 7950 6.2.1). */
export function checkNames(node: SchemaNode, faults: FaultList): void {
  // The check of the choice's parent includes the children of a case, which are its children in the data
  // tree.
  if (node.kind === 'case') return;
  const hasSeparateChildren = node.kind === 'choice' || node.kind === 'rpc' || node.kind === 'action';
  const { children } = node;
  const inData = hasSeparateChildren ? children : dataChildren(children);
  for (const nodes of inData === children ? [children] : [children, inData])
    for (const duplicate of duplicatesOf(nodes))
      faults.add(
        duplicate.statement,
        'RFC 7950 6.2.1',
        `a second node "${duplicate.name}" in "${node.name}"`,
      );
}

/** Returns the nodes that have the name and module of an earlier node. */
function duplicatesOf(nodes: readonly SchemaNode[]): readonly SchemaNode[] {
  if (nodes.length < 2 || haveDistinctNames(nodes)) return [];
  const firstByName = new Map<string, SchemaNode>();
  const sameNamed: SchemaNode[] = [];
  for (const node of nodes) {
    if (firstByName.has(node.name)) sameNamed.push(node);
    else firstByName.set(node.name, node);
  }
  // Nodes with the same name and different modules are rare, so only nodes with the same name are compared.
  return sameNamed.filter((node, at) =>
    [firstByName.get(node.name), ...sameNamed.slice(0, at)].some(
      (other) => other?.name === node.name && other.module === node.module,
    ),
  );
}

function haveDistinctNames(nodes: readonly SchemaNode[]): boolean {
  const names = new Set<string>();
  for (const { name } of nodes) names.add(name);
  return names.size === nodes.length;
}

/** Checks the default case of a choice (RFC 7950 7.9.3). Throws InvalidYang. */
export function checkChoice(node: SchemaNode, names: Names): void {
  const defaultStatement = propertyOf(node, 'default');
  if (!defaultStatement) return;
  if (valueOf(node, 'mandatory') === 'true')
    throw new InvalidYang(
      defaultStatement,
      'RFC 7950 7.9.3',
      `the choice "${node.name}" cannot be mandatory and have a default`,
    );
  const { local } = names.resolve(defaultStatement, defaultStatement.argument);
  const defaultCase = node.children.find(({ name }) => name === local);
  if (!defaultCase)
    throw new InvalidYang(
      defaultStatement,
      'RFC 7950 7.9.3',
      `the choice "${node.name}" has no case "${local}"`,
    );
  const mandatory = defaultCase.children.find(isMandatory);
  if (mandatory)
    throw new InvalidYang(
      defaultStatement,
      'RFC 7950 7.9.3',
      `the default case contains the mandatory node "${mandatory.name}"`,
    );
}
