import { InvalidYang, invalidYangIn } from '../diagnostic.js';
import type { Names } from '../modules/yang-module.js';
import type { Statement } from '../syntax/statement.js';

type TokenKind = 'name' | 'number' | 'literal' | 'symbol' | 'variable';

/** Token of an XPath 1.0 expression, with its offset in the expression. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly at: number;
}

const TOKEN_PATTERN =
  /\s*(?:("[^"]*"|'[^']*')|(\d+(?:\.\d*)?|\.\d+)|(\$[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)|([\p{L}_][\p{L}\p{N}_.-]*(?::(?!:)(?:[\p{L}_][\p{L}\p{N}_.-]*|\*))?)|(::|\.\.|\/\/|!=|<=|>=|[/()[\]@,|+\-=<>*.]))/uy;

/** Splits an expression into tokens. Throws InvalidYang at an invalid token. */
export function tokensOf(statement: Statement): readonly Token[] {
  const text = statement.argument;
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  for (let at = 0; at < end; at = TOKEN_PATTERN.lastIndex) {
    TOKEN_PATTERN.lastIndex = at;
    const match = TOKEN_PATTERN.exec(text);
    if (!match) throw unexpected(statement, at);
    tokens.push(tokenOf(match, TOKEN_PATTERN.lastIndex));
  }
  return tokens;
}

/** Returns the token of the one group of the pattern that matched. */
function tokenOf(groups: RegExpExecArray, end: number): Token {
  let kind: TokenKind = 'symbol';
  let text = groups[5];
  if (text === undefined) [kind, text] = ['name', groups[4]];
  if (text === undefined) [kind, text] = ['literal', groups[1]];
  if (text === undefined) [kind, text] = ['number', groups[2]];
  if (text === undefined) [kind, text] = ['variable', groups[3] ?? ''];
  return { kind, text, at: end - text.length };
}

/** Returns the error for an expression that cannot be parsed at an offset. */
export function unexpected(statement: Statement, at: number): InvalidYang {
  const rest = statement.argument.slice(at).trim();
  const message = rest === '' ? 'it ends too early' : `${JSON.stringify(rest.slice(0, 20))} is not expected`;
  return new InvalidYang(
    statement,
    'RFC 7950 6.4',
    `${statement.keyword}: not an XPath 1.0 expression: ${message}`,
  );
}

/**
 * Returns an expression with each prefix replaced by the name of its module, so that the expression does not
 * depend on the imports of its module.
 */
export function withModuleNames(statement: Statement, names: Names): string {
  const parts: string[] = [];
  let end = 0;
  for (const token of validTokensOf(statement)) {
    const prefix = prefixOf(token);
    const module = prefix === undefined ? undefined : names.moduleOf(statement, prefix);
    if (prefix === undefined || !module) continue;
    parts.push(statement.argument.slice(end, token.at), module.name);
    end = token.at + prefix.length;
  }
  return parts.join('') + statement.argument.slice(end);
}

/** Returns no tokens for an expression that a lenient compilation does not enforce. */
function validTokensOf(statement: Statement): readonly Token[] {
  try {
    return tokensOf(statement);
  } catch (error) {
    invalidYangIn(error);
    return [];
  }
}

/** Returns the prefix of a name token; undefined for other tokens. */
export function prefixOf({ kind, text }: Token): string | undefined {
  const colon = kind === 'name' ? text.indexOf(':') : -1;
  return colon > 0 ? text.slice(0, colon) : undefined;
}
