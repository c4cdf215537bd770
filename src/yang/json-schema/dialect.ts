import type { Draft } from './definitions.js';

/**
 * Form library that reads the schemas. `plain` is for validators and for gatehouse's own forms; `rjsf` for
 * react-jsonschema-form, and `jsonforms` for JSON Forms. All dialects accept the same documents, except that
 * `jsonforms` accepts identities only with the name of their module.
 */
export type Dialect = 'plain' | 'rjsf' | 'jsonforms';

export const DIALECTS: readonly Dialect[] = ['plain', 'rjsf', 'jsonforms'];

/** Returns the draft in which a dialect is written by default: the draft of the library's default validator. */
export function defaultDraft(dialect: Dialect): Draft {
  return dialect === 'plain' ? '2020-12' : '07';
}

/**
 * Returns a schema that applies all rules, in a keyword that form libraries do not render. They would render
 * `allOf`, `anyOf` and `oneOf` as fields.
 */
export function hiddenRules(rules: readonly Readonly<Record<string, unknown>>[]): {
  readonly not?: Readonly<Record<string, unknown>>;
} {
  if (rules.length === 0) return {};
  return { not: { anyOf: rules.map((rule) => ({ not: rule })) } };
}

/** Keywords of the schemas that JSON Schema does not have. Ajv's strict mode accepts them after `ajv.addVocabulary`. */
export const SCHEMA_KEYWORDS: readonly string[] = [
  'x-hint',
  'x-yang',
  'x-yang-bits',
  'x-yang-enum',
  'x-yang-identities',
  'x-yang-identityref',
  'x-yang-length',
  'x-yang-number',
  'x-yang-pattern',
  'x-yang-range',
];
