import { isJsonObject, type JsonObject } from '../../../src/json/json-object.js';
import { objectAt, textsAt } from './json-edit.js';

/** Tests of a field that the designer can edit. */
export const OPERATORS = ['is', 'isNot', 'contains', 'isFilled', 'isEmpty'] as const;

export type ConditionOperator = (typeof OPERATORS)[number];

/** A test of one field of an object. */
export interface Condition {
  /** Name of the tested field. */
  readonly field: string;
  readonly operator: ConditionOperator;
  /** Compared value; undefined for the tests that need none. */
  readonly value?: unknown;
}

/** Returns true if a test compares a value. */
export function needsValue(operator: ConditionOperator): boolean {
  return operator === 'is' || operator === 'isNot' || operator === 'contains';
}

/**
 * Returns the `if` schema of a condition. An absent field is empty: it passes `isNot` and `isEmpty` alone.
 *
 * @param type the type of the tested field
 */
export function schemaOfCondition({ field, operator, value }: Condition, type: unknown): JsonObject {
  switch (operator) {
    case 'is':
      return testOf(field, { const: value });
    case 'isNot':
      return { not: testOf(field, { const: value }) };
    case 'contains':
      return testOf(
        field,
        type === 'array'
          ? { type: 'array', contains: { const: value } }
          : { type: 'string', pattern: escapedPattern(String(value)) },
      );
    case 'isFilled':
      return testOf(field, { minLength: 1, minItems: 1 });
    case 'isEmpty':
      return { not: testOf(field, { minLength: 1, minItems: 1 }) };
  }
}

function testOf(field: string, test: JsonObject): JsonObject {
  return { properties: { [field]: test }, required: [field] };
}

/** Returns the condition of an `if` schema; undefined if the designer cannot edit the schema. */
export function conditionOfSchema(schema: unknown): Condition | undefined {
  if (!isJsonObject(schema)) return undefined;
  const { not } = schema;
  if (Object.keys(schema).length === 1 && isJsonObject(not)) {
    const inner = positiveCondition(not);
    if (inner?.operator === 'is') return { ...inner, operator: 'isNot' };
    return inner?.operator === 'isFilled' ? { ...inner, operator: 'isEmpty' } : undefined;
  }
  return positiveCondition(schema);
}

const TEST_KEYWORDS = ['properties', 'required', 'type'];

function positiveCondition(schema: JsonObject): Condition | undefined {
  const required = textsAt(schema, '/required');
  const [field] = required;
  // Without "required", an absent field passes the test: that is not what the editor shows.
  if (field === undefined || required.length > 1) return undefined;
  const tests = objectAt(schema, '/properties');
  const isKnown = Object.keys(schema).every((keyword) => TEST_KEYWORDS.includes(keyword));
  const isAlone = Object.keys(tests).every((name) => name === field);
  const test = tests[field] ?? {};
  return isKnown && isAlone && isJsonObject(test) ? conditionOfTest(field, test) : undefined;
}

function conditionOfTest(field: string, test: JsonObject): Condition | undefined {
  const keywords = Object.keys(test).filter((keyword) => keyword !== 'type');
  const [only] = keywords;
  if (keywords.every((keyword) => /^min(?:Length|Items)$/.test(keyword) && test[keyword] === 1))
    return { field, operator: 'isFilled' };
  if (keywords.length !== 1) return undefined;
  if (only === 'const') return { field, operator: 'is', value: test['const'] };
  const { enum: list, contains, pattern } = test;
  if (only === 'enum' && Array.isArray(list) && list.length === 1)
    return { field, operator: 'is', value: list[0] };
  if (only === 'contains' && isJsonObject(contains) && Object.keys(contains).join() === 'const')
    return { field, operator: 'contains', value: contains['const'] };
  const text = only === 'pattern' ? plainTextOf(pattern) : undefined;
  return text === undefined ? undefined : { field, operator: 'contains', value: text };
}

/** Matches the characters with a meaning in a pattern. A hyphen has none outside of a class. */
const SPECIAL = /[$()*+./?[\\\]^{|}]/g;

function escapedPattern(text: string): string {
  return text.replaceAll(SPECIAL, String.raw`\$&`);
}

/** Returns the text that a pattern matches anywhere; undefined for any other pattern. */
function plainTextOf(pattern: unknown): string | undefined {
  if (typeof pattern !== 'string') return undefined;
  const text = pattern.replaceAll(/\\([$()*+./?[\\\]^{|}])/g, '$1');
  return escapedPattern(text) === pattern ? text : undefined;
}
