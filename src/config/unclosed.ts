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
