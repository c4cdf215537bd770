import { isDeepStrictEqual } from 'node:util';
import { type Document, isScalar, Lexer, LineCounter, Scalar, visit } from 'yaml';
import { parseToFormat } from './parse-to-format.js';
import { parseYaml } from './yaml.js';

/** Width of lines in which folded texts (`>`) wrap. */
const FOLDED_WIDTH = 110;

/** A formatted text, or why a text cannot be formatted: then `gatehouse check` has the place. */
type Formatted = { readonly text: string } | { readonly fault: string };

/**
 * Formats a configuration file in YAML: two spaces for each level, one blank line at most, one blank before a comment, braces with
 * blanks inside and brackets without. Keeps comments and their levels, the order of keys, quotes, numbers as they are written, and
 * which maps and lists are in one line. The result has the same values; formatting it again changes nothing.
 */
export function formatYaml(text: string): Formatted {
  const parsed = parseYaml(text, new LineCounter());
  if (!parsed || parsed.errors.length > 0) return { fault: 'is not valid YAML' };
  if (parsed.contents === null) return { text };
  const { document, end = '' } = parseToFormat(text) ?? { document: parsed };
  const lineWidth = hasFoldedText(document) ? FOLDED_WIDTH : 0;
  const written = document.toString({ indent: 2, indentSeq: true, lineWidth });
  // The blank lines of a text that keeps its line ends are written already.
  const formatted = tightBrackets(written + (/\n\s*\n$/.test(written) ? end.trimStart() : end));
  const again = parseYaml(formatted, new LineCounter());
  if (!again || !isDeepStrictEqual(again.toJS(), document.toJS()))
    return { fault: 'has a construct that cannot be formatted without a change of its values' };
  return { text: formatted };
}

/** Without folded texts no line is wrapped: a long value stays in its line. */
function hasFoldedText(document: Document): boolean {
  let found = false;
  visit(document, {
    Scalar(_key, node) {
      if (isScalar(node) && node.type === Scalar.BLOCK_FOLDED) found = true;
    },
  });
  return found;
}

/** Lexemes of the lexer that mark a position and have no text: the start of a document and of a scalar, an error. */
const MARKS = new Set(['\u0002', '\u0018', '\u001f']);

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
