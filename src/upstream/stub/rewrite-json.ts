import { MASKED } from './secret-mask.js';

/** Rewrite rules for the parts of a JSON text. */
interface JsonRewrite {
  /** Rewrites a string or a member name, given without quotes and escapes. */
  readonly text: (value: string) => string;
  /** Rewrites a number, given as written. */
  readonly number: (written: string) => string;
  /** Returns true for a member whose value is replaced by an empty value of the same type. */
  readonly hides: (name: string) => boolean;
}

/**
 * Rewrites a well-formed JSON text; unchanged parts remain identical to the letter, including long numbers.
 */
export function rewriteJson(json: string, { text, number, hides }: JsonRewrite): string {
  const next = /"|-?\d[\d.eE+-]*/g;
  let rewritten = '';
  let copied = 0;
  const replace = (section: string, from: number, to: number): void => {
    rewritten += json.slice(copied, from) + section;
    copied = to;
    next.lastIndex = to;
  };
  for (let found = next.exec(json); found; found = next.exec(json)) {
    const from = found.index;
    const [token] = found;
    if (token !== '"') {
      replace(number(token), from, from + token.length);
      continue;
    }
    const to = endOfString(json, from);
    const value = JSON.parse(json.slice(from, to)) as string;
    const changed = text(value);
    replace(changed === value ? json.slice(from, to) : JSON.stringify(changed), from, to);
    const valueAt = afterColon(json, to);
    if (valueAt !== undefined && hides(value))
      replace(emptyValueLike(json, valueAt), valueAt, endOfJsonValue(json, valueAt));
  }
  return rewritten + json.slice(copied);
}

/**
 * Returns an empty value of the same type as the value at `at`; true, false and null are kept, because they
 * reveal nothing.
 */
export function emptyValueLike(json: string, at: number): string {
  const first = json.charAt(at);
  if (first === '"') return `"${MASKED}"`;
  if (first === '{') return '{}';
  if (first === '[') return '[]';
  return /[-\d]/.test(first) ? '0' : json.slice(at, endOfJsonValue(json, at));
}

/** Returns the end of the value at `at`, or the end of the text if the value is incomplete. */
export function endOfJsonValue(json: string, at: number): number {
  const first = json.charAt(at);
  if (first === '"') return endOfString(json, at);
  return first === '{' || first === '[' ? endOfBrackets(json, at) : endOfScalar(json, at);
}

function endOfString(json: string, from: number): number {
  let at = from + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return Math.min(at + 1, json.length);
}

function endOfBrackets(json: string, from: number): number {
  let depth = 0;
  let at = from;
  do {
    const char = json[at];
    if (char === '{' || char === '[') depth += 1;
    if (char === '}' || char === ']') depth -= 1;
    at = char === '"' ? endOfString(json, at) : at + 1;
  } while (depth > 0 && at < json.length);
  return at;
}

function endOfScalar(json: string, from: number): number {
  const end = /[\s,\]}]/g;
  end.lastIndex = from;
  return end.exec(json)?.index ?? json.length;
}

/** Returns the start of a member's value after its name; `undefined` after any other string. */
function afterColon(json: string, at: number): number | undefined {
  const colon = /\s*:\s*/y;
  colon.lastIndex = at;
  return colon.test(json) ? colon.lastIndex : undefined;
}
