import type { JsonSchema } from '../core/schema.js';
import { isJsonObject } from '../json/json-object.js';
import { allowedValues, type Failure, textOf, unitOf } from './wording.js';

/** Maximum number of member names in one sentence. */
const MAX_LISTED_NAMES = 25;

/**
 * Returns the next step for the author of a value that a keyword rejects: one or two sentences without the value,
 * which may be a secret. The examples, units and bounds come from the schema.
 */
export function adviceOf(failure: Failure): string {
  const { keyword, schema, member } = failure;
  if (keyword === 'type') return typeAdvice(failure);
  if (MISSING_KEYWORDS.has(keyword) && member !== undefined) return addAdvice(member, failure);
  if (BOUND_KEYWORDS.has(keyword)) return numberAdvice('number', schema);
  if (keyword === 'pattern') return urlAdvice(failure) ?? 'Write the value in this form.';
  return ADVICE[keyword] ?? hintAdvice(schema) ?? 'Write a value that the schema allows.';
}

/** Returns the next step for an object in which the member is missing. */
export function addAdvice(member: string, { members }: Pick<Failure, 'members'>): string {
  const schema = members[member];
  const words = [
    descriptionOf(schema) || hintSentence(schema),
    exampleSentence(schema),
    valuesSentence(schema),
  ].filter((sentence) => sentence !== '');
  return words.length === 0 ? `Add "${member}".` : `Add "${member}": ${words.join(' ')}`;
}

const MISSING_KEYWORDS = new Set(['required', 'dependentRequired']);
const BOUND_KEYWORDS = new Set(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']);

const ADVICE: Readonly<Record<string, string>> = {
  additionalProperties: 'Correct the name, or remove the member.',
  unevaluatedProperties: 'Correct the name, or remove the member.',
  propertyNames: 'Choose another name.',
  enum: 'Write one of these values.',
  discriminator: 'Write one of these values.',
  const: 'Write this value, or remove the key.',
  format: 'Write the value in this form.',
  multipleOf: 'Write a multiple of this number.',
  minLength: 'Write a longer value.',
  maxLength: 'Write a shorter value.',
  minItems: 'Add an item.',
  maxItems: 'Remove items.',
  items: 'Remove items.',
  uniqueItems: 'Remove one of the two.',
  minProperties: 'Add a member.',
  maxProperties: 'Remove members.',
  contains: 'Add the item.',
  oneOf: 'Keep exactly one.',
  anyOf: 'Write the value in one of the allowed forms.',
  not: 'Write the value in another form.',
  'false schema': 'Remove it.',
};

function typeAdvice(failure: Failure): string {
  const { params, schema, value } = failure;
  const types = [params['type']].flat();
  if (types.includes('string') && (typeof value === 'number' || typeof value === 'boolean'))
    return textAdvice(value, schema);
  if (types.includes('integer')) return numberAdvice('whole number', schema, value);
  if (types.includes('number')) return numberAdvice('number', schema, value);
  if (types.includes('boolean')) return 'Write true or false, without quotes.';
  if (types.includes('object')) return objectAdvice(failure);
  if (types.includes('array'))
    return 'Write a list: [ITEM, ITEM], or in YAML one line "- ITEM" for each item.';
  return hintAdvice(schema) ?? 'Write a text in quotes.';
}

/** Returns the advice for a number or a boolean in place of a text. */
function textAdvice(value: number | boolean, schema: JsonSchema): string {
  if (!fitsAsText(String(value), schema)) return hintAdvice(schema) ?? 'Write a text in quotes.';
  const preset = schema['default'];
  const example = typeof preset === 'string' && /^[\d.]+$/.test(preset) ? `: '${preset}'` : '';
  return `Put it in quotes${example}. Without quotes, it is ${typeof value === 'number' ? 'a number' : 'a boolean'}.`;
}

function fitsAsText(text: string, schema: JsonSchema): boolean {
  const { enum: allowed, pattern, minLength } = schema;
  if (Array.isArray(allowed) && !allowed.includes(text)) return false;
  if (typeof minLength === 'number' && text.length < minLength) return false;
  return typeof pattern !== 'string' || matches(pattern, text);
}

/** Returns true if a text matches a pattern. Draft-07 schemas may have patterns that are no Unicode patterns. */
function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return false;
  }
}

