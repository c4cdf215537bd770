import { backtracksExponentially } from '../patterns/backtracking.js';
import { translatePattern } from '../patterns/translate-pattern.js';
import type { NodeDefinition } from '../tree/node-definition.js';
import {
  extensionsOf,
  keysOf,
  propertiesOf,
  type SchemaNode,
  uniquesOf,
  valueOf,
} from '../tree/schema-node.js';
import { valuesOfIdentityref } from '../types/value-check.js';
import { INTEGER_RANGES, type PatternRule, type YangType } from '../types/yang-type.js';
import { dataPath } from './data-path.js';

/** Fact that the schema cannot express, with the path of its node. */
export interface YangWarning {
  readonly path: string;
  readonly message: string;
}

/** Maximum number of listed warnings per module. A large module has tens of thousands of conditions. */
const WARNING_LIMIT = 1000;

/** Kinds of YANG rules that a schema cannot express. */
type WarningKind =
  | 'must'
  | 'when'
  | 'leafref'
  | 'instance-identifier'
  | 'identityref'
  | 'mandatory'
  | 'key'
  | 'unique'
  | 'pattern'
  | 'extension';

/** Warnings of a document, and the number of all warnings by kind. */
export interface Warnings {
  readonly warnings: readonly YangWarning[];
  readonly warningCounts: Readonly<Partial<Record<WarningKind, number>>>;
}

type Finding = readonly [kind: WarningKind, message: string];

/**
 * Returns a warning for each YANG rule that the schema cannot express, with the path of its node. Lists a limited
 * number of warnings, and counts all of them.
 */
export function warningsOf(
  nodes: readonly SchemaNode[],
  isIncluded: (node: SchemaNode) => boolean,
): Warnings {
  const finder = new Finder(isIncluded);
  const warnings: YangWarning[] = [];
  const counts = new Map<WarningKind, number>();
  const visit = (node: SchemaNode): void => {
    if (!isIncluded(node)) return;
    if (warnings.length >= WARNING_LIMIT) {
      for (const [kind, count] of finder.countsOf(node)) counts.set(kind, (counts.get(kind) ?? 0) + count);
      return;
    }
    const findings = finder.findingsOf(node);
    // The path is computed only if needed, because most nodes have no findings.
    const path = findings.length > 0 ? dataPath(node) : '';
    for (const [kind, message] of findings) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      if (warnings.length < WARNING_LIMIT) warnings.push({ path, message });
    }
    node.children.forEach(visit);
  };
  nodes.forEach(visit);
  const byCount = [...counts].sort(([, one], [, other]) => other - one);
  const total = byCount.reduce((sum, [, count]) => sum + count, 0);
  if (total > warnings.length) {
    const kinds = byCount.map(([kind, count]) => `${count} ${kind}`).join(', ');
    const message = `only the first ${WARNING_LIMIT} of ${total} warnings are listed: ${kinds}`;
    warnings.push({ path: '/', message });
  }
  return { warnings, warningCounts: Object.fromEntries(byCount) };
}

const NO_COUNTS: ReadonlyMap<WarningKind, number> = new Map();

const NO_FINDINGS: readonly Finding[] = [];

/** Finds the rules of nodes that the schema cannot express. Uses of a grouping share what was found. */
class Finder {
  readonly #ofDefinitions = new Map<NodeDefinition, readonly Finding[]>();
  readonly #ofTypes = new Map<YangType, readonly Finding[]>();
  /** Numbers of the findings of subtrees with children by kind, in the order of the kinds that were found. */
  readonly #counts = new Map<number, ReadonlyMap<WarningKind, number>>();
  readonly #isIncluded: (node: SchemaNode) => boolean;

  constructor(isIncluded: (node: SchemaNode) => boolean) {
    this.#isIncluded = isIncluded;
  }

  /** Returns the numbers of the findings of a node and the nodes below. Subtrees with the same number have the same. */
  countsOf(node: SchemaNode): ReadonlyMap<WarningKind, number> {
    const { subtree, children } = node;
    const known = subtree === undefined || children.length === 0 ? undefined : this.#counts.get(subtree);
    if (known) return known;
    const counts = this.#count(node);
    if (subtree !== undefined && children.length > 0) this.#counts.set(subtree, counts);
    return counts;
  }

  #count(node: SchemaNode): ReadonlyMap<WarningKind, number> {
    const findings = this.findingsOf(node);
    if (node.children.length === 0 && findings.length === 0) return NO_COUNTS;
    const counts = new Map<WarningKind, number>();
    for (const [kind] of findings) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    for (const child of node.children)
      if (this.#isIncluded(child))
        for (const [kind, count] of this.countsOf(child)) counts.set(kind, (counts.get(kind) ?? 0) + count);
    return counts.size > 0 ? counts : NO_COUNTS;
  }

