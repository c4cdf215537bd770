/** Checks the form of an argument. Returns the message of a fault; undefined for a well-formed argument. */
export type ArgumentCheck = (argument: string) => string | undefined;

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_.-]*$/;
const PREFIXED_IDENTIFIER = /^(?:[A-Za-z_][A-Za-z0-9_.-]*:)?[A-Za-z_][A-Za-z0-9_.-]*$/;

/** Returns true for an identifier with or without a prefix. */
function isPrefixedIdentifier(text: string): boolean {
  return PREFIXED_IDENTIFIER.test(text);
}

const anyText: ArgumentCheck = () => undefined;
const identifier: ArgumentCheck = (argument) =>
  IDENTIFIER.test(argument) ? undefined : `${quoted(argument)} is not an identifier`;
const prefixedIdentifier: ArgumentCheck = (argument) =>
  PREFIXED_IDENTIFIER.test(argument)
    ? undefined
    : `${quoted(argument)} is not an identifier with or without a prefix`;
const boolean = oneOfWords('true', 'false');
const uint32 = numberMatching(/^(?:0|[1-9][0-9]*)$/, 4294967295n, 'a number from 0 to 4294967295');

/** Checks of the arguments of statements (RFC 7950 section 14). */
const ARGUMENT_CHECKS: Readonly<Record<string, ArgumentCheck>> = {
  module: identifier,
  submodule: identifier,
  import: identifier,
  include: identifier,
  'belongs-to': identifier,
  prefix: identifier,
  'yang-version': oneOfWords('1', '1.1'),
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
  base: prefixedIdentifier,
  type: prefixedIdentifier,
  uses: prefixedIdentifier,
  enum: enumName,
  'yin-element': boolean,
  config: boolean,
  mandatory: boolean,
  'require-instance': boolean,
  status: oneOfWords('current', 'deprecated', 'obsolete'),
  'ordered-by': oneOfWords('user', 'system'),
  modifier: oneOfWords('invert-match'),
  deviate: oneOfWords('not-supported', 'add', 'replace', 'delete'),
  'fraction-digits': numberMatching(/^(?:[1-9]|1[0-8])$/, 18n, 'a number from 1 to 18'),
  'min-elements': uint32,
  'max-elements': (argument) =>
    argument === 'unbounded' || (argument !== '0' && uint32(argument) === undefined)
      ? undefined
      : `${quoted(argument)} is neither "unbounded" nor a number above 0`,
  position: uint32,
  value: numberMatching(/^(?:0|-?[1-9][0-9]*)$/, 2147483648n, 'a number of 32 bits'),
  augment: schemaNodeId,
  deviation: schemaNodeId,
  refine: schemaNodeId,
  unique: (argument) => (argument.trim() === '' ? 'names no leaf' : undefined),
  key: (argument) => (argument.trim() === '' ? 'names no leaf' : undefined),
};

/** Statements that have no argument. */
export const WITHOUT_ARGUMENT: ReadonlySet<string> = new Set(['input', 'output']);

/** Returns the check for the argument of a statement. Without a rule, every text is accepted. */
export function argumentCheckOf(keyword: string): ArgumentCheck {
  return ARGUMENT_CHECKS[keyword] ?? anyText;
}

function oneOfWords(...words: readonly string[]): ArgumentCheck {
  return (argument) =>
    words.includes(argument)
      ? undefined
      : `${quoted(argument)} is not ${words.map((word) => `"${word}"`).join(' or ')}`;
}

function numberMatching(pattern: RegExp, max: bigint, expected: string): ArgumentCheck {
  return (argument) => {
    const isValid =
      pattern.test(argument) && argument.length < 20 && BigInt(argument.replace('-', '')) <= max;
    return isValid ? undefined : `${quoted(argument)} is not ${expected}`;
  };
}

const DAYS_OF_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function date(argument: string): string | undefined {
  const [, month = '', day = ''] = /^[0-9]{4}-([0-9]{2})-([0-9]{2})$/.exec(argument) ?? [];
  const lastDay = DAYS_OF_MONTH[Number(month) - 1] ?? 0;
  return Number(day) >= 1 && Number(day) <= lastDay
    ? undefined
    : `${quoted(argument)} is not a date such as 2024-01-31`;
}

function enumName(argument: string): string | undefined {
  if (argument === '') return 'an enum needs a name';
  return argument.trim() === argument ? undefined : 'an enum name must not begin or end with white space';
}

function schemaNodeId(argument: string): string | undefined {
  const steps = argument.replace(/^\//, '').split('/');
  return steps.every(isPrefixedIdentifier) ? undefined : `${quoted(argument)} is not a path of schema nodes`;
}

function quoted(argument: string): string {
  return JSON.stringify(argument.length > 60 ? `${argument.slice(0, 60)}...` : argument);
}
