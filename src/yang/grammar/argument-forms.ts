import type { Statement } from '../syntax/statement.js';

/** Checks the form of an argument. Returns the message of a fault; undefined for a well-formed argument. */
type ArgumentCheck = (argument: string) => string | undefined;

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
  augment: absolutePath,
  deviation: absolutePath,
  refine: descendantPath,
  unique: wordsOf(descendantPath),
  key: wordsOf(prefixedIdentifier),
};

/** Statements that have no argument. */
export const WITHOUT_ARGUMENT: ReadonlySet<string> = new Set(['input', 'output']);

/** Returns the check for the argument of a statement. Without a rule, every text is accepted. */
export function argumentCheckOf({ keyword, parent }: Statement): ArgumentCheck {
  if (keyword === 'augment' && parent?.keyword === 'uses') return descendantPath;
  return ARGUMENT_CHECKS[keyword] ?? anyText;
}

/** Returns true for a statement whose argument is a new name, which YANG 1.0 does not let begin with `xml`. */
export function definesName(keyword: string): boolean {
  return ARGUMENT_CHECKS[keyword] === identifier;
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

function date(argument: string): string | undefined {
  const time = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(argument) ? Date.parse(`${argument}T00:00:00Z`) : NaN;
  // Date.parse accepts the 31st of every month, and continues in the next month.
  const isDate = !Number.isNaN(time) && new Date(time).toISOString().startsWith(argument);
  return isDate ? undefined : `${quoted(argument)} is not a date such as 2024-01-31`;
}

function enumName(argument: string): string | undefined {
  if (argument === '') return 'an enum needs a name';
  return argument.trim() === argument ? undefined : 'an enum name must not begin or end with white space';
}

function absolutePath(argument: string): string | undefined {
  if (!argument.startsWith('/')) return `${quoted(argument)} must begin with "/"`;
  return pathOfNodes(argument.slice(1), argument);
}

function descendantPath(argument: string): string | undefined {
  if (argument.startsWith('/')) return `${quoted(argument)} must not begin with "/"`;
  return pathOfNodes(argument, argument);
}

function pathOfNodes(path: string, argument: string): string | undefined {
  return path.split('/').every(isPrefixedIdentifier)
    ? undefined
    : `${quoted(argument)} is not a path of schema nodes`;
}

/** Returns the check of an argument with one or more words, each of which has a form. */
function wordsOf(check: ArgumentCheck): ArgumentCheck {
  return (argument) => {
    const words = argument.split(/\s+/).filter((word) => word !== '');
    return words.length === 0 ? 'names no leaf' : words.map(check).find((message) => message !== undefined);
  };
}

function quoted(argument: string): string {
  return JSON.stringify(argument.length > 60 ? `${argument.slice(0, 60)}...` : argument);
}
