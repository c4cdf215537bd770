import { LineCounter } from 'yaml';
import type { Fault, SourceDocument } from '../core/fault.js';
import type { Environment } from './interpolate.js';
import { parseYaml } from './parse-yaml.js';
import { type TextPosition, readValues } from './read-values.js';
import { yamlFaults } from './yaml-faults.js';

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
