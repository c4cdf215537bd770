import { isDeepStrictEqual } from 'node:util';
import { type Document, Lexer, LineCounter, Scalar, visit } from 'yaml';
import { parseToFormat } from './parse-to-format.js';
import { parseYaml } from './yaml.js';

/** A formatted text, or why a text stays as it is. */
type Formatted = { readonly text: string } | { readonly fault: string };

const INVALID = { fault: 'is not valid YAML; "gatehouse check" says where' };
const UNSUITED = { fault: 'stays as it is: formatting it would change a value' };
const UNPLACED = { fault: 'stays as it is: formatting it would lose a comment' };

/**
 * Formats a configuration file in YAML: two spaces for each level, one blank line at most, one blank before a comment, braces with
 * blanks inside and brackets without. Keeps comments and their levels, the order of keys, the ends of lines, scalars as they are written, and which
 * maps and lists are in one line. The result has the same values; formatting it again changes nothing.
 */
export function formatYaml(text: string): Formatted {
  const document = parseYaml(text, new LineCounter());
  if (!document || document.errors.length > 0) return INVALID;
  if (document.contents === null) return { text };
  const values = valuesOf(document);
  if (!values) return INVALID;
  const written = withWrittenScalars(text, document);
  const again = written === undefined ? undefined : parseYaml(written, new LineCounter());
  if (written === undefined || !again || !isDeepStrictEqual(valuesOf(again), values)) return UNSUITED;
  if (withWrittenScalars(written, again) !== written) return UNSUITED;
  if (!isDeepStrictEqual(commentsOf(written), commentsOf(text))) return UNPLACED;
  return { text: hasWindowsLines(text) ? written.replaceAll('\n', '\r\n') : written };
}

/** Returns the values of a document in a list; `undefined` for an alias without an anchor, or for too many aliases. */
function valuesOf(document: Document): readonly unknown[] | undefined {
  try {
    const value: unknown = document.toJS();
    return [value];
  } catch {
    return undefined;
  }
}

/**
 * Returns the layout of a text with its scalars as they are written; `undefined` for a scalar that has no place in it. The
 * writer of the library would change `1e3`, `0x1F`, long whole numbers and escapes, and would wrap folded texts.
 */
function withWrittenScalars(text: string, document: Document): string | undefined {
  const folded = new Set(headersOf(document, Scalar.BLOCK_FOLDED));
  const parsed = parseToFormat(withMark(text, folded, '|'));
  if (!parsed) return undefined;
  const { document: literal, end = '' } = parsed;
  const name = unusedName(text);
  const sources: string[] = [];
  const blocks: boolean[] = [];
  visit(literal, {
    Scalar(_key, node) {
      const [from, to] = node.range ?? [0, 0];
      if (node.type === Scalar.BLOCK_LITERAL) blocks.push(folded.has(from));
      else if (node.tag === undefined && to > from && !text.slice(from, to).includes('\n')) {
        node.value = `${name}${sources.length}x`;
        node.type = Scalar.PLAIN;
        sources.push(text.slice(from, to));
      }
    },
  });
  const body = literal.toString({ indent: 2, indentSeq: true, lineWidth: 0 });
  // The blank lines of a text that keeps its line ends are written already.
  const layout = tightBrackets(body + (/\n\s*\n$/.test(body) ? end.trimStart() : end)).replace(/^\n+/, '');
  const places = new RegExp(`${name}(\\d+)x`, 'g');
  if (layout.match(places)?.length !== (sources.length || undefined)) return undefined;
  return asFolded(
    layout.replace(places, (_all, at: string) => sources[Number(at)] ?? ''),
    blocks,
  );
}

/** Returns the offsets of the headers of block texts of a type, in the order of the document. */
function headersOf(document: Document, type: Scalar.Type): readonly number[] {
  const found: number[] = [];
  visit(document, {
    Scalar(_key, node) {
      if (node.type === type && node.range) found.push(node.range[0]);
    },
  });
  return found;
}

/** Writes headers of block texts with another mark. The lines of a literal text (`|`) are kept by the library, of a folded one (`>`) not. */
function withMark(text: string, headers: Iterable<number>, mark: '|' | '>'): string {
  let written = text;
  for (const at of headers) written = `${written.slice(0, at)}${mark}${written.slice(at + 1)}`;
  return written;
}

/** Writes the headers of the texts that were folded as they were; `undefined` if their number has changed. */
function asFolded(text: string, blocks: readonly boolean[]): string | undefined {
  if (!blocks.includes(true)) return text;
  const document = parseYaml(text, new LineCounter());
  const headers = document ? headersOf(document, Scalar.BLOCK_LITERAL) : [];
  if (headers.length !== blocks.length) return undefined;
  return withMark(
    text,
    headers.filter((_at, place) => blocks[place]),
    '>',
  );
}

/** Returns a word that the text does not contain. */
function unusedName(text: string): string {
  let name = 'scalar';
  while (text.includes(name)) name += 'q';
  return name;
}

function hasWindowsLines(text: string): boolean {
  return text.includes('\r\n') && !/(?:^|[^\r])\n/.test(text);
}

/** Lexeme before the text of a scalar. */
const SCALAR_MARK = '\u001f';

/** Returns the comments of a text, in alphabetical order: a comment may be placed on a line of its own. */
function commentsOf(text: string): readonly string[] {
  const lexemes = [...new Lexer().lex(text)];
  return lexemes
    .filter((lexeme, at) => lexeme.startsWith('#') && lexemes[at - 1] !== SCALAR_MARK)
    .map((comment) => comment.trimEnd())
    .sort();
}

/** Lexemes of the lexer that mark a position and have no text: the start of a document and of a scalar, an error. */
const MARKS = new Set(['\u0002', '\u0018', SCALAR_MARK]);

/** Removes the blanks inside the brackets of lists in one line. */
function tightBrackets(text: string): string {
  const lexemes = [...new Lexer().lex(text)].filter((lexeme) => !MARKS.has(lexeme));
  return lexemes
    .filter((lexeme, at) => {
      if (!/^ +$/.test(lexeme)) return true;
      const isLineBefore = lexemes[at - 1]?.endsWith('\n') === true;
      return lexemes[at - 1] !== '[' && (lexemes[at + 1] !== ']' || isLineBefore);
    })
    .join('');
}
