import { type Document, Lexer, type LineCounter, parseDocument, Parser } from 'yaml';
import { DEPTH_LIMIT } from './read-values.js';

/** Parses a text with the options for configuration files. Returns `undefined` if it is nested too deeply. */
export function parseYaml(text: string, lineCounter: LineCounter): Document | undefined {
  if (isTooDeep(text)) return undefined;
  return parseDocument(text, {
    lineCounter,
    version: '1.2',
    schema: 'core',
    merge: false,
    resolveKnownTags: false,
    stringKeys: true,
    // readValues checks this in linear time.
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
  });
}

/** Maximum number of open constructs; the syntax has at most 3 for each level of nesting. */
const OPEN_LIMIT = 3 * DEPTH_LIMIT;

/**
 * Returns true if composing the text would recurse too deeply. This must be known first: a nearly full stack
 * can end the process without an error (V8 cannot compile a regular expression there).
 */
function isTooDeep(text: string): boolean {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    // Consume every token that the lexeme completes. Otherwise, the parser does not advance.
    Array.from(parser.next(lexeme));
    if (parser.stack.length > OPEN_LIMIT) return true;
  }
  return false;
}
