import type { LineCounter, YAMLError } from 'yaml';
import type { Fault } from '../core/fault.js';

/** Most syntax faults of one file: those after them are mostly echoes. */
const SYNTAX_FAULT_LIMIT = 20;

/** Our own words for the parser's codes, because its messages quote the text, which may be a password. */
const WORDS: Readonly<Partial<Record<YAMLError['code'], readonly [message: string, fix: string]>>> = {
  BAD_ALIAS: ['holds an alias that is not well-formed', 'Put the value in quotes if it starts with "*".'],
  BAD_DIRECTIVE: ['holds a directive that is not known', 'Remove the line that starts with "%".'],
  BAD_DQ_ESCAPE: [
    'holds an unknown escape in double quotes',
    'Use single quotes, or write "\\\\" for a backslash.',
  ],
  BAD_INDENT: [
    'is not indented as its surroundings ask',
    'Align it with its siblings and close every bracket.',
  ],
  BAD_SCALAR_START: ['starts with a reserved character', 'Put the value in quotes.'],
  BLOCK_AS_IMPLICIT_KEY: ['holds a second ":" on the line', 'Put the value in quotes.'],
  MISSING_CHAR: [
    'lacks a character, such as a closing quote, a comma or a space',
    'Add the missing character.',
  ],
  MULTIPLE_DOCS: ['starts a second document', 'Keep one document: remove "---" and what follows.'],
  NON_STRING_KEY: ['has a key that is not a string', 'Write the key as plain or quoted text.'],
  RESOURCE_EXHAUSTION: ['is nested too deeply', 'Write a flatter document.'],
  TAB_AS_INDENT: ['is indented with a tab', 'Indent with spaces.'],
  TAG_RESOLVE_FAILED: ['has a tag that is not known', 'Remove the tag (the word that starts with "!").'],
};

const OTHER = [
  'is not well-formed YAML',
  'Correct the YAML at this place; quotes around the value often help.',
] as const;

/** The parser's errors and warnings as faults, one for each place, without any text of the file. */
export function yamlFaults(file: string, errors: readonly YAMLError[], lines: LineCounter): readonly Fault[] {
  const places = new Map<number, Fault>();
  for (const error of errors) {
    const { line, col } = lines.linePos(error.pos[0]);
    const [message, fix] = WORDS[error.code] ?? OTHER;
    if (!places.has(error.pos[0]))
      places.set(error.pos[0], { file, line, column: col, pointer: '', code: 'yaml', message, fix });
  }
  return [...places.values()].slice(0, SYNTAX_FAULT_LIMIT);
}
