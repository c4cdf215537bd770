import { compileSchema } from '../../../../src/json-schema/engine/index.js';
import { pointerTo } from '../../../../src/json/pointer.js';
import { text } from '../designer-text.js';
import type { FormDraft } from '../draft.js';
import { FORM_DIALECT, runExamples } from '../examples.js';
import { eachSchema, fault, type Finding, type Rule, warning } from './each-schema.js';
import {
  emptyRanges,
  missingLabels,
  unknownRequired,
  unknownTests,
  unreachableFields,
} from './field-rules.js';
import { nearWord } from './suggest-keyword.js';
import { bindingMismatch, expressionRule, structMismatch, uiMismatch } from './ui-rules.js';

/** Reports examples whose validation result is not the expected result. */
const failedExamples: Rule = function* (draft) {
  for (const { example, errors, passed } of runExamples(draft) ?? []) {
    if (passed) continue;
    const isAccepted = example.kind === 'accepted';
    const number = example.index + 1;
    const { instancePath: pointer = '', message = '' } = errors[0] ?? {};
    yield fault({
      pointer: `/${isAccepted ? 'examples' : 'x-refused'}/${example.index}`,
      message: isAccepted
        ? text('lint.exampleRefused', { number, pointer, message })
        : text('lint.exampleAccepted', { number }),
    });
  }
};

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
  return [...first.values()].reverse().map(({ pointer, message }) =>
    fault({
      pointer: pointer.includes('#') ? '' : pointer,
      ...fieldOf(pointer),
      message:
        pointer === ''
          ? text('lint.schemaFault', { message })
          : text('lint.keywordFault', { name: lastToken(pointer), message }),
    }),
  );
};

function fieldOf(pointer: string): { readonly field?: string } {
  const field = /^.*\/properties\/[^/]+/.exec(pointer)?.[0];
  return field === undefined ? {} : { field };
}

function lastToken(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1);
}

/** Reports unknown keywords that resemble a known one. */
const misspeltKeywords: Rule = function* ({ schema }) {
  for (const [part, pointer] of eachSchema(schema))
    for (const name of Object.keys(part)) {
      const suggestion = /^(?:x-|ui:|_)/.test(name) ? undefined : nearWord(name, KEYWORDS);
      if (suggestion === undefined) continue;
      const message = text('lint.misspelledKeyword', { name, suggestion });
      yield warning({ pointer: pointerTo(pointer, name), field: pointer, message });
    }
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
  expressionRule,
  misspeltKeywords,
  structMismatch,
  missingLabels,
];

/** Maximum number of reported findings. */
const MAX_FINDINGS = 500;

/** Returns all findings of a form, errors first. */
export function lintForm(draft: FormDraft): readonly Finding[] {
  const findings = RULES.flatMap((rule) => [...rule(draft)]);
  const errors = findings.filter(({ kind }) => kind === 'error');
  return [...errors, ...findings.filter(({ kind }) => kind === 'warning')].slice(0, MAX_FINDINGS);
}
