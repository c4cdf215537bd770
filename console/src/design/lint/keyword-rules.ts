import { compileSchema } from '../../../../src/json-schema/engine/index.js';
import { pointerTo } from '../../../../src/json/pointer.js';
import { textOf } from '../../text/text.js';
import { FORM_DIALECT } from '../examples.js';
import { eachSchema } from './each-schema.js';
import type { Finding, Rule } from './finding.js';
import { nearWord } from './suggest-keyword.js';

const text = textOf('designer');

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
export const schemaFaults: Rule = ({ schema }) => {
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
export const misspeltKeywords: Rule = ({ schema }) => {
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
