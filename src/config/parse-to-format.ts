import { Composer, type CST, type Document, Parser, Scalar, type ScalarTag, type Tags } from 'yaml';
import { YAML_OPTIONS } from './yaml.js';

interface ParsedToFormat {
  readonly document: Document;
  /** The comments after all values, as lines, and after a blank line if the text has one there; absent without comments. */
  readonly end?: string;
}

/**
 * Parses a valid text of one document for {@link Document.toString}: numbers keep their digits, and each comment the level of its
 * column. The comments at the end are no part of the document, which would always have a blank line before them, or never.
 */
export function parseToFormat(text: string): ParsedToFormat | undefined {
  const composer = new Composer({ ...YAML_OPTIONS, customTags: withWrittenNumbers });
  const tokens = [...withPlacedComments(new Parser().parse(text))];
  const [document] = composer.compose(tokens, true, text.length);
  if (!document) return undefined;
  const { comment, directives } = document;
  if (comment === null || comment === '' || directives.docEnd) return { document };
  document.comment = null;
  const before = text.slice(0, offsetOfEnd(tokens));
  const blank = /\n[ \t]*\r?\n[ \t]*$/.test(before) ? '\n' : '';
  return { document, end: `${blank}${comment.replaceAll(/^(?!$)/gm, '#')}\n` };
}

/** Returns the offset of the first comment after all values. */
function offsetOfEnd(tokens: readonly CST.Token[]): number {
  const ends = tokens.flatMap((token) => (token.type === 'document' ? (token.end ?? []) : [token]));
  return ends.find(({ type }) => type === 'comment')?.offset ?? 0;
}

/** Returns the tags of a schema, with those of numbers that write a plain number as it was read: `007`, and all of its digits. */
function withWrittenNumbers(tags: Tags): Tags {
  return tags.map((tag) => (isNumberTag(tag) ? { ...tag, stringify: writeNumber(tag) } : tag));
}

function isNumberTag(tag: Tags[number]): tag is ScalarTag {
  return typeof tag === 'object' && ['tag:yaml.org,2002:int', 'tag:yaml.org,2002:float'].includes(tag.tag);
}

function writeNumber(tag: ScalarTag): NonNullable<ScalarTag['stringify']> {
  return (node, ...others) =>
    node.type === Scalar.PLAIN && node.source !== undefined
      ? node.source
      : (tag.stringify?.(node, ...others) ?? String(node.value));
}

/**
 * Moves comments after the last member of a map or a list to the level that their column says. The parser gives all of them to
 * the innermost one if the first of them belongs there, so that a section in comments would get the indentation of another one.
 */
function* withPlacedComments(tokens: Iterable<CST.Token>): Generator<CST.Token> {
  for (const token of tokens) {
    if (token.type === 'document' && token.value) {
      const left = commentsLeftOf(token.value, Infinity);
      if (left.length > 0) token.end = [...left, ...(token.end ?? [])];
    }
    yield token;
  }
}

/**
 * Removes the comments at the end of a collection that are left of a column, by default that of the collection, and returns them.
 * Does so in the collections inside first.
 */
function commentsLeftOf(collection: CST.Token, column?: number): CST.SourceToken[] {
  if (collection.type !== 'block-map' && collection.type !== 'block-seq') return [];
  const items = collection.items as CST.CollectionItem[];
  for (const [at, { value }] of [...items.entries()].reverse())
    if (value) insertBefore(items, at + 1, commentsLeftOf(value));
  const last = items.at(-1);
  if (!last || last.key || last.sep || last.value) return [];
  const at = startOfLeft(last.start, column ?? collection.indent);
  return at < 0 ? [] : last.start.splice(at);
}

/** Adds comments before the item at an index, or after the last one. */
function insertBefore(items: CST.CollectionItem[], at: number, comments: CST.SourceToken[]): void {
  const next = items[at];
  if (next) next.start.unshift(...comments);
  else if (comments.length > 0) items.push({ start: comments });
}

/** Returns the index of the first comment left of a column, with the blank lines and blanks before it; -1 without such a comment. */
function startOfLeft(tokens: readonly CST.SourceToken[], column: number): number {
  let at = tokens.findIndex(({ type, indent }) => type === 'comment' && indent < column);
  const isBlank = (token: CST.SourceToken | undefined): boolean =>
    token?.type === 'space' || token?.type === 'newline';
  // The line end of the comment before stays with that comment.
  while (at > 0 && isBlank(tokens[at - 1]) && tokens[at - 2]?.type !== 'comment') at -= 1;
  return at;
}
