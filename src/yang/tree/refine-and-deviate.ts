import { InvalidYang } from '../diagnostic.js';
import { childrenOf, type Statement } from '../syntax/statement.js';
import { keywordBits } from './keyword-bits.js';
import {
  changedDefinition,
  derivedDefinition,
  type NodeDefinition,
  type NodeKind,
} from './node-definition.js';
import { propertyOf, type SchemaNode } from './schema-node.js';

/** Kinds of nodes that can have each property (RFC 7950 7.13.2 and 7.20.3.2). */
const KINDS_BY_PROPERTY: Readonly<Record<string, readonly NodeKind[]>> = {
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

/** Throws InvalidYang for a property that a node of this kind cannot have. */
function checkPropertyKind(node: SchemaNode, property: Statement): void {
  const kinds = KINDS_BY_PROPERTY[property.keyword];
  if (kinds && !kinds.includes(node.kind))
    throw new InvalidYang(property, 'RFC 7950 7.13.2', `a ${node.kind} has no "${property.keyword}"`);
}

/** Properties that a node may have several times. A refine statement adds to them; it replaces all others. */
const REPEATABLE_IN_REFINE = new Set(['must', 'if-feature']);

/** Changes a node according to a `refine` statement (RFC 7950 7.13.2). */
export function refine(node: SchemaNode, statement: Statement): void {
  for (const property of statement.children) checkPropertyKind(node, property);
  const replaced = new Set(
    statement.children
      .map(({ keyword }) => keyword)
      .filter((keyword) => !REPEATABLE_IN_REFINE.has(keyword) && !keyword.includes(':')),
  );
  node.definition = derivedDefinition(node.definition, statement, () => ({
    properties: [...node.properties.filter(({ keyword }) => !replaced.has(keyword)), ...statement.children],
  }));
}

/** Changes a node according to a `deviation` statement (RFC 7950 7.20.3). */
export function deviate(node: SchemaNode, deviation: Statement): void {
  for (const statement of childrenOf(deviation, 'deviate')) {
    for (const property of statement.children) checkPropertyKind(node, property);
    if (statement.argument === 'not-supported') removeNode(node);
    else if (statement.argument === 'add') addProperties(node, statement);
    else if (statement.argument === 'replace') replaceProperties(node, statement);
    else deleteProperties(node, statement);
  }
}

/** Returns true for a `deviation` of a node that is not supported, which changes nothing else. */
export function removesNode(deviation: Statement): boolean {
  return deviation.children.some(
    ({ keyword, argument }) => keyword === 'deviate' && argument === 'not-supported',
  );
}

/** Definitions that a deviation made for one node. */
const deviated = new WeakSet<NodeDefinition>();

/** Sets the properties of one node, which may share its definition with other nodes. */
function setProperties(node: SchemaNode, properties: readonly Statement[]): void {
  node.definition = changedDefinition(node.definition, { properties });
  deviated.add(node.definition);
}

function removeNode(node: SchemaNode): void {
  const siblings = node.parent?.children ?? [];
  const at = siblings.indexOf(node);
  if (at >= 0) siblings.splice(at, 1);
}

const REPEATABLE_IN_DEVIATION = new Set(['must', 'unique']);

function addProperties(node: SchemaNode, statement: Statement): void {
  for (const property of statement.children) {
    const isRepeatable =
      REPEATABLE_IN_DEVIATION.has(property.keyword) ||
      (property.keyword === 'default' && node.kind === 'leaf-list');
    if (!isRepeatable && !property.keyword.includes(':') && propertyOf(node, property.keyword))
      throw invalidDeviation(
        property,
        `"${node.name}" already has "${property.keyword}"; use deviate replace`,
      );
  }
  // Copied only once, so that the cost of many deviations of a node does not multiply.
  if (!deviated.has(node.definition)) setProperties(node, [...node.properties]);
  (node.properties as Statement[]).push(...statement.children);
  node.definition.keywords |= keywordBits(statement.children);
}

function replaceProperties(node: SchemaNode, statement: Statement): void {
  for (const property of statement.children)
    if (!hasImplicitValue(property.keyword) && !propertyOf(node, property.keyword))
      throw invalidDeviation(property, `"${node.name}" has no "${property.keyword}" to replace`);
  const replaced = new Set(statement.children.map(({ keyword }) => keyword));
  setProperties(node, [
    ...node.properties.filter(({ keyword }) => !replaced.has(keyword)),
    ...statement.children,
  ]);
}

/**
 * Returns true for extensions and for properties with an implicit value, which `deviate replace` can always
 * set.
 */
function hasImplicitValue(keyword: string): boolean {
  return keyword.includes(':') || ['config', 'mandatory', 'min-elements', 'max-elements'].includes(keyword);
}

function deleteProperties(node: SchemaNode, statement: Statement): void {
  for (const property of statement.children) {
    const found = node.properties.find(
      ({ keyword, argument }) => keyword === property.keyword && argument === property.argument,
    );
    if (found)
      setProperties(
        node,
        node.properties.filter((candidate) => candidate !== found),
      );
    else if (!property.keyword.includes(':'))
      throw invalidDeviation(
        property,
        `"${node.name}" has no ${property.keyword} "${property.argument}" to delete`,
      );
  }
}

function invalidDeviation(at: Statement, message: string): InvalidYang {
  return new InvalidYang(at, 'RFC 7950 7.20.3.2', message);
}
