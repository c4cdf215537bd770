import { IntlMessageFormat } from 'intl-messageformat';
import { locale } from './locale.js';
import type { MessageValues } from './message-values.js';
import type { Value } from './value.js';

/** Messages of one language by area and key, as ICU MessageFormat texts or as their syntax trees. */
type Messages = Readonly<Record<string, Readonly<Record<string, Message>>>>;
type Message = ConstructorParameters<typeof IntlMessageFormat>[0];

/** Name of a message file. */
export type Area = keyof MessageValues;
export type KeyOf<A extends Area> = A extends unknown ? keyof MessageValues[A] & string : never;
/** Keys of the messages that need these values only. */
export type KeyFor<A extends Area, V> = {
  [K in KeyOf<A>]: V extends MessageValues[A][K & keyof MessageValues[A]] ? K : never;
}[KeyOf<A>];
/** Keys of the messages without placeholders. */
export type PlainKeyOf<A extends Area> = KeyFor<A, object>;

/** Values of the placeholders of a message. */
type Values = Readonly<Record<string, Value | number>>;

/** Values that a message needs; for a key that is one of several, the values of all of them. */
export type NeededValues<A extends Area, K extends string> = Intersection<
  A extends unknown ? MessageValues[A][K & keyof MessageValues[A]] : never
>;
type Intersection<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void
  ? I
  : never;

/** Returns a message of one area in the language of the user, with its placeholders filled in. */
export interface Text<A extends Area = Area> {
  <K extends KeyOf<A>>(
    key: K,
    ...values: object extends NeededValues<A, K> ? [values?: Values] : [values: NeededValues<A, K> & Values]
  ): string;
  readonly area: A;
}

/** Areas whose messages name and explain a page. */
export type PageArea = {
  [A in Area]: 'title' | 'page.help' extends PlainKeyOf<A> ? A : never;
}[Area];

let messages: Messages = {};
const formats = new Map<string, IntlMessageFormat>();
/** Names of the messages that have been reported. */
const reported = new Set<string>();

/** Adds the messages of a page, before it is rendered. */
export function addMessages(more: Messages): void {
  messages = { ...messages, ...more };
}

/** Sets the messages of all areas. */
export function setMessages(all: Messages): void {
  messages = all;
  formats.clear();
  reported.clear();
}

/**
 * Returns the messages of an area (`messages/<language>/<area>.json` in `console`, or in the folder of a page). The area may be selected when a
 * module is loaded; a message is read when something is rendered. A message that cannot be filled in is reported,
 * and shown with its placeholders: a text must not break the page.
 */
export function textOf<A extends Area>(area: A): Text<A> {
  const text = (key: string, values?: Values): string => {
    const message = messages[area]?.[key];
    if (typeof message === 'string' && !/[{}'<]/.test(message)) return message;
    return formatted(area, key, (format) => String(format.format(values)));
  };
  return Object.assign(text, { area });
}

/** Returns the name and the help of a page; both can be shown before the page is loaded. */
export function pageTextOf(area: PageArea): (key: 'title' | 'page.help') => string {
  return textOf(area);
}

/** Returns the parts of a message with tags; `values` has a function for each tag. */
export function partsOf<T>(
  area: Area,
  key: string,
  values: Readonly<Record<string, Value | T | ((children: readonly (string | T)[]) => T)>>,
): readonly (string | T)[] {
  const parts = formatted<string | T | (string | T)[]>(area, key, (format) => format.format<T>(values));
  return Array.isArray(parts) ? parts : [parts];
}

/** Fills in a message. Reports a failure once, and returns the text with its placeholders, or the key, instead. */
function formatted<T>(area: Area, key: string, fillIn: (format: IntlMessageFormat) => T): T | string {
  const message = messages[area]?.[key];
  try {
    if (message === undefined) throw new Error('There is no such message.');
    return fillIn(formatOf(area, key, message));
  } catch (error) {
    report(`${area} ${key}`, error);
    return message === undefined ? key : templateOf(message);
  }
}

function formatOf(area: string, key: string, message: Message): IntlMessageFormat {
  const name = `${area} ${key}`;
  const known = formats.get(name);
  if (known) return known;
  const format = new IntlMessageFormat(message, locale());
  formats.set(name, format);
  return format;
}

/** Returns a message with the names of its placeholders in place of their values. */
function templateOf(message: Message): string {
  if (typeof message === 'string') return message;
  const texts = message.map((element) => {
    if (!('value' in element)) return '';
    return (element.type as number) === LITERAL ? element.value : `{${element.value}}`;
  });
  return texts.join('');
}

/** Type of the literal texts of a message in its syntax tree. */
const LITERAL = 0;

function report(name: string, cause: unknown): void {
  if (reported.has(name)) return;
  reported.add(name);
  const error = new Error(`The message "${name}" of the pages cannot be shown.`, { cause });
  // Browsers log the error as if it had not been caught.
  (globalThis as { reportError?: (error: Error) => void }).reportError?.(error);
}
