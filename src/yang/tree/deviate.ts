import { InvalidYang } from '../diagnostic.js';
import { childrenOf, type Statement } from '../syntax/statement.js';
import { checkSaidOf } from './refine.js';
import { propertyOf, type SchemaNode } from './schema-node.js';

/** Changes a node as a `deviation` statement says (RFC 7950 7.20.3). */
export function deviate(node: SchemaNode, deviation: Statement): void {
  for (const statement of childrenOf(deviation, 'deviate')) {
    for (const property of statement.children) checkSaidOf(node, property);
    if (statement.argument === 'not-supported') remove(node);
    else if (statement.argument === 'add') add(node, statement);
    else if (statement.argument === 'replace') replace(node, statement);
    else withdraw(node, statement);
  }
}

function remove(node: SchemaNode): void {
  const siblings = node.parent?.children ?? [];
  const at = siblings.indexOf(node);
  if (at >= 0) siblings.splice(at, 1);
}

const SEVERAL = new Set(['must', 'unique']);

function add(node: SchemaNode, statement: Statement): void {
  for (const property of statement.children) {
    const several =
      SEVERAL.has(property.keyword) || (property.keyword === 'default' && node.kind === 'leaf-list');
    if (!several && !property.keyword.includes(':') && propertyOf(node, property.keyword))
      throw broken(property, `"${node.name}" already has "${property.keyword}"; use deviate replace`);
  }
  // Many deviations of one node must not copy its properties each time.
  if (node.properties === node.statement.children) node.properties = [...node.properties];
  (node.properties as Statement[]).push(...statement.children);
}

function replace(node: SchemaNode, statement: Statement): void {
  for (const property of statement.children)
    if (!hasImplied(property.keyword) && !propertyOf(node, property.keyword))
      throw broken(property, `"${node.name}" has no "${property.keyword}" to replace`);
  const replaced = new Set(statement.children.map(({ keyword }) => keyword));
  node.properties = [
    ...node.properties.filter(({ keyword }) => !replaced.has(keyword)),
    ...statement.children,
  ];
}

/** Properties that every node has even when nothing is written, and extensions. */
function hasImplied(keyword: string): boolean {
  return keyword.includes(':') || ['config', 'mandatory', 'min-elements', 'max-elements'].includes(keyword);
}

function withdraw(node: SchemaNode, statement: Statement): void {
  for (const property of statement.children) {
    const found = node.properties.find(
      ({ keyword, argument }) => keyword === property.keyword && argument === property.argument,
    );
    if (found) node.properties = node.properties.filter((one) => one !== found);
    else if (!property.keyword.includes(':'))
      throw broken(property, `"${node.name}" has no ${property.keyword} "${property.argument}" to delete`);
  }
}

function broken(at: Statement, what: string): InvalidYang {
  return new InvalidYang(at, 'RFC 7950 7.20.3.2', what);
}
