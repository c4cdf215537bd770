import type { SchemaError } from '../../../src/core/schema-engine.js';
import { compileSchema } from '../../../src/json-schema/engine/index.js';
import type { FormDraft } from './draft.js';
import { withMember } from './json-edit.js';

/** Default dialect of a form's schema (wire 4.9). */
export const FORM_DIALECT = 'http://json-schema.org/draft-07/schema';

/**
 * Whether the form must accept or refuse the document. Both kinds are stored in the form's schema: accepted
 * documents as `examples` (a keyword of JSON Schema), refused documents as `x-refused`.
 */
export type ExampleKind = 'accepted' | 'refused';

/** A document that a form is tested with. */
export interface Example {
  readonly kind: ExampleKind;
  /** Index among the examples of the same kind, from 0. */
  readonly index: number;
  readonly data: unknown;
}

const EXAMPLE_KEYWORDS: Readonly<Record<ExampleKind, string>> = {
  accepted: 'examples',
  refused: 'x-refused',
};

/** Returns all examples of a form. */
export function examplesOf({ schema }: Pick<FormDraft, 'schema'>): readonly Example[] {
  return (['accepted', 'refused'] as const).flatMap((kind) => {
    const list = schema[EXAMPLE_KEYWORDS[kind]];
    return Array.isArray(list) ? list.map((data: unknown, index) => ({ kind, index, data })) : [];
  });
}

export function withExample(draft: FormDraft, kind: ExampleKind, data: unknown): FormDraft {
  const list = examplesOf(draft).filter((example) => example.kind === kind);
  return withExamples(draft, kind, [...list.map((example) => example.data), data]);
}

/** Replaces the data of an example; `undefined` removes the example. */
export function changeExample(draft: FormDraft, { kind, index }: Example, data: unknown): FormDraft {
  const list = examplesOf(draft).filter((example) => example.kind === kind);
  const next = list.flatMap((example) =>
    example.index !== index ? [example.data] : data === undefined ? [] : [data],
  );
  return withExamples(draft, kind, next);
}

function withExamples(draft: FormDraft, kind: ExampleKind, list: readonly unknown[]): FormDraft {
  const keyword = `/${EXAMPLE_KEYWORDS[kind]}`;
  return { ...draft, schema: withMember(draft.schema, keyword, list.length === 0 ? undefined : list) };
}

/** Result of the validation of an example. */
export interface ExampleResult {
  readonly example: Example;
  /** True if the form accepted or refused the document as expected. */
  readonly passed: boolean;
  readonly errors: readonly SchemaError[];
}

/** Validates every example with the server's engine; undefined if the schema has faults. */
export function runExamples(draft: Pick<FormDraft, 'schema'>): readonly ExampleResult[] | undefined {
  const compiled = compileSchema(draft.schema, { dialect: FORM_DIALECT });
  if ('faults' in compiled) return undefined;
  return examplesOf(draft).map((example) => {
    const { outcome, errors } = compiled.validator.validate(example.data, { errors: 20 });
    const expected = example.kind === 'accepted' ? 'valid' : 'invalid';
    return { example, passed: outcome === expected, errors };
  });
}
