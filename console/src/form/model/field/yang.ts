import { isJsonObject, type JsonObject, objectOf } from '../../../../../src/json/json-object.js';
import { objectsOf, textsOf } from './keywords.js';
import type { SchemaPart } from './schema-document.js';

/**
 * YANG statements beyond the shape of the data: `x-yang` of gatehouse's compiler, or single `x-yang-*`
 * keywords of others.
 */
export interface YangFacts {
  /** All statements, unchanged. */
  readonly all: JsonObject;
  readonly type: string | undefined;
  readonly units: string | undefined;
  readonly keys: readonly string[];
  readonly orderedByUser: boolean;
  readonly presence: boolean;
  readonly mandatory: boolean;
  /** Path to the leaf whose values are allowed. */
  readonly leafref: string | undefined;
  readonly when: readonly YangRule[];
  readonly must: readonly YangRule[];
  readonly module: string | undefined;
}

/** A condition in XPath. */
export interface YangRule {
  readonly xpath: string;
  readonly message?: string;
  /** True if the condition applies to the parent. */
  readonly fromParent: boolean;
}

const KEYWORD_PREFIX = 'x-yang-';

/** Returns the YANG facts of some schemas; the first schema with a fact takes precedence. */
export function yangFacts(parts: readonly SchemaPart[]): YangFacts {
  const all = statementsOf(parts);
  const leafref = all['leafref'];
  return {
    all,
    type: text(all['type']),
    units: text(all['units']),
    keys: textsOf(all['keys'] ?? all['key']),
    orderedByUser: all['ordered-by'] === 'user',
    presence: all['presence'] !== undefined && all['presence'] !== false,
    mandatory: all['mandatory'] === true,
    leafref: text(isJsonObject(leafref) ? leafref['path'] : leafref),
    when: rulesFrom(all['when']),
    must: rulesFrom(all['must']),
    module: text(all['module']) ?? text(all['mod']),
  };
}

function statementsOf(parts: readonly SchemaPart[]): JsonObject {
  const all: Record<string, unknown> = {};
  for (const { schema } of parts.toReversed()) {
    for (const name of Object.keys(schema))
      if (name.startsWith(KEYWORD_PREFIX)) all[name.slice(KEYWORD_PREFIX.length)] = schema[name];
    if (typeof schema['x-mod'] === 'string') all['module'] = schema['x-mod'];
    Object.assign(all, objectOf(schema['x-yang']));
  }
  return all;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function rulesFrom(value: unknown): readonly YangRule[] {
  if (typeof value === 'string') return [{ xpath: value, fromParent: false }];
  const texts = textsOf(value).map((xpath) => ({ xpath, fromParent: false }));
  const objects = objectsOf(value).flatMap(({ xpath, message, from }) =>
    typeof xpath === 'string'
      ? [{ xpath, ...(typeof message === 'string' && { message }), fromParent: from === 'parent' }]
      : [],
  );
  return [...texts, ...objects];
}

/** A choice among groups of members (RFC 7950 7.9). */
export interface Choice {
  readonly name: string;
  readonly mandatory: boolean;
  /** Name of the default case. */
  readonly defaultCase: string | undefined;
  readonly cases: readonly ChoiceCase[];
}

/** One group of members, including the members of nested choices. */
interface ChoiceCase {
  readonly name: string;
  readonly members: readonly string[];
  readonly choices: readonly Choice[];
}

/**
 * Returns the choices among the members of a container: from its `ui:choices`, otherwise from `x-yang-choice`
 * of the members.
 */
export function choicesOf(uiChoices: unknown, parts: readonly SchemaPart[]): readonly Choice[] {
  const uiChoice = objectsOf(uiChoices);
  return uiChoice.length > 0 ? uiChoice.map(readChoice) : yangChoices(parts);
}

/** Returns all members of a choice. */
export function choiceMembers({ cases }: Choice): readonly string[] {
  return cases.flatMap(({ members }) => members);
}

function readChoice(uiChoice: JsonObject): Choice {
  const { name, mandatory, default: defaultCase, cases } = uiChoice;
  return {
    name: nameOf(name),
    mandatory: mandatory === true,
    defaultCase: typeof defaultCase === 'string' ? defaultCase : undefined,
    cases: objectsOf(cases).map((uiCase) => ({
      name: nameOf(uiCase['name']),
      members: textsOf(uiCase['members']),
      choices: objectsOf(uiCase['choices']).map(readChoice),
    })),
  };
}

function nameOf(name: unknown): string {
  return typeof name === 'string' ? name : '';
}

function yangChoices(parts: readonly SchemaPart[]): readonly Choice[] {
  const choices = new Map<string, Map<string, string[]>>();
  for (const { schema } of parts)
    for (const [name, member] of Object.entries(objectOf(schema['properties'])))
      addYangCase(choices, name, objectOf(member));
  return [...choices].map(([name, cases]) => ({
    name,
    mandatory: false,
    defaultCase: undefined,
    cases: [...cases].map(([group, members]) => ({ name: group, members, choices: [] })),
  }));
}

function addYangCase(choices: Map<string, Map<string, string[]>>, name: string, member: JsonObject): void {
  const { 'x-yang-choice': choice, 'x-yang-case': group = name } = member;
  if (typeof choice !== 'string' || typeof group !== 'string') return;
  const cases = choices.get(choice) ?? new Map<string, string[]>();
  choices.set(choice, cases);
  cases.set(group, [...(cases.get(group) ?? []), name]);
}