/** Returns the advice for a number, with the unit, the bounds and an example of the schema. */
function numberAdvice(noun: string, schema: JsonSchema, value?: unknown): string {
  if (typeof value === 'string' && /^-?\d+$/.test(value)) return 'Write the number without quotes.';
  const unit = unitOf(schema);
  const { minimum, maximum, default: preset } = schema;
  const range =
    typeof minimum === 'number' && typeof maximum === 'number' ? ` from ${minimum} to ${maximum}` : '';
  const example = typeof preset === 'number' ? `, for example ${preset}` : '';
  if (unit === undefined) return `Write a ${noun}${range}${example}.`;
  return `Write the ${unit} as a ${noun}${range}${example}.`;
}

function objectAdvice({ members, value }: Failure): string {
  if (typeof value === 'string' && /^[A-Za-z][\w-]*:[^\s/]/.test(value))
    return 'Write a space after the colon of the name.';
  const names = Object.keys(members);
  const listed = names.length > 0 && names.length <= MAX_LISTED_NAMES;
  const known = listed ? ` with the keys ${names.join(', ')}` : '';
  const dashes = Array.isArray(value) ? '; in YAML, without "- " before them' : '';
  return `Write an object${known}${dashes}.`;
}

/** What is wrong with a text in place of an http URL, by its form. */
const URL_MISTAKES: readonly (readonly [RegExp, string])[] = [
  [/^[\u2018-\u201f]/, 'Write plain quotes: " in place of the typographic ones.'],
  [/^(?![a-z]+:\/\/)/i, 'Write http:// or https:// before the host.'],
  [/^(?!https?:)/i, 'Write http:// or https:// as the scheme.'],
  [/^[^/]*\/\/[^/?#]*@/, 'Remove the user name and the password from the URL.'],
  [/[?#]/, 'Remove everything from the "?" or "#" on.'],
];

/** Returns what to change in a text that must be an http URL; `undefined` for any other pattern, or another fault. */
function urlAdvice({ schema, value }: Failure): string | undefined {
  if (!String(schema['pattern']).startsWith('^https?://') || typeof value !== 'string') return undefined;
  const mistake = URL_MISTAKES.find(([form]) => form.test(value));
  if (mistake) return mistake[1];
  const [origin = '', port] = /^https?:\/\/(?:\[[^\]]*\]|[^/:]*)(?::([^/]*))?/i.exec(value) ?? [];
  if (port !== undefined && !isPort(port)) return 'Write a port from 1 to 65535 after the host.';
  if (matches(String(schema['pattern']), origin)) return 'Remove what follows the host and the port.';
  return undefined;
}

function isPort(text: string): boolean {
  return /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535;
}

/** Returns the hint of the schema as an instruction; `undefined` without a hint. */
function hintAdvice(schema: JsonSchema): string | undefined {
  const hint = schema['x-hint'];
  if (typeof hint !== 'string') return undefined;
  return hint.startsWith('must be ') ? `Write ${hint.slice('must be '.length)}.` : `It ${hint}.`;
}

function descriptionOf(schema: unknown): string {
  const { description } = isJsonObject(schema) ? schema : {};
  return typeof description === 'string' ? description : '';
}

/** Returns the example in the hint of a schema as a sentence; empty without an example. */
function exampleSentence(schema: unknown): string {
  if (descriptionOf(schema) === '') return '';
  const [, example] = /(?:for example|such as) (.+)$/.exec(hintSentence(schema)) ?? [];
  return example === undefined ? '' : `For example ${example}`;
}

function hintSentence(schema: unknown): string {
  const { 'x-hint': hint } = isJsonObject(schema) ? schema : {};
  return typeof hint === 'string' ? `It ${hint}.` : '';
}

function valuesSentence(schema: unknown): string {
  const values = allowedValues(schema);
  return values.length === 0 ? '' : `Use ${values.map(textOf).join(', ')}.`;
}
