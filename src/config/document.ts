import { LineCounter, type YAMLError, isMap, isScalar, isSeq, Scalar } from 'yaml';
import type { Fault, SourceDocument, FaultText } from '../core/fault.js';
import { pointerTo } from '../json/pointer.js';
import { sharedIfEmpty } from '../lib/shared-if-empty.js';
import { findLineFault } from './indentation.js';
import type { Environment, Insertion } from './interpolate.js';
import { readValues, type TextPosition, type ValueTerms } from './read-values.js';
import { findUnclosed, findUnquotedVariables, type Unclosed } from './unclosed.js';
import { parseYaml } from './yaml.js';

/** Maximum number of syntax faults per file. Later faults are mostly consequences of earlier faults. */
const SYNTAX_FAULT_LIMIT = 20;

/** Messages for the parser's codes. The parser's own messages quote the text, which may be a password. */
const YAML_MESSAGES: Readonly<Partial<Record<YAMLError['code'], readonly [message: string, fix: string]>>> = {
  BAD_ALIAS: ['holds a malformed alias', 'Put the value in quotes if it starts with "*".'],
  BAD_DIRECTIVE: ['holds an unknown directive', 'Remove the line that starts with "%".'],
  BAD_DQ_ESCAPE: [
    'holds an unknown escape in double quotes',
    'Use single quotes, or write "\\\\" for a backslash.',
  ],
  BAD_INDENT: ['has the wrong indentation', 'Align it with its siblings and close every bracket.'],
  BAD_SCALAR_START: ['starts with a reserved character', 'Put the value in quotes.'],
  BLOCK_AS_IMPLICIT_KEY: ['holds a second ":" on the line', 'Put the value in quotes.'],
  BLOCK_IN_FLOW: [
    'holds a second ":" before a comma',
    'Write a comma between two members, or put a value that holds ": " in quotes.',
  ],
  MULTILINE_IMPLICIT_KEY: [
    'is a line without ": " before a line with it',
    'Write a colon and a space after the name, or put a text of several lines in quotes.',
  ],
  MISSING_CHAR: [
    'lacks a character, such as a closing quote, a comma or a space',
    'Add the missing character.',
  ],
  MULTIPLE_DOCS: ['starts a second document', 'Keep one document: remove "---" and everything after it.'],
  NON_STRING_KEY: ['has a key that is not a string', 'Write the key as plain or quoted text.'],
  RESOURCE_EXHAUSTION: ['is nested too deeply', 'Write a flatter document.'],
  TAB_AS_INDENT: ['is indented with a tab', 'Indent with spaces.'],
  TAG_RESOLVE_FAILED: ['has an unknown tag', 'Remove the tag (the word that starts with "!").'],
};

/** Codes of the parser for lines that are not what it expects there. */
const LINE_CODES: ReadonlySet<YAMLError['code']> = new Set([
  'BAD_INDENT',
  'BLOCK_AS_IMPLICIT_KEY',
  'IMPOSSIBLE',
  'MISSING_CHAR',
  'MULTILINE_IMPLICIT_KEY',
  'UNEXPECTED_TOKEN',
]);

const DEFAULT_YAML_MESSAGE = [
  'is not well-formed YAML',
  'Correct the YAML at this place; quotes around the value often help.',
] as const;

/**
 * Converts the parser's errors and warnings into faults, at most one per position. They quote no text of the file. An
 * unclosed bracket or quote replaces all later errors, which are its consequences.
 */
function yamlFaults(
  { file, text }: SourceText,
  errors: readonly YAMLError[],
  lines: LineCounter,
): readonly Fault[] {
  if (errors.length === 0) return [];
  const variables = findUnquotedVariables(text);
  const faultAt = (offset: number, message: string, fix: string): Fault => {
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col, pointer: '', code: 'yaml', message, fix };
  };
  if (variables.length > 0) return variables.map((offset) => faultAt(offset, ...UNQUOTED_VARIABLE));
  const unclosed = findUnclosed(text);
  const [{ offset: end } = { offset: Infinity }] = unclosed;
  const places = new Map<number, Fault>();
  for (const error of errors) {
    if (error.pos[0] >= end) continue;
    const ofLine = LINE_CODES.has(error.code)
      ? findLineFault(text, lines.linePos(error.pos[0]).line)
      : undefined;
    const offset = ofLine?.offset ?? error.pos[0];
    const [message, fix] = ofLine ? [ofLine.message, ofLine.fix] : wordsOf(error, text);
    if (!places.has(offset)) places.set(offset, faultAt(offset, message, fix));
  }
  const found = [
    ...places.values(),
    ...unclosed.map((one) => faultAt(one.offset, ...unclosedTexts(one, lines))),
  ];
  return found.slice(0, SYNTAX_FAULT_LIMIT);
}

const AFTER_QUOTE = [
  'has text after a closing quote',
  'Write a quote inside of the text twice, or use the other kind of quotes.',
] as const;

