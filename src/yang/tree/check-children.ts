import { InvalidYang, type FaultList } from '../diagnostic.js';
import type { Names } from '../modules/names.js';
import { isMandatory } from './mandatory.js';
import { dataChildren, propertyOf, type SchemaNode, valueOf } from './schema-node.js';

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
