import { compileSchema } from '../../../../src/json-schema/engine/index.js';
import { pointerTo } from '../../../../src/json/pointer.js';
import { textOf } from '../../text/text.js';
import type { FormDraft } from '../draft.js';
import { FORM_DIALECT, runExamples } from '../examples.js';
import { eachSchema, type Finding, type Rule } from './each-schema.js';
import {
  emptyRanges,
  missingLabels,
  unknownRequired,
  unknownTests,
  unreachableFields,
} from './field-rules.js';
import { nearWord } from './suggest-keyword.js';
import { bindingMismatch, structMismatch, uiMismatch } from './ui-rules.js';

const text = textOf('designer');

/** Reports examples whose validation result is not the expected result. */
const failedExamples: Rule = (draft) =>
  (runExamples(draft) ?? [])
    .filter(({ passed }) => !passed)
    .map(({ example: { kind, index }, errors: [first] }): Finding => ({
      kind: 'error',
      part: 'schema',
      pointer: `/${kind === 'accepted' ? 'examples' : 'x-refused'}/${index}`,
      message:
        kind === 'accepted'
          ? text('lint.exampleRefused', {
              number: index + 1,
              pointer: first?.instancePath ?? '',
              message: first?.message ?? '',
            })
          : text('lint.exampleAccepted', { number: index + 1 }),
    }));

/** Keywords of JSON Schema, drafts 04 to 2020-12. */
const KEYWORDS = (
  '$schema $id $ref $defs $anchor $comment $vocabulary $dynamicRef $dynamicAnchor $recursiveRef $recursiveAnchor id ' +
  'title description default examples deprecated readOnly writeOnly type enum const format ' +
  'multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength pattern ' +
  'contentEncoding contentMediaType contentSchema items prefixItems additionalItems unevaluatedItems contains ' +
  'minContains maxContains minItems maxItems uniqueItems properties patternProperties additionalProperties ' +
  'unevaluatedProperties propertyNames required minProperties maxProperties dependencies dependentRequired ' +
  'dependentSchemas definitions allOf anyOf oneOf not if then else enumNames'
).split(' ');

/** Reports the faults that the validation engine finds in the schema. With a fault, no document is valid. */
const schemaFaults: Rule = ({ schema }) => {
  const compiled = compileSchema(schema, { dialect: FORM_DIALECT });
  if (!('faults' in compiled)) return [];
  // The meta-schema can report one fault in several ways; the first one is the most readable.
  const first = new Map(compiled.faults.map((fault) => [fault.pointer, fault] as const).reverse());
  return [...first.values()].reverse().map(({ pointer, message }) => ({
    kind: 'error',
    part: 'schema',
    pointer: pointer.includes('#') ? '' : pointer,
    ...fieldOf(pointer),
    message:
      pointer === ''
        ? text('lint.schemaFault', { message })
        : text('lint.keywordFault', { name: lastToken(pointer), message }),
  }));
};

function fieldOf(pointer: string): { readonly field?: string } {
  const field = /^.*\/properties\/[^/]+/.exec(pointer)?.[0];
  return field === undefined ? {} : { field };
}

function lastToken(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1);
}

/** Reports unknown keywords that resemble a known one. */
const misspeltKeywords: Rule = ({ schema }) => {
  const findings: Finding[] = [];
  for (const [part, pointer] of eachSchema(schema))
    for (const name of Object.keys(part)) {
      if (/^(?:x-|ui:|_)/.test(name)) continue;
      const suggestion = nearWord(name, KEYWORDS);
      if (suggestion === undefined) continue;
      findings.push({
        kind: 'warning',
        part: 'schema',
        pointer: pointerTo(pointer, name),
        field: pointer,
        message: text('lint.misspelledKeyword', { name, suggestion }),
      });
    }
  return findings;
};

const RULES: readonly Rule[] = [
  schemaFaults,
  unknownRequired,
  unknownTests,
  unreachableFields,
  emptyRanges,
  failedExamples,
  bindingMismatch,
  uiMismatch,
  misspeltKeywords,
  structMismatch,
  missingLabels,
];

/** Maximum number of reported findings. */
const MAX_FINDINGS = 500;

/** Returns all findings of a form, errors first. */
export function lintForm(draft: FormDraft): readonly Finding[] {
  const findings = RULES.flatMap((rule) => rule(draft));
  const errors = findings.filter(({ kind }) => kind === 'error');
  return [...errors, ...findings.filter(({ kind }) => kind === 'warning')].slice(0, MAX_FINDINGS);
}
