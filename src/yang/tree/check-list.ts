import { InvalidYang } from '../diagnostic.js';
import type { Linker } from './linker.js';
import { dataChildren, propertiesOf, propertyOf, type SchemaNode, valueOf } from './schema-node.js';
import { findSchemaNode, stepsIn } from './schema-path.js';

/** Returns the names of a list's keys, in order. */
export function keysOf(node: SchemaNode): readonly string[] {
  return words(valueOf(node, 'key') ?? '').map((name) => name.replace(/^.*:/, ''));
}

/** Returns the paths that each `unique` of a list names. */
export function uniquesOf(node: SchemaNode): readonly (readonly string[])[] {
  return propertiesOf(node, 'unique').map(({ argument }) => words(argument));
}

/** Checks the keys of a list and the leaves that must be unique (RFC 7950 7.8.2 and 7.8.3). */
export function checkList(node: SchemaNode, linker: Linker): void {
  checkKeys(node, linker);
  for (const unique of propertiesOf(node, 'unique'))
    linker.faults.catching(() => {
      for (const path of words(unique.argument)) {
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

function words(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
