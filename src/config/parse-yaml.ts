import { type Document, Lexer, type LineCounter, parseDocument, Parser } from 'yaml';
import { DEPTH_LIMIT } from './read-values.js';

/** Parses a text as every file of the configuration is parsed; `undefined` when it is nested too deeply. */
export function parseYaml(text: string, lineCounter: LineCounter): Document | undefined {
  if (isTooDeep(text)) return undefined;
  return parseDocument(text, {
    lineCounter,
    version: '1.2',
    schema: 'core',
    merge: false,
    resolveKnownTags: false,
    stringKeys: true,
    // Checked by readValues, in linear time.
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
  });
}

/** The syntax has at most this many open constructs for each level of nesting. */
const OPEN_LIMIT = 3 * DEPTH_LIMIT;

/**
 * Whether composing the text would recurse too far. It must be known before: a stack that is nearly full can end the
 * process (V8 cannot compile a regular expression there), and no error is thrown then.
 */
function isTooDeep(text: string): boolean {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    // Every token that the lexeme completes is taken, or the parser does not move on.
    Array.from(parser.next(lexeme));
    if (parser.stack.length > OPEN_LIMIT) return true;
  }
  return false;
}