  findingsOf(node: SchemaNode): readonly Finding[] {
    const { definition } = node;
    let findings = this.#ofDefinitions.get(definition);
    if (!findings) this.#ofDefinitions.set(definition, (findings = this.#definitionFindings(node)));
    return isMandatoryWithoutCases(node) ? [CASES_FINDING, ...findings] : findings;
  }

  #definitionFindings(node: SchemaNode): readonly Finding[] {
    const whens = whenFindings(node);
    const musts = mustFindings(node);
    const types = node.type ? this.#typeFindings(node.type) : NO_FINDINGS;
    const others = otherFindings(node);
    // Most nodes have no findings.
    if (whens.length + musts.length + types.length + others.length === 0) return NO_FINDINGS;
    return [...whens, ...musts, ...types, ...others];
  }

  #typeFindings(type: YangType): readonly Finding[] {
    let findings = this.#ofTypes.get(type);
    if (!findings) this.#ofTypes.set(type, (findings = typeFindings(type)));
    return findings;
  }
}

function whenFindings({ whens }: SchemaNode): readonly Finding[] {
  if (whens.length === 0) return NO_FINDINGS;
  return whens.map(({ statement: { argument } }) => [
    'when',
    `when "${argument}" is not enforced by the schema`,
  ]);
}

function mustFindings(node: SchemaNode): readonly Finding[] {
  const musts = propertiesOf(node, 'must');
  if (musts.length === 0) return NO_FINDINGS;
  return musts.map(({ argument }) => ['must', `must "${argument}" is not enforced by the schema`]);
}

/** Findings that depend on the other properties of a node. */
function otherFindings(node: SchemaNode): readonly Finding[] {
  const extensions = extensionsOf(node);
  if (node.kind !== 'list' && extensions.length === 0) return NO_FINDINGS;
  return [
    ...(node.kind === 'list' && keysOf(node).length > 0 ? [KEY_FINDING] : []),
    ...uniquesOf(node).map((paths): Finding => [
      'unique',
      `unique "${paths.join(' ')}" is enforced through x-yang.unique only`,
    ]),
    ...extensions.map(({ keyword }): Finding => [
      'extension',
      `the extension "${keyword}" is kept in x-yang.ext and means nothing to the schema`,
    ]),
  ];
}

function isMandatoryWithoutCases(node: SchemaNode): boolean {
  return node.kind === 'choice' && node.children.length === 0 && valueOf(node, 'mandatory') === 'true';
}

const CASES_FINDING: Finding = [
  'mandatory',
  'the choice is mandatory, but no given module adds a case to it, so it is not enforced; name the modules that add cases as deviations',
];

const KEY_FINDING: Finding = ['key', 'that keys are unique is enforced through x-yang.keys only'];

function typeFindings(type: YangType): readonly Finding[] {
  if (type.base in INTEGER_RANGES) return [];
  return [
    ...(type.base === 'leafref' && type.requireInstance !== false
      ? [
          [
            'leafref',
            `that the leafref's target "${type.path?.argument ?? ''}" exists is not enforced by the schema`,
          ] satisfies Finding,
        ]
      : []),
    ...(type.base === 'instance-identifier' && type.requireInstance !== false ? [INSTANCE_FINDING] : []),
    ...identityFindings(type),
    ...(type.patterns ?? []).flatMap(patternFindings),
    ...(type.members ?? []).flatMap(typeFindings),
  ];
}

const INSTANCE_FINDING: Finding = [
  'instance-identifier',
  'that the instance-identifier leads to data is not enforced by the schema',
];

function identityFindings(type: YangType): readonly Finding[] {
  if (type.base !== 'identityref' || valuesOfIdentityref(type).size > 0) return [];
  const bases = (type.bases ?? []).map(({ module, name }) => `"${module.name}:${name}"`).join(' and ');
  return [
    [
      'identityref',
      `no identity is derived from ${bases}, so no value is valid; give the modules that define such identities, or name them as deviations`,
    ],
  ];
}

function patternFindings({ statement, xsd }: PatternRule): readonly Finding[] {
  const { source, refused, hasPerlGroup, fault } = translatePattern(statement);
  // The warning about the fault names the pattern.
  if (fault) return [];
  const pattern = `the pattern ${shortPattern(xsd)}`;
  return [
    ...(hasPerlGroup ? [`${pattern} has a group "(?:", which XSD does not know; write "("`] : []),
    ...(refused === undefined
      ? []
      : [`${pattern} ${refused}; it is kept in x-yang-pattern and not enforced`]),
    ...(refused === undefined && backtracksExponentially(source)
      ? [
          `${pattern} can take exponential time in an engine that backtracks, such as that of JavaScript; gatehouse takes linear time`,
        ]
      : []),
  ].map((message) => ['pattern', message]);
}

/** Maximum length of a pattern in a warning, in characters. */
const MAX_PATTERN_LENGTH = 200;

function shortPattern(xsd: string): string {
  return JSON.stringify(xsd.length > MAX_PATTERN_LENGTH ? `${xsd.slice(0, MAX_PATTERN_LENGTH)}…` : xsd);
}
