import { type CST, Parser } from 'yaml';

/** A bracket or a quote that is never closed. */
export interface Unclosed {
  readonly offset: number;
  /** The character that opens the list, the object or the text. */
  readonly open: string;
  /** The character that is missing. */
  readonly close: string;
}

/**
 * Returns the brackets and quotes of a YAML or JSON text that are never closed, in order. Of nested ones, returns only
 * the innermost, because it usually makes the outer ones appear unclosed. The text must not be nested too deeply.
 */
export function findUnclosed(text: string): readonly Unclosed[] {
  return Array.from(new Parser().parse(text)).flatMap(unclosedIn);
}

/**
 * Returns the offsets of unquoted variables inside brackets or braces, such as `{ key: ${NAME} }`. YAML reads the brace of
 * the variable as the beginning of an object.
 */
export function findUnquotedVariables(text: string): readonly number[] {
  const offsetsIn = (token: CST.Token | null | undefined): readonly number[] => {
    const inside = childrenOf(token).flatMap(offsetsIn);
    if (token?.type !== 'scalar' || !token.source.endsWith('$')) return inside;
    const end = token.offset + token.source.length;
    return text[end] === '{' ? [...inside, token.offset] : inside;
  };
  return Array.from(new Parser().parse(text)).flatMap(offsetsIn);
}

function unclosedIn(token: CST.Token | null | undefined): readonly Unclosed[] {
  const inside = childrenOf(token).flatMap(unclosedIn);
  if (inside.length > 0) return inside;
  const own = token && unclosedToken(token);
  return own ? [own] : [];
}

function childrenOf(token: CST.Token | null | undefined): readonly (CST.Token | null | undefined)[] {
  if (!token) return [];
  if (token.type === 'document') return [token.value];
  if (!('items' in token)) return [];
  return token.items.flatMap((item) => [item.key, item.value]);
}

function unclosedToken(token: CST.Token): Unclosed | undefined {
  if (token.type === 'flow-collection') {
    const { source: open, offset } = token.start;
    const close = open === '[' ? ']' : '}';
    return token.end[0]?.source === close ? undefined : { offset, open, close };
  }
  if (token.type !== 'double-quoted-scalar' && token.type !== 'single-quoted-scalar') return undefined;
  const { source, offset } = token;
  const quote = source.charAt(0);
  return source.length > 1 && source.endsWith(quote) ? undefined : { offset, open: quote, close: quote };
}

/** A line that is indented deeper than the key above it although that key has its value on its own line. */
export interface DeeperLine {
  /** Offset of the first character of the line that is not a space. */
  readonly offset: number;
  /** Number of the line above it, from 1. */
  readonly above: number;
}

/** Indentation, list indicators, and the name of a key. */
const KEY = /^( *(?:- +)*)(?:"[^"]*"|'[^']*'|[^\s#"'[{&*!|>%@`-][^:#]*):(?: |$)/;

/**
 * Returns the line at or directly after the given one that is indented too deeply, which YAML reads as a part of the value
 * above; `undefined` if there is none. Lines count from 1.
 */
export function findDeeperLine(text: string, line: number): DeeperLine | undefined {
  const lines = text.split(/\r?\n/);
  for (const at of [line, nextWritten(lines, line)]) {
    const above = previousWritten(lines, at);
    if (above !== undefined && isDeeper(lines[at - 1] ?? '', lines[above - 1] ?? ''))
      return { offset: offsetOf(text, at) + (lines[at - 1] ?? '').search(/\S/), above };
  }
  return undefined;
}

/** Returns true for a key that is indented deeper than a key with a value on its line. */
function isDeeper(text: string, above: string): boolean {
  const [parent, key] = [KEY.exec(above), KEY.exec(text)];
  if (!parent || !key) return false;
  const value = above.slice(parent[0].length).trim();
  return hasWholeValue(value) && (key[1] ?? '').search(/-|$/) > (parent[1]?.length ?? 0);
}

/** Returns true for a scalar that ends on its line. The values of blocks, anchors and brackets go on below. */
function hasWholeValue(value: string): boolean {
  if (value === '' || /^[#|>&*![{]/.test(value)) return false;
  return !/^["']/.test(value) || /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')(?: +#.*)?$/.test(value);
}

function isWritten(line: string): boolean {
  return !/^\s*(?:#.*)?$/.test(line);
}

function nextWritten(lines: readonly string[], line: number): number {
  const found = lines.slice(line).findIndex(isWritten);
  return found < 0 ? line : line + found + 1;
}

function previousWritten(lines: readonly string[], line: number): number | undefined {
  const found = lines.slice(0, line - 1).findLastIndex(isWritten);
  return found < 0 ? undefined : found + 1;
}

function offsetOf(text: string, line: number): number {
  let offset = 0;
  for (let at = 1; at < line; at += 1) offset = text.indexOf('\n', offset) + 1;
  return offset;
}
