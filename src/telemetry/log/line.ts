import type { LogFields, LogLevel } from '../../core/log.js';
import type { Clock } from '../../lib/clock.js';
import { isoTime } from '../../lib/iso-time.js';
import { maskText } from '../../lib/mask-text.js';
import type { LogSettings } from '../../settings/log.js';
import type { Limits } from './level-filter.js';

export interface Entry {
  /** RFC 3339, UTC, milliseconds. */
  readonly time: string;
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
  /** The fields as JSON, if known. */
  readonly fieldsJson?: string | undefined;
  /** The line as JSON, if an output needs it. */
  json?: string | undefined;
}

/** An entry that at least one output writes. */
export interface GatedEntry extends Entry {
  readonly limits: Limits;
}

/** Creates an entry with the current time; secrets in the message are masked. */
export function makeEntry(
  clock: Clock,
  level: LogLevel,
  { message, fields, fieldsJson }: Pick<Entry, 'message' | 'fields' | 'fieldsJson'>,
): Entry {
  const time = isoTime(clock.now());
  return { time, level, message: maskText(message), fields, fieldsJson, json: undefined };
}

/** Renders an entry as one line, including the line feed. */
export type Render = (entry: Entry) => string;

// Control characters, line and paragraph separators, and characters that reorder or hide text in a terminal.
const INVISIBLE = /[\0-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;
const UNUSUAL = /[^ -~]/;
const PLAIN_VALUE = /^[\w.:/@+-]+$/;
const COLOURS: Readonly<Record<LogLevel, number>> = {
  error: 31,
  warn: 33,
  info: 32,
  debug: 36,
  trace: 34,
  spam: 90,
};

/**
 * Returns the renderer of entries for an output that is a terminal or not: JSON objects for machines, or `time LEVEL message key=value` for people.
 */
export function renderAs(
  format: LogSettings['format'],
  { isTerminal, colours }: { readonly isTerminal: boolean; readonly colours: boolean },
): Render {
  if (format === 'json' || (format === 'auto' && !isTerminal)) return renderJson;
  return (entry) => renderPretty(entry, colours);
}

/** Renders an entry as JSON, which it keeps. */
export function renderJson(entry: Entry): string {
  return (entry.json ??= jsonOf(entry));
}

const HEAD_FIELDS = ['time', 'level', 'message'] as const;

/** Renders the JSON of an entry from two texts, because an object of all members would double the cost. */
function jsonOf({ time, level, message, fields, fieldsJson }: Entry): string {
  const clashes = HEAD_FIELDS.some((name) => Object.hasOwn(fields, name));
  const members = (clashes ? JSON.stringify(renamed(fields)) : (fieldsJson ?? JSON.stringify(fields))).slice(
    1,
  );
  const separator = members === '}' ? '' : ',';
  const head = `{"time":"${time}","level":"${level}","message":${JSON.stringify(message)}`;
  return `${escapeControlChars(head + separator + members)}\n`;
}

/** Renames fields that clash with a member of the head. */
function renamed(fields: LogFields): LogFields {
  const members = Object.entries(fields).map(([name, value]) => [
    HEAD_FIELDS.some((field) => field === name) ? `${name}_` : name,
    value,
  ]);
  return Object.fromEntries(members) as LogFields;
}

function renderPretty(entry: Entry, colours: boolean): string {
  const level = entry.level.toUpperCase().padEnd(5);
  const shown = colours ? `\x1b[${COLOURS[entry.level]}m${level}\x1b[0m` : level;
  const fields = Object.entries(entry.fields).map(([name, value]) => ` ${name}=${prettyValue(value)}`);
  return `${entry.time} ${shown} ${escapeControlChars(entry.message + fields.join(''))}\n`;
}

function prettyValue(value: unknown): string {
  return typeof value === 'string' && PLAIN_VALUE.test(value) ? value : JSON.stringify(value);
}

/**
 * Escapes invisible characters. In JSON these occur only in strings, where the escape has the same meaning.
 */
function escapeControlChars(text: string): string {
  // Almost every text is printable ASCII; this test takes half the time of the replacement.
  if (!UNUSUAL.test(text)) return text;
  return text.replace(INVISIBLE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
