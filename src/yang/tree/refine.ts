import { InvalidYang } from '../diagnostic.js';
import type { Statement } from '../syntax/statement.js';
import type { NodeKind, SchemaNode } from './schema-node.js';

/** Kinds of nodes that each property applies to (RFC 7950 7.13.2 and 7.20.3.2). */
const SAID_OF: Readonly<Record<string, readonly NodeKind[]>> = {
  default: ['leaf', 'leaf-list', 'choice'],
  mandatory: ['leaf', 'choice', 'anydata', 'anyxml'],
  presence: ['container'],
  must: ['container', 'list', 'leaf', 'leaf-list', 'anydata', 'anyxml', 'notification', 'input', 'output'],
  'min-elements': ['list', 'leaf-list'],
  'max-elements': ['list', 'leaf-list'],
  config: ['container', 'list', 'leaf', 'leaf-list', 'choice', 'anydata', 'anyxml'],
  unique: ['list'],
  units: ['leaf', 'leaf-list'],
  type: ['leaf', 'leaf-list'],
};

/** Refuses a property that a node of this kind cannot have. */
export function checkSaidOf(node: SchemaNode, property: Statement): void {
  const kinds = SAID_OF[property.keyword];
  if (kinds && !kinds.includes(node.kind))
    throw new InvalidYang(property, 'RFC 7950 7.13.2', `a ${node.kind} has no "${property.keyword}"`);
}

/** Properties that a node may have several times; refine adds to them. */
const SEVERAL = new Set(['must', 'if-feature']);

/** Changes a node according to a `refine` statement (RFC 7950 7.13.2). */
export function refine(node: SchemaNode, statement: Statement): void {
  for (const property of statement.children) checkSaidOf(node, property);
  const replaced = new Set(
    statement.children
      .map(({ keyword }) => keyword)
      .filter((keyword) => !SEVERAL.has(keyword) && !keyword.includes(':')),
  );
  node.properties = [
    ...node.properties.filter(({ keyword }) => !replaced.has(keyword)),
    ...statement.children,
  ];
}
