import { objectOfEntries } from '../object-of-entries.js';
import { isNonPresenceContainer, type SchemaNode } from '../tree/schema-node.js';
import type { Schema } from './definitions.js';

/** Properties of nodes on which the rules for the members of an object depend. */
export interface MemberRules {
  /** Returns true if the document may contain the node. */
  readonly isIncluded: (node: SchemaNode) => boolean;
  /** Returns true if the parent needs an instance of the node. */
  readonly isNeeded: (node: SchemaNode) => boolean;
  /** Returns the name of the node's member in JSON. */
  nameOf(node: SchemaNode): string;
}

/** Required members of an object, and schemas that relate several members. Both may be empty. */
interface ObjectRules {
  readonly required: readonly string[];
  readonly allOf: readonly Schema[];
}

/**
 * Returns the rules for the members of an object: mandatory nodes are required, and at most one case of each
 * choice is present (RFC 7950 7.9).
 */
export function objectRules(nodes: readonly SchemaNode[], rules: MemberRules): ObjectRules {
  const required: string[] = [];
  const allOf: Schema[] = [];
  for (const node of nodes) {
    if (!rules.isIncluded(node)) continue;
    if (node.kind === 'choice') allOf.push(...choiceRules(node, rules));
    else if (rules.isNeeded(node)) required.push(rules.nameOf(node));
  }
  return { required, allOf };
}

/** Returns the rules of a choice for the members of an object. */
export function choiceRules(choice: SchemaNode, rules: MemberRules): readonly Schema[] {
  const cases = casesOf(choice, rules);
  const members = cases.flatMap((branch) => branch.members);
  const casePresences = cases.map((branch) => anyPresent(branch.members, rules));
  const isMandatory = rules.isNeeded(choice);
  const nonPresenceContainers = members.some((node) => isNonPresenceContainer(node));
  // Exactly one case, or no case if the choice is not mandatory.
  const noCase = isMandatory && !nonPresenceContainers ? [] : [allAbsent(members, rules)];
  const presenceRule = cases.length > 1 ? [{ oneOf: [...casePresences, ...noCase] }] : [];
  const contentRule =
    isMandatory && (nonPresenceContainers || cases.length === 1) ? [contentOf(members, rules)] : [];
  return [...presenceRule, ...contentRule, ...cases.flatMap((branch) => caseRules(branch, rules))];
}

/**
 * Returns a schema that requires content of a case: a non-presence container selects its case, but an empty one does
 * not satisfy a mandatory choice.
 */
export function contentOf(members: readonly SchemaNode[], rules: MemberRules): Schema {
  return { anyOf: members.map((node) => requireContent(node, rules)) };
}

/** Returns the cases of a choice that have data nodes. */
export function casesOf(choice: SchemaNode, rules: MemberRules): readonly CaseMembers[] {
  return choice.children
    .map((branch) => ({
      branch,
      members: dataMembersOf(branch, rules),
      inner: objectRules(branch.children, rules),
    }))
    .filter(({ members }) => members.length > 0);
}

/** Data nodes of a case, and the rules for these nodes. */
export interface CaseMembers {
  readonly branch: SchemaNode;
  readonly members: readonly SchemaNode[];
  readonly inner: ObjectRules;
}

/** Returns the rules of a case, which apply if any of its members is present. */
export function caseRules({ members, inner }: CaseMembers, rules: MemberRules): readonly Schema[] {
  const required = members.length === 1 ? [] : inner.required;
  if (required.length === 0 && inner.allOf.length === 0) return [];
  const containers = new Set(members.filter(isNonPresenceContainer).map((node) => rules.nameOf(node)));
  const content = required.map((name) => [name, containers.has(name) ? NOT_EMPTY : {}] as const);
  const then = {
    ...(required.length > 0 && requireMembers(content)),
    ...(inner.allOf.length > 0 && { allOf: inner.allOf }),
  };
  return [{ if: { anyOf: members.map((node) => requireContent(node, rules)) }, then }];
}

/** Returns the data nodes of a node: the node itself, or the data nodes of a choice or case. */
function dataMembersOf(node: SchemaNode, rules: MemberRules): readonly SchemaNode[] {
  if (!rules.isIncluded(node)) return [];
  return node.kind === 'choice' || node.kind === 'case'
    ? node.children.flatMap((child) => dataMembersOf(child, rules))
    : [node];
}

export function anyPresent(members: readonly SchemaNode[], rules: MemberRules): Schema {
  const parts = members.map((node) => requirePresent(node, rules));
  const [only] = parts;
  return parts.length === 1 && only ? only : { anyOf: parts };
}

const NOT_EMPTY = { type: 'object', minProperties: 1 };
const EMPTY_ARRAY = { type: 'array', maxItems: 0 };

/**
 * Returns the keywords that require members in a rule. Ajv's strict mode wants each required member among the `properties`
 * of the same schema, and a type beside each keyword of arrays and objects.
 */
export function requireMembers(members: readonly (readonly [name: string, schema: Schema])[]): Schema {
  return { required: members.map(([name]) => name), properties: objectOfEntries(members) };
}

/** Returns a schema that requires a member. An empty list counts as absent. */
function requirePresent(node: SchemaNode, rules: MemberRules): Schema {
  const name = rules.nameOf(node);
  // A value of another type counts as present, so that a branch without the node refuses it.
  return requireMembers([[name, isArrayNode(node) ? { not: EMPTY_ARRAY } : {}]]);
}

export function allAbsent(members: readonly SchemaNode[], rules: MemberRules): Schema {
  const absent = members.map(
    (node) => [rules.nameOf(node), isArrayNode(node) ? EMPTY_ARRAY : false] as const,
  );
  return { properties: Object.fromEntries(absent) };
}

export function isArrayNode({ kind }: SchemaNode): boolean {
  return kind === 'list' || kind === 'leaf-list';
}

/**
 * Returns a schema that requires a member. A non-presence container must also contain a node of another kind,
 * at any depth.
 */
function requireContent(node: SchemaNode, rules: MemberRules): Schema {
  if (!isNonPresenceContainer(node)) return requirePresent(node, rules);
  const name = rules.nameOf(node);
  const inner = node.children.flatMap((child) => dataMembersOf(child, rules));
  const content = inner.some((child) => isNonPresenceContainer(child) || isArrayNode(child))
    ? { type: 'object', anyOf: inner.map((child) => requireContent(child, rules)) }
    : NOT_EMPTY;
  return requireMembers([[name, content]]);
}
