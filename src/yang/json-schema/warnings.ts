import { mainUnit, type YangModule } from '../modules/yang-module.js';
import { translatePattern } from '../patterns/translate-pattern.js';
import { keysOf, propertiesOf, type SchemaNode, uniquesOf } from '../tree/schema-node.js';
import { INTEGER_RANGES, type YangType } from '../types/yang-type.js';
import { dataPath } from './data-path.js';

/** Maximum number of warnings per module. A model of 100,000 nodes has as many conditions. */
const WARNING_LIMIT = 1000;

/** Returns warnings for everything that the schema cannot express, each with the path of its node. */
export function warningsOf(
  nodes: readonly SchemaNode[],
  included: (node: SchemaNode) => boolean,
): readonly YangWarning[] {
  const warnings: YangWarning[] = [];
  const visit = (node: SchemaNode): void => {
    if (warnings.length >= WARNING_LIMIT || !included(node)) return;
    const messages = messagesOf(node);
    // The path is only computed if needed: most nodes have no messages, and a path is long.
    const path = messages.length > 0 ? dataPath(node) : '';
    for (const message of messages) warnings.push({ path, message });
    node.children.forEach(visit);
  };
  nodes.forEach(visit);
  if (warnings.length < WARNING_LIMIT) return warnings;
  return [
    ...warnings.slice(0, WARNING_LIMIT),
    { path: '/', message: `only the first ${WARNING_LIMIT} warnings are listed` },
  ];
}

/** Returns warnings for revisions of a module that are written twice. */
export function revisionWarnings(module: YangModule): readonly YangWarning[] {
  const dates = mainUnit(module)
    .root.children.filter(({ keyword }) => keyword === 'revision')
    .map(({ argument }) => argument);
  const twice = new Set(dates.filter((date, at) => dates.indexOf(date) < at));
  return [...twice].map((date) => ({ path: '/', message: `the revision ${date} is written twice` }));
}

function messagesOf(node: SchemaNode): readonly string[] {
  // Most nodes are leaves without properties and conditions, and a model has tens of thousands.
  if (node.kind === 'leaf' && node.properties.length === 0 && node.whens.length === 0)
    return node.type ? typeMessages(node.type) : [];
  return [
    ...node.whens.map(({ statement }) => `when "${statement.argument}" is not enforced by the schema`),
    ...propertiesOf(node, 'must').map(({ argument }) => `must "${argument}" is not enforced by the schema`),
    ...(node.type ? typeMessages(node.type) : []),
    ...(node.kind === 'list' && keysOf(node).length > 0
      ? ['that keys are unique is enforced through x-yang.keys only']
      : []),
    ...uniquesOf(node).map((paths) => `unique "${paths.join(' ')}" is enforced through x-yang.unique only`),
    ...node.properties
      .filter(({ keyword }) => keyword.includes(':'))
      .map(
        ({ keyword }) => `the extension "${keyword}" is kept in x-yang.ext and means nothing to the schema`,
      ),
  ];
}

function typeMessages(type: YangType): readonly string[] {
  if (type.base in INTEGER_RANGES) return [];
  const looking = (type.patterns ?? []).filter(({ statement }) => translatePattern(statement).looksAround);
  return [
    ...(type.base === 'leafref' && type.requireInstance !== false
      ? [`that the leafref's target "${type.path?.argument ?? ''}" exists is not enforced by the schema`]
      : []),
    ...(type.base === 'instance-identifier' && type.requireInstance !== false
      ? ['that the instance-identifier leads to data is not enforced by the schema']
      : []),
    ...looking.map(({ xsd }) => `the pattern ${JSON.stringify(xsd)} looks around, which RE2 does not know`),
    ...(type.members ?? []).flatMap(typeMessages),
  ];
}

/** Fact that the schema cannot express, with the path of its node. */
export interface YangWarning {
  readonly path: string;
  readonly message: string;
}
