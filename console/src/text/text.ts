import { IntlMessageFormat } from 'intl-messageformat';
import type { Areas } from './areas.js';
import { locale } from './locale.js';

/** Messages of one language by area and key, as ICU MessageFormat texts or as their syntax trees. */
export type Messages = Readonly<Record<string, Readonly<Record<string, Message>>>>;
type Message = ConstructorParameters<typeof IntlMessageFormat>[0];

/** Values of the placeholders of a message. */
export type Values = Readonly<Record<string, string | number | Date>>;

/** Returns a message of one area in the language of the user, with its placeholders filled in. */
export type Text<A extends keyof Areas = keyof Areas> = ((key: KeyOf<A>, values?: Values) => string) & {
  readonly area: A;
};
export type KeyOf<A extends keyof Areas> = A extends unknown ? keyof Areas[A] & string : never;

let messages: Messages = {};
const formats = new Map<string, IntlMessageFormat>();

/** Sets the messages of all areas. Called once, before anything is rendered. */
export function setMessages(all: Messages): void {
  messages = all;
  formats.clear();
}

/**
 * Returns the messages of an area (`console/messages/<language>/<area>.json`). The area may be selected when a
 * module is loaded; a message is read when something is rendered.
 */
export function textOf<A extends keyof Areas>(area: A): Text<A> {
  const text = (key: KeyOf<A>, values?: Values): string => {
    const message = messageOf(area, key);
    if (typeof message === 'string' && !/[{}'<]/.test(message)) return message;
    return String(formatOf(area, key, message).format(values));
  };
  return Object.assign(text, { area });
}

/** Returns the parts of a message with tags; `values` has a function for each tag. */
export function partsOf<A extends keyof Areas, T>(
  area: A,
  key: KeyOf<A>,
  values: Readonly<Record<string, string | number | Date | T | ((children: readonly (string | T)[]) => T)>>,
): readonly (string | T)[] {
  const parts = formatOf(area, key, messageOf(area, key)).format<T>(values);
  return Array.isArray(parts) ? parts : [parts];
}

function messageOf(area: string, key: string): Message {
  const message = messages[area]?.[key];
  if (message === undefined) throw new Error(`console/messages has no text "${key}" in the area "${area}"`);
  return message;
}

function formatOf(area: string, key: string, message: Message): IntlMessageFormat {
  const name = `${area} ${key}`;
  const known = formats.get(name);
  if (known) return known;
  const format = new IntlMessageFormat(message, locale());
  formats.set(name, format);
  return format;
}