function wordsOf({ code, pos: [at] }: YAMLError, text: string): readonly [message: string, fix: string] {
  if (code === 'UNEXPECTED_TOKEN' && /["'] *$/.test(text.slice(0, at))) return AFTER_QUOTE;
  return YAML_MESSAGES[code] ?? DEFAULT_YAML_MESSAGE;
}

const UNQUOTED_VARIABLE = [
  'has an environment variable without quotes inside brackets or braces',
  'Put the value in quotes: "${NAME}".',
] as const;

/** Returns the message and the fix for a bracket or a quote that is never closed. */
function unclosedTexts(
  { offset, open, close }: Unclosed,
  lines: LineCounter,
): readonly [message: string, fix: string] {
  const what = { '[': 'list', '{': 'object' }[open] ?? 'text';
  const { line } = lines.linePos(offset);
  return [`${open} on line ${line} is not closed`, `Write ${close} at the end of the ${what}.`];
}

/** Parsed file of the configuration, with all faults of its text. */
export interface WrittenDocument extends SourceDocument {
  /**
   * Returns the position of the name of a member. Returns the position of the value if it has no name, and of
   * the nearest parent if the member is missing.
   */
  locateKey(pointer: string): Position;
  readonly faults: readonly Fault[];
  /** Pointers of unquoted texts with a comment of one word after them, which may be a part of the text. */
  readonly wordComments?: readonly string[];
  /** Scalars with environment variables, by pointer; absent for a document without a file. */
  readonly insertions?: ReadonlyMap<string, Insertion>;
  /** False if the text could not be parsed. `value` is then `undefined` and must not be checked. */
  readonly sound: boolean;
}

/** Position in a text; both numbers are 1-based. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface SourceText {
  readonly file: string;
  readonly text: string;
}

/**
 * Parses one YAML 1.2 document (core schema; JSON is a part of it) and fills in environment variables, if it is given any. Merge
 * keys and tags beyond the core schema are not supported. Names are strings and must be unique. An empty file
 * is an empty object.
 */
export function readDocument(
  source: SourceText,
  env: Environment | undefined,
  terms: ValueTerms = {},
): WrittenDocument {
  const lines = new LineCounter();
  const parsed = parseYaml(source.text, lines);
  if (!parsed) return invalidDocument(source.file, [tooDeepFault(source.file)]);
  const errors = yamlFaults(source, [...parsed.errors, ...parsed.warnings], lines);
  if (errors.length > 0) return invalidDocument(source.file, errors);

  const { value, insertions, faults: valueFaults } = readValues(parsed.contents, env, terms);
  const position = positionIn(lines);
  const faults = valueFaults.map(({ offset, earlier, ...what }) => ({
    file: source.file,
    ...position(offset),
    ...what,
    ...(earlier !== undefined && repetition(position(earlier), position(offset))),
  }));
  const wordComments = findWordComments(parsed.contents);
  const { file } = source;
  const texts = { wordComments, insertions: sharedIfEmpty(insertions) };
  return { file, value, ...locatorsOf(source, env), faults, ...texts, sound: true };
}

function positionIn(lines: LineCounter): (offset: number) => Position {
  return (offset) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
}

/**
 * Returns the functions that find positions in a text that was read without faults. The first use reads the text again: only
 * faults need positions, and they take several times the memory of the text.
 */
function locatorsOf(
  { text }: SourceText,
  env: Environment | undefined,
): Pick<WrittenDocument, 'locate' | 'locateKey'> {
  let read: ((pointer: string) => readonly [value: Position, key: Position]) | undefined;
  const open = (): NonNullable<typeof read> => {
    const lines = new LineCounter();
    const { positions } = readValues(parseYaml(text, lines)?.contents ?? null, env);
    const position = positionIn(lines);
    return (pointer) => {
      const nearest = nearestPosition(positions, pointer);
      return [position(nearest.at), position(keyOrValueOffset(nearest, positions.has(pointer)))];
    };
  };
  return {
    locate: (pointer) => (read ??= open())(pointer)[0],
    locateKey: (pointer) => (read ??= open())(pointer)[1],
  };
}

/** Returns the texts of the fault for a name that occurs twice, with both lines. */
function repetition(first: Position, second: Position): FaultText {
  return first.line === second.line
    ? { message: `occurs twice on line ${first.line}`, fix: 'Remove one of the two.' }
    : {
        message: `occurs twice in its object: on line ${first.line} and on line ${second.line}`,
        fix: `Remove it on line ${first.line} or on line ${second.line}.`,
      };
}

/** Returns a document that has only faults. */
export function invalidDocument(file: string, faults: readonly Fault[]): WrittenDocument {
  const locate = () => ({ line: 0, column: 0 });
  return { file, value: undefined, locate, locateKey: locate, faults, sound: false };
}

function tooDeepFault(file: string): Fault {
  const what = { message: 'is nested too deeply to be read', fix: 'Write a flatter document.' };
  return { file, line: 0, column: 0, pointer: '', code: 'yaml', ...what };
}

function nearestPosition(positions: ReadonlyMap<string, TextPosition>, pointer: string): TextPosition {
  const position = positions.get(pointer);
  if (position) return position;
  return pointer === '' ? { at: 0 } : nearestPosition(positions, pointer.slice(0, pointer.lastIndexOf('/')));
}

function keyOrValueOffset(place: TextPosition, exact: boolean): number {
  return exact ? (place.key ?? place.at) : place.at;
}

/** A comment that consists of one word directly after "#", as in `password: TEXT #word`. */
const WORD = /^[^\s#]+$/;

/**
 * Returns the pointers of unquoted texts that one blank and a comment of one word follow. The writer may have meant the
 * word as a part of the text. Does not follow aliases.
 */
function findWordComments(contents: unknown, pointer = ''): readonly string[] {
  if (isSeq(contents))
    return contents.items.flatMap((item, at) => findWordComments(item, pointerTo(pointer, at)));
  if (isMap(contents))
    return contents.items.flatMap(({ key, value }) =>
      findWordComments(value, pointerTo(pointer, isScalar(key) ? String(key.value) : '')),
    );
  if (!isScalar(contents) || contents.type !== Scalar.PLAIN) return [];
  return WORD.test(contents.comment ?? '') ? [pointer] : [];
}
