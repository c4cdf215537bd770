import { isJsonObject, type JsonObject, objectOf } from '../../../../../src/json/json-object.js';
import { isMembers, type Json, jsonFrom, sameJson } from '../json/json.js';
import { keyword, textsOf } from './keywords.js';
import { below, declaredNames, isDeclared, memberParts } from './members.js';
import type { SchemaDocument, SchemaPart } from './schema-document.js';

/** Maximum number of schemas that conditions add. Only a schema that refers to itself exceeds it. */
const MAX_ADDED_PARTS = 50;

/**
 * Returns the schemas that conditions add for a value: `then` or `else`, and the schemas that depend on the
 * members of the value; and the values of the members that select among the dependent schemas.
 */
export function conditionalParts(
  document: SchemaDocument,
  parts: readonly SchemaPart[],
  value: Json | undefined,
): SelectedParts {
  const added: SchemaPart[] = [];
  const choices = new Map<string, readonly Json[]>();
  const pending = parts.filter(isConditional);
  for (let part = pending.shift(); part && added.length < MAX_ADDED_PARTS; part = pending.shift()) {
    const dependent = dependentParts(document, part, { known: [...parts, ...added], value });
    const found = [...branchParts(document, part, value), ...dependent.flatMap((one) => one.parts)];
    for (const [name, values] of dependent.flatMap((one) => [...one.choices])) choices.set(name, values);
    added.push(...found);
    pending.push(...found.filter(isConditional));
  }
  return { parts: added, choices };
}

const CONDITION_KEYWORDS = ['if', 'dependentSchemas', 'dependentRequired', 'dependencies'] as const;

export function isConditional({ schema }: SchemaPart): boolean {
  return CONDITION_KEYWORDS.some((name) => schema[name] !== undefined);
}

/** Returns the branch of `if` that applies. An absent value is tested as an empty object. */
function branchParts(document: SchemaDocument, part: SchemaPart, value: Json = {}): readonly SchemaPart[] {
  const { schema, pointer } = part;
  const condition = schema['if'];
  if (typeof condition !== 'boolean' && !isJsonObject(condition)) return [];
  const holds =
    typeof condition === 'boolean'
      ? condition
      : document.test({ ...part, schema: condition, pointer: `${pointer}/if` }, value);
  const name = holds === true ? 'then' : 'else';
  return holds === undefined || schema[name] === undefined
    ? []
    : below(document, part, { schema: schema[name], tokens: [name] });
}

/** Returns the schemas of each dependency. Members that the value lacks add none, but may have choices. */
function dependentParts(
  document: SchemaDocument,
  part: SchemaPart,
  { known, value }: { readonly known: readonly SchemaPart[]; readonly value: Json | undefined },
): readonly SelectedParts[] {
  return CONDITION_KEYWORDS.slice(1).flatMap((keyword) =>
    Object.entries(objectOf(part.schema[keyword])).flatMap(([name, dependency]): readonly SelectedParts[] => {
      const isPresent = isMembers(value) && Object.hasOwn(value, name);
      const required = textsOf(dependency);
      if (required.length > 0) {
        const pointer = `${part.pointer}/${keyword}/${name}`;
        return isPresent
          ? [{ parts: [{ ...part, schema: { required }, pointer }], choices: NO_CHOICES }]
          : [];
      }
      if (!isPresent && !hasUnion(dependency)) return [];
      const parts = below(document, part, { schema: dependency, tokens: [keyword, name] });
      const selected = selectBranches(document, parts, { known, preferred: name, value });
      return [isPresent ? selected : { parts: [], choices: selected.choices }];
    }),
  );
}

const NO_CHOICES: SelectedParts['choices'] = new Map();

/** Returns true if a dependency may have alternatives. */
function hasUnion(dependency: unknown): boolean {
  return isJsonObject(dependency) && ['oneOf', 'anyOf', 'allOf', '$ref'].some((name) => name in dependency);
}

export const UNION_KEYWORDS = ['oneOf', 'anyOf'] as const;

/** Schemas after their unions were resolved by the values of members. */
interface SelectedParts {
  readonly parts: readonly SchemaPart[];
  /** Values of all branches, by the name of the member that selects a branch. */
  readonly choices: ReadonlyMap<string, readonly Json[]>;
}

