import { pointerTokens } from './pointer.js';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const [OPENING_BRACKET, CLOSING_BRACKET] = [0x5b, 0x5d];
const [OPENING_BRACE, CLOSING_BRACE] = [0x7b, 0x7d];

/**
 * Returns the JSON text of an object with the values of some members replaced by empty objects. The rest of the text is
 * unchanged, and nothing is parsed: the values may be large. The text must be the valid JSON of an object.
 */
export function withEmptyMembers(json: string, names: ReadonlySet<string>): string {
  let result = '';
  let copied = 0;
  for (const { name, start, end } of membersOf(json)) {
    if (!names.has(name)) continue;
    result += `${json.slice(copied, start)}{}`;
    copied = end;
  }
  return result + json.slice(copied);
}

/**
 * Returns where the text of the value at a JSON pointer is, without blanks around it; undefined if a token names no member of an
 * object. The text must be valid JSON.
 */
export function textOfValue(
  json: string,
  pointer: string,
): { readonly from: number; readonly to: number } | undefined {
  let [from, to] = [0, json.length];
  for (const token of pointerTokens(pointer)) {
    const text = json.slice(from, to);
    if (!/^\s*\{/.test(text)) return undefined;
    const member = [...membersOf(text)].findLast(({ name }) => name === token);
    if (!member) return undefined;
    [from, to] = [from + member.start, from + member.end];
  }
  const text = json.slice(from, to);
  const start = text.length - text.trimStart().length;
  return { from: from + start, to: from + start + text.trim().length };
}

/** A member of an object: its name, and where the text of its value is. */
interface TextMember {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

function* membersOf(json: string): Generator<TextMember> {
  let start = 0;
  let name: string | undefined;
  for (let at = json.indexOf('{') + 1; at < json.length; at += 1) {
    switch (json.charCodeAt(at)) {
      case QUOTE: {
        const end = endOfString(json, at);
        name ??= JSON.parse(json.slice(at, end)) as string;
        at = end - 1;
        break;
      }
      case OPENING_BRACKET:
      case OPENING_BRACE:
        at = endOfContainer(json, at) - 1;
        break;
      case COLON:
        start = at + 1;
        break;
      case COMMA:
      case CLOSING_BRACE:
        if (name !== undefined) yield { name, start, end: at };
        name = undefined;
    }
  }
}

/** Returns the index after the bracket or brace that closes the one at `start`. */
function endOfContainer(json: string, start: number): number {
  let depth = 0;
  for (let at = start; at < json.length; at += 1) {
    switch (json.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(json, at) - 1;
        break;
      case OPENING_BRACKET:
      case OPENING_BRACE:
        depth += 1;
        break;
      case CLOSING_BRACKET:
      case CLOSING_BRACE:
        depth -= 1;
        if (depth === 0) return at + 1;
    }
  }
  return json.length;
}

/** Returns the index after the closing quote of the string that starts at `start`. */
function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); ; at = json.indexOf('"', at + 1)) {
    if (at < 0) return json.length;
    let backslashes = 0;
    while (json.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return at + 1;
  }
}
