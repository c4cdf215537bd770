import { LineCounter, type YAMLError } from 'yaml';
import type { Fault, SourceDocument } from '../core/fault.js';
import type { Environment } from './interpolate.js';
import { parseYaml } from './parse-yaml.js';
import { type TextPosition, readValues } from './read-values.js';

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

/** A file of the configuration after parsing, with everything that is wrong with it as a text. */
export interface WrittenDocument extends SourceDocument {
  /** Place of the member's name; of the value where there is no name, of the nearest parent when it is missing. */
  locateKey(pointer: string): Position;
  readonly faults: readonly Fault[];
  /** False when the text could not be parsed: `value` is then `undefined`, and there is nothing to check further. */
  readonly sound: boolean;
}

/** Where something stands, both 1-based. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A file as it was read. */
export interface SourceText {
  readonly file: string;
  readonly text: string;
}

/**
 * Parses one YAML 1.2 document (core schema; JSON is a part of it) and fills environment variables in. There are no
 * merge keys and no tags beyond the core schema; names are strings and stand once. An empty file is an empty object.
 */
export function readDocument(source: SourceText, env: Environment): WrittenDocument {
  const lines = new LineCounter();
  const parsed = parseYaml(source.text, lines);
  if (!parsed) return unsoundDocument(source.file, [tooDeep(source.file)]);
  const errors = yamlFaults(source.file, [...parsed.errors, ...parsed.warnings], lines);
  if (errors.length > 0) return unsoundDocument(source.file, errors);

  const { value, places, complaints } = readValues(parsed.contents, env);
  const position = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const locate = (pointer: string) => position(nearest(places, pointer).at);
  const locateKey = (pointer: string) => position(keyOrValue(nearest(places, pointer), places.has(pointer)));
  const faults = complaints.map(({ offset, ...what }) => ({
    file: source.file,
    ...position(offset),
    ...what,
  }));
  return { file: source.file, value, locate, locateKey, faults, sound: true };
}

/** A document of which nothing can be said but its faults. */
export function unsoundDocument(file: string, faults: readonly Fault[]): WrittenDocument {
  const locate = () => ({ line: 0, column: 0 });
  return { file, value: undefined, locate, locateKey: locate, faults, sound: false };
}

function tooDeep(file: string): Fault {
  const what = { message: 'is nested too deeply to be read', fix: 'Write a flatter document.' };
  return { file, line: 0, column: 0, pointer: '', code: 'yaml', ...what };
}

function nearest(places: ReadonlyMap<string, TextPosition>, pointer: string): TextPosition {
  const place = places.get(pointer);
  if (place) return place;
  return pointer === '' ? { at: 0 } : nearest(places, pointer.slice(0, pointer.lastIndexOf('/')));
}

function keyOrValue(place: TextPosition, exact: boolean): number {
  return exact ? (place.key ?? place.at) : place.at;
}