interface Selection {
  /** Schemas that declare the members that may select a branch. */
  readonly known: readonly SchemaPart[];
  /** Name of the member that the schemas depend on: it is tried first. */
  readonly preferred: string;
  readonly value: Json | undefined;
}

/**
 * Resolves the unions in schemas that depend on a member. A union whose branches differ by `enum` or `const` of one
 * declared member is resolved by the value of that member: the branch with the value applies, and the rules of the
 * branch for the member itself are dropped, so that the other values stay available.
 */
function selectBranches(
  document: SchemaDocument,
  parts: readonly SchemaPart[],
  selection: Selection,
): SelectedParts {
  const selected: SchemaPart[] = [];
  const choices = new Map<string, readonly Json[]>();
  for (const part of parts) {
    let { schema } = part;
    const branchParts: SchemaPart[] = [];
    for (const union of unionsOf(document, part, { ...selection, known: [...selection.known, ...parts] })) {
      schema = { ...schema, [union.keyword]: undefined };
      if (!choices.has(union.member))
        choices.set(
          union.member,
          union.branches.flatMap(({ values }) => values),
        );
      const branch = branchFor(union, selection.value);
      if (!branch) continue;
      const known = [...selection.known, ...parts, ...branch];
      const inner = selectBranches(document, branch, { ...selection, known });
      branchParts.push(...inner.parts);
      addChoices(choices, inner.choices);
    }
    selected.push({ ...part, schema }, ...branchParts);
  }
  return { parts: selected, choices };
}

/** Adds the choices of other members; the first choices of a member stay. */
function addChoices(choices: Map<string, readonly Json[]>, others: SelectedParts['choices']): void {
  for (const [name, values] of others) if (!choices.has(name)) choices.set(name, values);
}

/** A union that the value of a member resolves. */
interface SelectedUnion {
  readonly keyword: string;
  readonly member: string;
  readonly branches: readonly Branch[];
}

interface Branch {
  readonly values: readonly Json[];
  readonly parts: readonly SchemaPart[];
}

function unionsOf(
  document: SchemaDocument,
  part: SchemaPart,
  { known, preferred }: Selection,
): readonly SelectedUnion[] {
  return UNION_KEYWORDS.flatMap((keyword): readonly SelectedUnion[] => {
    const written = part.schema[keyword];
    if (!Array.isArray(written) || written.length < 2) return [];
    const parts = written.map((schema, at) => below(document, part, { schema, tokens: [keyword, at] }));
    const names = declaredNames(parts[0] ?? []).filter((name) => isDeclared(known, name));
    const ordered = [...names].sort((a, b) => Number(b === preferred) - Number(a === preferred));
    for (const member of ordered) {
      const branches = parts.map((one) => ({ parts: one, values: fixedValues(document, one, member) }));
      if (areApart(branches)) return [{ keyword, member, branches }];
    }
    return [];
  });
}

/** Returns the values that a schema allows for a member by `const` or `enum`; none if it allows others. */
function fixedValues(document: SchemaDocument, parts: readonly SchemaPart[], name: string): readonly Json[] {
  const member = memberParts(document, parts, name);
  const constant = keyword(member, 'const');
  if (constant !== undefined) return [jsonFrom(constant)];
  const values = keyword(member, 'enum');
  return Array.isArray(values) ? values.map(jsonFrom) : [];
}

/** Returns true if each branch has values, and no value belongs to two branches. */
function areApart(branches: readonly Branch[]): boolean {
  const values = branches.flatMap((branch) => branch.values);
  const isDistinct = values.every((value, at) => !values.slice(0, at).some((one) => sameJson(one, value)));
  return isDistinct && branches.every((branch) => branch.values.length > 0);
}

/** Returns the schemas of the branch that a value selects, without its rules for the selecting member. */
function branchFor({ member, branches }: SelectedUnion, value: Json | undefined): SchemaPart[] | undefined {
  if (!isMembers(value) || !Object.hasOwn(value, member)) return undefined;
  const own = value[member];
  const branch = branches.find(({ values }) => values.some((one) => sameJson(one, own)));
  return branch?.parts.map((part) => withoutMember(part, member));
}

function withoutMember(part: SchemaPart, name: string): SchemaPart {
  const { properties } = part.schema;
  if (!isJsonObject(properties)) return part;
  const others: JsonObject = Object.fromEntries(
    Object.entries(objectOf(properties)).filter(([member]) => member !== name),
  );
  return { ...part, schema: { ...part.schema, properties: others } };
}
