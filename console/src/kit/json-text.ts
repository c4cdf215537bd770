import type { TextRange } from './code-positions.js';
import { text as messages } from './kit-text.js';

/** The range of an error in a text, and its message. */
interface TextFault extends TextRange {
  readonly message: string;
}

const JSON_TOKEN = /[{}[\],:]|"(?:[^"\\\n]|\\.)*"?|[^\s{}[\],:"]+/g;

/** The tokens that the JSON grammar allows next. */
type Next = 'value' | 'value or ]' | 'name' | 'name or }' | 'colon' | 'comma' | 'end';

const EXPECTED = {
  value: 'json.value',
  'value or ]': 'json.valueOrEnd',
  name: 'json.name',
  'name or }': 'json.nameOrEnd',
  colon: 'json.colon',
  comma: 'json.comma',
  end: 'json.endOfText',
} as const satisfies Readonly<Record<Next, string>>;

/**
 * Returns the first syntax error of a JSON text (RFC 8259) with the expected token; undefined for valid JSON.
 * Browsers do not always report the position.
 */
export function jsonFault(text: string): TextFault | undefined {
  if (isJson(text)) return undefined;
  const open: string[] = [];
  let next: Next = 'value';
  for (const { 0: token, index } of text.matchAll(JSON_TOKEN)) {
    const after = nextAfter(open, next, token);
    const range = { from: index, to: index + token.length };
    if (after === undefined)
      return { ...range, message: messages('json.expected', { what: messages(EXPECTED[next]) }) };
    next = after;
  }
  const end = { from: Math.max(text.trimEnd().length - 1, 0), to: text.length };
  return { ...end, message: messages('json.end', { what: messages(EXPECTED[next]) }) };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns what may follow a token; undefined if the token is not allowed there. */
function nextAfter(open: string[], next: Next, token: string): Next | undefined {
  if (token === '}' || token === ']') return afterClosing(open, next, token);
  switch (next) {
    case 'colon':
      return token === ':' ? 'value' : undefined;
    case 'comma':
      return token === ',' ? afterComma(open) : undefined;
    case 'name':
    case 'name or }':
      return token.startsWith('"') && isJson(token) ? 'colon' : undefined;
    case 'end':
      return undefined;
    default:
      return afterValueStart(open, token);
  }
}

function afterValueStart(open: string[], token: string): Next | undefined {
  if (token !== '{' && token !== '[') return isJson(token) ? afterValue(open) : undefined;
  open.push(token);
  return token === '{' ? 'name or }' : 'value or ]';
}

function afterClosing(open: string[], next: Next, token: string): Next | undefined {
  const isEmpty = token === '}' ? next === 'name or }' : next === 'value or ]';
  if (!isEmpty && next !== 'comma') return undefined;
  if (open.pop() !== (token === '}' ? '{' : '[')) return undefined;
  return afterValue(open);
}

function afterValue(open: readonly string[]): Next {
  return open.length === 0 ? 'end' : 'comma';
}

function afterComma(open: readonly string[]): Next {
  return open.at(-1) === '[' ? 'value' : 'name';
}

/** Returns the reason why a text is not a JSON object; undefined for a JSON object. */
export function faultOfObject(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? undefined
      : messages('json.object');
  } catch (error) {
    return messages('json.invalid', { reason: (error as Error).message });
  }
}

/** Maximum length of the shown text, in characters. */
const MAX_SHOWN_CHARS = 200_000;

/**
 * Formats a text for reading: JSON is indented, and its numbers keep all digits; other texts stay unchanged.
 * Long texts are cut with a note.
 */
export function readableText(text: string): string {
  const shown = text.length > MAX_SHOWN_CHARS ? text : prettyJson(text);
  if (shown.length <= MAX_SHOWN_CHARS) return shown;
  const rest = messages('json.more', { count: shown.length - MAX_SHOWN_CHARS });
  return `${shown.slice(0, MAX_SHOWN_CHARS)}\n${rest}`;
}

/** A string, an empty list or object, a punctuation character, or any other token. */
const PRETTY_TOKEN = /"(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * Formats JSON with one line for each member. Tokens stay unchanged: numbers keep all digits, members their
 * order. A text that is not JSON is returned unchanged.
 */
export function prettyJson(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  let depth = 0;
  const line = (change: number): string => {
    depth += change;
    return `\n${'  '.repeat(depth)}`;
  };
  const written: Readonly<Record<string, (token: string) => string>> = {
    '{': (token) => token + line(1),
    '[': (token) => token + line(1),
    '}': (token) => line(-1) + token,
    ']': (token) => line(-1) + token,
    ',': (token) => token + line(0),
    ':': () => ': ',
  };
  return (text.match(PRETTY_TOKEN) ?? [])
    .map((token) => written[token]?.(token) ?? (/^[{[]/.test(token) ? token.replace(/\s/g, '') : token))
    .join('');
}
