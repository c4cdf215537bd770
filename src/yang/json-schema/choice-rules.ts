import { isHollow, type SchemaNode } from '../tree/schema-node.js';
import type { Schema } from './definitions.js';

/** Facts about nodes that the rules about members of one object need. */
export interface MemberRules {
  /** Returns true for a node that a document of this kind may contain. */
  included(node: SchemaNode): boolean;
  /** Returns true if the parent needs an instance of the node. */
  needed(node: SchemaNode): boolean;
  /** Returns the name of the node's member in JSON. */
  nameOf(node: SchemaNode): string;
}

/** Required members, and rules over several members; both may be empty. */
export interface ObjectRules {
  readonly required: readonly string[];
  readonly allOf: readonly Schema[];
}

/**
 * Returns the rules for the nodes of one object: mandatory nodes, and the choices among them (RFC 7950 7.9).
 */
export function objectRules(nodes: readonly SchemaNode[], rules: MemberRules): ObjectRules {
  const required: string[] = [];
  const allOf: Schema[] = [];
  for (const node of nodes.filter((one) => rules.included(one))) {
    if (node.kind === 'choice') allOf.push(...choiceRules(node, rules));
    else if (rules.needed(node)) required.push(rules.nameOf(node));
  }
  return { required, allOf };
}

function choiceRules(choice: SchemaNode, rules: MemberRules): readonly Schema[] {
  const cases = choice.children
    .map((one) => ({ members: membersOf(one, rules), inner: objectRules(one.children, rules) }))
    .filter(({ members }) => members.length > 0);
  const members = cases.flatMap((one) => one.members);
  const presences = cases.map((one) => presenceOf(one.members, rules));
  const needed = rules.needed(choice);
  const hollow = members.some((node) => isHollow(node));
  // Exactly one of the cases, or no case.
  const none = needed && !hollow ? [] : [noneOf(members, rules)];
  const one = cases.length > 1 ? [{ oneOf: [...presences, ...none] }] : [];
  // A hollow container selects its case, but does not satisfy a mandatory choice.
  const some =
    needed && (hollow || cases.length === 1) ? [{ anyOf: members.map((node) => filled(node, rules)) }] : [];
  return [...one, ...some, ...cases.flatMap((each) => caseRules(each, rules))];
}

/** Nodes of a case that appear in data, and the rules among them. */
interface CaseMembers {
  readonly members: readonly SchemaNode[];
  readonly inner: ObjectRules;
}

/** Returns the requirements of a case if any of its members is present. */
function caseRules({ members, inner }: CaseMembers, rules: MemberRules): readonly Schema[] {
  const required = members.length === 1 ? [] : inner.required;
  if (required.length === 0 && inner.allOf.length === 0) return [];
  const hollow = members.filter((node) => isHollow(node) && required.includes(rules.nameOf(node)));
  const then = {
    ...(required.length > 0 && { required }),
    ...(hollow.length > 0 && {
      properties: Object.fromEntries(hollow.map((node) => [rules.nameOf(node), { minProperties: 1 }])),
    }),
    ...(inner.allOf.length > 0 && { allOf: inner.allOf }),
  };
  return [{ if: { anyOf: members.map((node) => filled(node, rules)) }, then }];
}

/** Returns all nodes that become members: the node itself, or those of all its cases. */
function membersOf(node: SchemaNode, rules: MemberRules): readonly SchemaNode[] {
  if (!rules.included(node)) return [];
  return node.kind === 'choice' || node.kind === 'case'
    ? node.children.flatMap((child) => membersOf(child, rules))
    : [node];
}

function presenceOf(members: readonly SchemaNode[], rules: MemberRules): Schema {
  const parts = members.map((node) => present(node, rules));
  const [only] = parts;
  return parts.length === 1 && only ? only : { anyOf: parts };
}

/** Returns a schema that requires the member. A list without entries counts as absent. */
function present(node: SchemaNode, rules: MemberRules): Schema {
  const name = rules.nameOf(node);
  return hasEntries(node)
    ? { required: [name], properties: { [name]: { minItems: 1 } } }
    : { required: [name] };
}

function noneOf(members: readonly SchemaNode[], rules: MemberRules): Schema {
  const absent = members.map(
    (node) => [rules.nameOf(node), hasEntries(node) ? { maxItems: 0 } : false] as const,
  );
  return { properties: Object.fromEntries(absent) };
}

function hasEntries({ kind }: SchemaNode): boolean {
  return kind === 'list' || kind === 'leaf-list';
}

/**
 * Returns a schema that requires the member. A hollow container must also contain a node that is not hollow.
 */
function filled(node: SchemaNode, rules: MemberRules): Schema {
  if (!isHollow(node)) return present(node, rules);
  const name = rules.nameOf(node);
  const inner = node.children.flatMap((child) => membersOf(child, rules));
  const content = inner.some((child) => isHollow(child) || hasEntries(child))
    ? { anyOf: inner.map((child) => filled(child, rules)) }
    : { minProperties: 1 };
  return { required: [name], properties: { [name]: content } };
}
