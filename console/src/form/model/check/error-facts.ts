import { memberOf, objectOf } from '../../../../../src/json/json-object.js';
import { pointerTokens, valueAt } from '../../../../../src/json/pointer.js';
import { textsOf } from '../field/keywords.js';
import { labelOf } from '../field/options.js';
import { jsonFrom, WrittenNumber } from '../json/json.js';
import { parentPointer } from '../json/locations.js';
import { nodeAt } from '../rows/find-node.js';
import type { FormState } from '../state/form-state.js';
import type { RowError } from '../types.js';

/** What the schema says about an error, for its text. */
export interface ErrorFacts {
  /** The text that the form itself has for the error (`ui:errors`, `errorMessage`). */
  readonly ownText: string | undefined;
  /** Value of the keyword that failed, such as the maximum; undefined for lists and objects. */
  readonly limit: string | number | undefined;
  readonly description: string | undefined;
}

/** Returns what the schema and the uiSchema say about an error. */
export function errorFactsOf(
  state: FormState,
  { pointer, keyword, source, schemaPath = '#' }: RowError,
): ErrorFacts {
  const field = nodeAt(state, pointer)?.field;
  if (!field || source === 'server') return { ownText: undefined, limit: undefined, description: undefined };
  const value = schemaPath.includes('#')
    ? field.keyword(keyword)
    : valueAt(state.form.document.root, schemaPath);
  const isShort =
    value === null || ['string', 'boolean'].includes(typeof value) || value instanceof WrittenNumber;
  const texts = [
    memberOf(objectOf(field.ui('errors')), keyword),
    keyword === 'required' ? requiredText(state, pointer) : textFor(field.keyword('errorMessage'), keyword),
  ];
  return {
    ownText: texts.find((text): text is string => typeof text === 'string' && text !== ''),
    limit: typeof value === 'number' ? value : isShort ? labelOf(jsonFrom(value)) : textsOf(value)[0],
    description: field.description,
  };
}

/** Returns the text of ajv-errors' keyword `errorMessage`: one for all keywords, or one for each. */
function textFor(errorMessage: unknown, keyword: string): unknown {
  return typeof errorMessage === 'string' ? errorMessage : memberOf(objectOf(errorMessage), keyword);
}

/** Returns the text for a missing member, which the schema of its container has: for all members, or by name. */
function requiredText(state: FormState, pointer: string): unknown {
  const container = nodeAt(state, parentPointer(pointer))?.field;
  const text = memberOf(objectOf(container?.keyword('errorMessage')), 'required');
  return typeof text === 'string' ? text : memberOf(objectOf(text), pointerTokens(pointer).at(-1) ?? '');
}
