import { type JsonObject, objectOf } from '../../../../../src/json/json-object.js';
import { objectsOf, textsOf } from './keywords.js';
import type { SchemaPart } from './schema-document.js';

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
