import { formatYangFault, type YangFault } from '../diagnostic.js';
import { mainUnit, type YangModule } from '../modules/yang-module.js';
import { translatePattern } from '../patterns/translate-pattern.js';
import { keysOf, propertiesOf, type SchemaNode, uniquesOf } from '../tree/schema-node.js';
import { INTEGER_RANGES, type YangType } from '../types/yang-type.js';
import { dataPath } from './data-path.js';

/** Fact that the schema cannot express, with the path of its node. */
export interface YangWarning {
  readonly path: string;
  readonly message: string;
}

/** Maximum number of warnings per module. A large module has tens of thousands of conditions. */
const WARNING_LIMIT = 1000;

/** Returns a warning for each YANG rule that the schema cannot express, with the path of its node. */
export function warningsOf(
  nodes: readonly SchemaNode[],
  isIncluded: (node: SchemaNode) => boolean,
): readonly YangWarning[] {
  const warnings: YangWarning[] = [];
  const visit = (node: SchemaNode): void => {
    if (warnings.length >= WARNING_LIMIT || !isIncluded(node)) return;
    const messages = warningMessagesOf(node);
    // The path is computed only if needed, because most nodes have no messages.
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

/** Returns the warning for a fault that a lenient compilation tolerates. */
export function toleratedWarning(fault: YangFault): YangWarning {
  return { path: '/', message: `tolerated: ${formatYangFault(fault)}` };
}

/** Returns a warning for each revision date that a module has more than once. */
export function revisionWarnings(module: YangModule): readonly YangWarning[] {
  const dates = mainUnit(module)
    .root.children.filter(({ keyword }) => keyword === 'revision')
    .map(({ argument }) => argument);
  const duplicates = new Set(dates.filter((date, at) => dates.indexOf(date) < at));
  return [...duplicates].map((date) => ({ path: '/', message: `the revision ${date} is written twice` }));
}

function warningMessagesOf(node: SchemaNode): readonly string[] {
  // Fast path: most nodes are leaves without properties and conditions.
  if (node.kind === 'leaf' && node.properties.length === 0 && node.whens.length === 0)
    return node.type ? typeWarningMessages(node.type) : [];
  return [
    ...node.whens.map(({ statement }) => `when "${statement.argument}" is not enforced by the schema`),
    ...propertiesOf(node, 'must').map(({ argument }) => `must "${argument}" is not enforced by the schema`),
    ...(node.type ? typeWarningMessages(node.type) : []),
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

function typeWarningMessages(type: YangType): readonly string[] {
  if (type.base in INTEGER_RANGES) return [];
  const lookAroundPatterns = (type.patterns ?? []).filter(
    ({ statement }) => translatePattern(statement).looksAround,
  );
  return [
    ...(type.base === 'leafref' && type.requireInstance !== false
      ? [`that the leafref's target "${type.path?.argument ?? ''}" exists is not enforced by the schema`]
      : []),
    ...(type.base === 'instance-identifier' && type.requireInstance !== false
      ? ['that the instance-identifier leads to data is not enforced by the schema']
      : []),
    ...lookAroundPatterns.map(
      ({ xsd }) => `the pattern ${JSON.stringify(xsd)} looks around, which RE2 does not know`,
    ),
    ...(type.members ?? []).flatMap(typeWarningMessages),
  ];
}
