/** Returns what is wrong with an argument; undefined if it is well formed. */
export type ArgumentForm = (argument: string) => string | undefined;

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_.-]*$/;
const PREFIXED = /^(?:[A-Za-z_][A-Za-z0-9_.-]*:)?[A-Za-z_][A-Za-z0-9_.-]*$/;

/** Returns true for an identifier with or without a prefix. */
function isPrefixed(text: string): boolean {
  return PREFIXED.test(text);
}

const text: ArgumentForm = () => undefined;
const identifier: ArgumentForm = (argument) =>
  IDENTIFIER.test(argument) ? undefined : `${shown(argument)} is no identifier`;
const prefixed: ArgumentForm = (argument) =>
  PREFIXED.test(argument) ? undefined : `${shown(argument)} is no identifier with or without a prefix`;
const boolean = oneOf('true', 'false');
const count = matching(/^(?:0|[1-9][0-9]*)$/, 4294967295n, 'a number from 0 to 4294967295');

/** Form of the argument of each statement (RFC 7950 section 14). */
const ARGUMENT_FORMS: Readonly<Record<string, ArgumentForm>> = {
  module: identifier,
  submodule: identifier,
  import: identifier,
  include: identifier,
  'belongs-to': identifier,
  prefix: identifier,
  'yang-version': oneOf('1', '1.1'),
  'revision-date': date,
  revision: date,
  extension: identifier,
  argument: identifier,
  feature: identifier,
  identity: identifier,
  typedef: identifier,
  grouping: identifier,
  container: identifier,
  list: identifier,
  leaf: identifier,
  'leaf-list': identifier,
  choice: identifier,
  case: identifier,
  anydata: identifier,
  anyxml: identifier,
  rpc: identifier,
  action: identifier,
  notification: identifier,
  bit: identifier,
  base: prefixed,
  type: prefixed,
  uses: prefixed,
  enum: enumName,
  'yin-element': boolean,
  config: boolean,
  mandatory: boolean,
  'require-instance': boolean,
  status: oneOf('current', 'deprecated', 'obsolete'),
  'ordered-by': oneOf('user', 'system'),
  modifier: oneOf('invert-match'),
  deviate: oneOf('not-supported', 'add', 'replace', 'delete'),
  'fraction-digits': matching(/^(?:[1-9]|1[0-8])$/, 18n, 'a number from 1 to 18'),
  'min-elements': count,
  'max-elements': (argument) =>
    argument === 'unbounded' || (argument !== '0' && count(argument) === undefined)
      ? undefined
      : `${shown(argument)} is neither "unbounded" nor a number above 0`,
  position: count,
  value: matching(/^(?:0|-?[1-9][0-9]*)$/, 2147483648n, 'a number of 32 bits'),
  augment: schemaNodeId,
  deviation: schemaNodeId,
  refine: schemaNodeId,
  unique: (argument) => (argument.trim() === '' ? 'names no leaf' : undefined),
  key: (argument) => (argument.trim() === '' ? 'names no leaf' : undefined),
};

/** Statements without an argument. */
export const WITHOUT_ARGUMENT: ReadonlySet<string> = new Set(['input', 'output']);

/** Returns the form of a statement's argument; any text if no rule is known. */
export function formOf(keyword: string): ArgumentForm {
  return ARGUMENT_FORMS[keyword] ?? text;
}

function oneOf(...words: readonly string[]): ArgumentForm {
  return (argument) =>
    words.includes(argument)
      ? undefined
      : `${shown(argument)} is not ${words.map((word) => `"${word}"`).join(' or ')}`;
}

function matching(pattern: RegExp, most: bigint, what: string): ArgumentForm {
  return (argument) => {
    const fits = pattern.test(argument) && argument.length < 20 && BigInt(argument.replace('-', '')) <= most;
    return fits ? undefined : `${shown(argument)} is not ${what}`;
  };
}

const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function date(argument: string): string | undefined {
  const [, month = '', day = ''] = /^[0-9]{4}-([0-9]{2})-([0-9]{2})$/.exec(argument) ?? [];
  const last = DAYS[Number(month) - 1] ?? 0;
  return Number(day) >= 1 && Number(day) <= last
    ? undefined
    : `${shown(argument)} is no date such as 2024-01-31`;
}

function enumName(argument: string): string | undefined {
  if (argument === '') return 'an enum needs a name';
  return argument.trim() === argument ? undefined : 'an enum name must not begin or end with white space';
}

function schemaNodeId(argument: string): string | undefined {
  const steps = argument.replace(/^\//, '').split('/');
  return steps.every(isPrefixed) ? undefined : `${shown(argument)} is no path of schema nodes`;
}

function shown(argument: string): string {
  return JSON.stringify(argument.length > 60 ? `${argument.slice(0, 60)}...` : argument);
}
