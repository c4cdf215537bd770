import { type KeyFor, type PlainKeyOf } from '../../text/text.js';
import {
  type ErrorFacts,
  errorFactsOf,
  type FormState,
  type PasteProblem,
  type RowError,
} from '../model/index.js';
import { formText } from './form-text.js';

/** Texts by the keyword that failed. Each has the value of the keyword as `limit`. */
const TEXTS: Readonly<Record<string, KeyFor<'form', { readonly limit: string }>>> = {
  minimum: 'errorMinimum',
  maximum: 'errorMaximum',
  exclusiveMinimum: 'errorExclusiveMinimum',
  exclusiveMaximum: 'errorExclusiveMaximum',
  multipleOf: 'errorMultipleOf',
  const: 'errorConst',
  pattern: 'errorPattern',
  format: 'errorFormat',
};

const COUNT_TEXTS: Readonly<Record<string, KeyFor<'form', { readonly limit: number }>>> = {
  minLength: 'errorMinLength',
  maxLength: 'errorMaxLength',
  minItems: 'errorMinItems',
  maxItems: 'errorMaxItems',
  minProperties: 'errorMinProperties',
  maxProperties: 'errorMaxProperties',
};

/** Texts of keywords whose value says nothing to a user. */
const PLAIN_TEXTS: Readonly<Record<string, PlainKeyOf<'form'>>> = {
  required: 'errorRequired',
  dependentRequired: 'errorRequired',
  enum: 'errorEnum',
  uniqueItems: 'errorUniqueItems',
  additionalProperties: 'errorNotAllowed',
  unevaluatedProperties: 'errorNotAllowed',
  propertyNames: 'errorPropertyNames',
  not: 'errorNot',
  anyOf: 'errorAnyOf',
  oneOf: 'errorOneOf',
  contains: 'errorContains',
  minContains: 'errorContains',
  maxContains: 'errorMaxContains',
  dependencies: 'errorRequired',
  'false schema': 'errorNotAllowed',
  items: 'errorTooManyEntries',
  additionalItems: 'errorTooManyEntries',
  unevaluatedItems: 'errorTooManyEntries',
};

/** Texts of values of `type` and `format`. */
const VALUE_TEXTS: Readonly<Record<string, Readonly<Record<string, PlainKeyOf<'form'>>>>> = {
  type: {
    ...{ integer: 'errorInteger', number: 'errorNumber', boolean: 'errorBoolean', string: 'errorString' },
    ...{ object: 'errorObject', array: 'errorArray', null: 'errorNull' },
  },
  format: {
    email: 'errorEmail',
    ipv4: 'errorIpv4',
    ipv6: 'errorIpv6',
    date: 'errorDate',
    'date-time': 'errorDateTime',
    time: 'errorTime',
    uri: 'errorUri',
    hostname: 'errorHostname',
    'idn-email': 'errorEmail',
    'idn-hostname': 'errorHostname',
    iri: 'errorUri',
    uuid: 'errorUuid',
    duration: 'errorDuration',
    'data-url': 'errorFile',
  },
};

/** Returns the text of an error: the form's own, the text for its keyword, or that of the validator. */
export function errorText(state: FormState, error: RowError): string {
  const { message } = error;
  const { ownText, limit, description } = errorFactsOf(state, error);
  if (ownText !== undefined) return ownText;
  if (error.source === 'server') return message;
  const causes = new Set(error.causes?.map((cause) => errorText(state, cause)));
  if (causes.size > 0) return [...causes].reduce((first, second) => formText('errorOr', { first, second }));
  return keywordText(error, { limit, description }) ?? message;
}

function keywordText(
  { keyword }: RowError,
  { limit, description }: Pick<ErrorFacts, 'limit' | 'description'>,
): string | undefined {
  if (keyword === 'pattern' && description !== undefined)
    return formText('errorPatternDescribed', { description });
  const plain = PLAIN_TEXTS[keyword] ?? VALUE_TEXTS[keyword]?.[String(limit)];
  if (plain !== undefined) return formText(plain);
  const countKey = COUNT_TEXTS[keyword];
  if (countKey !== undefined && typeof limit === 'number') return formText(countKey, { limit });
  const key = TEXTS[keyword];
  return key !== undefined && limit !== undefined ? formText(key, { limit: String(limit) }) : undefined;
}

/** Returns the different texts of errors. The server and the form may have found the same. */
export function errorTexts(state: FormState, errors: readonly RowError[]): readonly string[] {
  const found = new Set(errors.filter(({ source }) => source === 'form').map(({ message }) => message));
  const shown = errors.filter(({ source, message }) => source === 'form' || !found.has(message));
  return [...new Set(shown.map((error) => errorText(state, error)))];
}

const PASTE_TEXTS = {
  readOnly: 'pasteReadOnly',
  noField: 'pasteNoField',
  noValue: 'pasteNoValue',
  noJson: 'pasteNoJson',
  noList: 'pasteNoList',
  noObject: 'pasteNoObject',
  noCsv: 'pasteNoCsv',
  noColumn: 'pasteNoColumn',
} as const;

/** Returns why a part of a pasted or imported text was not applied, and its line. */
export function pasteProblemText({ line, reason, path }: PasteProblem): string {
  return formText('atLine', { line, problem: formText(PASTE_TEXTS[reason], { path }) });
}
