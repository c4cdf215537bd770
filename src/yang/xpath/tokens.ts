import { InvalidYang } from '../diagnostic.js';
import type { Statement } from '../syntax/statement.js';

export type TokenKind = 'name' | 'number' | 'literal' | 'symbol' | 'variable';

/** Token of an XPath 1.0 expression, with its offset. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly at: number;
}

const TOKEN =
  /\s*(?:("[^"]*"|'[^']*')|(\d+(?:\.\d*)?|\.\d+)|(\$[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)|([\p{L}_][\p{L}\p{N}_.-]*(?::(?!:)(?:[\p{L}_][\p{L}\p{N}_.-]*|\*))?)|(::|\.\.|\/\/|!=|<=|>=|[/()[\]@,|+\-=<>*.]))/uy;

/** Kinds in the order of the groups above. */
const KINDS: readonly TokenKind[] = ['literal', 'number', 'variable', 'name', 'symbol'];

/** Splits an expression into tokens. Throws InvalidYang at an invalid token. */
export function tokensOf(statement: Statement): readonly Token[] {
  const text = statement.argument;
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  for (let at = 0; at < end; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (!found) throw unexpected(statement, at);
    const group = KINDS.findIndex((_, index) => found.at(index + 1) !== undefined) + 1;
    const value = found[group] ?? '';
    tokens.push({ kind: KINDS[group - 1] ?? 'symbol', text: value, at: TOKEN.lastIndex - value.length });
  }
  return tokens;
}

/** Returns the fault of an expression that cannot be parsed from an offset on. */
export function unexpected(statement: Statement, at: number): InvalidYang {
  const rest = statement.argument.slice(at).trim();
  const what = rest === '' ? 'it ends too early' : `${JSON.stringify(rest.slice(0, 20))} is not expected`;
  return new InvalidYang(statement, 'RFC 7950 6.4', `${statement.keyword}: no XPath 1.0 expression: ${what}`);
}
