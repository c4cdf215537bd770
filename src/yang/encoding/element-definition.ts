import type { DataChildren, DataDefinition } from '../document/data-definition.js';
import type { InstanceModel } from './instance-model.js';
import { isUndeclared, type XmlElement } from './xml-element.js';

/** Returns the definition of an element. One whose namespace is not declared is found by its name, if no other has the name. */
export function definitionOf(
  { namespace, name }: XmlElement,
  children: DataChildren,
  { moduleByNamespace }: InstanceModel,
): DataDefinition | undefined {
  const module = moduleByNamespace.get(namespace);
  const definition = module && children.byQualifiedName.get(`${module.name}:${name}`);
  return definition ?? (isUndeclared(namespace) ? onlyNamed(name, children) : undefined);
}

const BY_NAME = new WeakMap<DataChildren, ReadonlyMap<string, DataDefinition | undefined>>();

function onlyNamed(name: string, children: DataChildren): DataDefinition | undefined {
  let found = BY_NAME.get(children);
  if (!found) {
    const byName = new Map<string, DataDefinition | undefined>();
    for (const definition of children.list)
      byName.set(definition.node.name, byName.has(definition.node.name) ? undefined : definition);
    BY_NAME.set(children, (found = byName));
  }
  return children.byMember.get(name) ?? found.get(name);
}
