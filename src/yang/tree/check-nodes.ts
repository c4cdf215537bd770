import { type FaultList, InvalidYang } from '../diagnostic.js';
import type { Linker } from './linker.js';
import {
  dataChildren,
  isMandatory,
  keysOf,
  propertiesOf,
  propertyOf,
  type SchemaNode,
  splitWords,
  valueOf,
} from './schema-node.js';
import { findSchemaNode, stepsIn } from './schema-path.js';
import type { Names } from '../modules/yang-module.js';

/** Checks the keys of a list and the leaves that must be unique (RFC 7950 7.8.2 and 7.8.3). */
export function checkList(node: SchemaNode, linker: Linker): void {
  checkKeys(node, linker);
  for (const unique of propertiesOf(node, 'unique'))
    linker.faults.catching(() => {
      for (const path of splitWords(unique.argument)) {
        const steps = stepsIn(path.split('/'), { at: unique, names: linker.names, own: node.module });
        const leaf = findSchemaNode(node.children, steps);
        if (leaf?.kind !== 'leaf')
          throw new InvalidYang(unique, 'RFC 7950 7.8.3', `unique: "${path}" is no leaf of "${node.name}"`);
        for (let at = leaf.parent; at && at !== node; at = at.parent)
          if (at.kind === 'list')
            throw new InvalidYang(unique, 'RFC 7950 7.8.3', `unique: "${path}" leads into another list`);
      }
    });
}

function checkKeys(node: SchemaNode, linker: Linker): void {
  const key = propertyOf(node, 'key');
  if (!key) {
    if (node.config)
      throw new InvalidYang(
        node.statement,
        'RFC 7950 7.8.2',
        `the list "${node.name}" is configuration and needs a key`,
      );
    for (const child of dataChildren(node.children))
      if (child.kind === 'action' || child.kind === 'notification')
        throw new InvalidYang(
          child.statement,
          'RFC 7950 7.15',
          `an ${child.kind} cannot stand in a list without a key`,
        );
    return;
  }
  const seen = new Set<string>();
  for (const name of keysOf(node)) {
    const wrong = seen.has(name) ? 'stands there twice' : faultOfKey(node, name, linker);
    if (wrong !== undefined)
      throw new InvalidYang(key, 'RFC 7950 7.8.2', `key "${name}" of "${node.name}" ${wrong}`);
    seen.add(name);
  }
}

function isConditional(leaf: SchemaNode): boolean {
  return propertyOf(leaf, 'when') !== undefined || propertyOf(leaf, 'if-feature') !== undefined;
}

function faultOfKey(node: SchemaNode, name: string, linker: Linker): string | undefined {
  const leaf = node.children.find((child) => child.name === name && child.module === node.module);
  if (leaf?.kind !== 'leaf') return 'is no leaf directly inside it';
  if (!leaf.enabled && node.enabled) return 'depends on a feature that is off';
  if (node.config && !leaf.config) return 'is state, but the list is configuration';
  if (isConditional(leaf) && is11(leaf, linker)) return 'is conditional';
  if (leaf.type?.base === 'empty' && !is11(leaf, linker)) return 'is empty, which needs "yang-version 1.1"';
  return undefined;
}

function is11(node: SchemaNode, linker: Linker): boolean {
  return linker.names.unitOf(node.statement).version === '1.1';
}

/** Refuses two nodes of one name that would be siblings in data (RFC 7950 6.2.1). */
export function checkNames(node: SchemaNode, faults: FaultList): void {
  // The members of a case are siblings of those of the choice's parent, which checks all of them.
  if (node.kind === 'case') return;
  const apart = node.kind === 'choice' || node.kind === 'rpc' || node.kind === 'action';
  const lists = apart ? [node.children] : [node.children, dataChildren(node.children)];
  for (const twin of lists.flatMap(twins))
    faults.add(twin.statement, 'RFC 7950 6.2.1', `a second node "${twin.name}" in "${node.name}"`);
}

/** Returns the nodes that have the name and module of an earlier node. */
function twins(nodes: readonly SchemaNode[]): readonly SchemaNode[] {
  const first = new Map<string, SchemaNode>();
  const alike: SchemaNode[] = [];
  for (const node of nodes) {
    if (first.has(node.name)) alike.push(node);
    else first.set(node.name, node);
  }
  // It is rare that several modules give siblings the same name, so only those nodes are compared.
  return alike.filter((node, at) =>
    [first.get(node.name), ...alike.slice(0, at)].some(
      (other) => other?.name === node.name && other.module === node.module,
    ),
  );
}

/** Checks the default case of a choice (RFC 7950 7.9.3). */
export function checkChoice(node: SchemaNode, names: Names): void {
  const written = propertyOf(node, 'default');
  if (!written) return;
  if (valueOf(node, 'mandatory') === 'true')
    throw new InvalidYang(
      written,
      'RFC 7950 7.9.3',
      `the choice "${node.name}" cannot be mandatory and have a default`,
    );
  const { local } = names.resolve(written, written.argument);
  const fallback = node.children.find(({ name }) => name === local);
  if (!fallback)
    throw new InvalidYang(written, 'RFC 7950 7.9.3', `the choice "${node.name}" has no case "${local}"`);
  const mandatory = fallback.children.find(isMandatory);
  if (mandatory)
    throw new InvalidYang(
      written,
      'RFC 7950 7.9.3',
      `the default case holds the mandatory node "${mandatory.name}"`,
    );
}
