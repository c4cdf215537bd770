import type { Stretch } from './code-positions.js';

/** A range of a text, and the fault there. */
export interface TextFault extends Stretch {
  readonly message: string;
}

const TOKEN = /[{}[\],:]|"(?:[^"\\\n]|\\.)*"?|[^\s{}[\],:"]+/g;

/** What the grammar allows next: a value, the first name or the end of an object, a name, and so on. */
type Next = 'value' | 'value or ]' | 'name' | 'name or }' | 'colon' | 'comma' | 'end';

const WANTED: Readonly<Record<Next, string>> = {
  value: 'a value',
  'value or ]': 'a value or ]',
  name: 'a name in double quotes',
  'name or }': 'a name in double quotes or }',
  colon: 'a colon',
  comma: 'a comma or the closing bracket',
  end: 'the end of the text',
};

/**
 * Finds the first position where a text is not JSON (RFC 8259), and what is expected there; undefined for
 * valid JSON. Browsers do not always report the position.
 */
export function jsonFault(text: string): TextFault | undefined {
  if (isJson(text)) return undefined;
  const open: string[] = [];
  let next: Next = 'value';
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const after = step(open, next, token);
    const place = { from: index, to: index + token.length };
    if (after === undefined) return { ...place, message: `${WANTED[next]} is expected here` };
    next = after;
  }
  const end = { from: Math.max(text.trimEnd().length - 1, 0), to: text.length };
  return { ...end, message: `the text ends where ${WANTED[next]} is expected` };
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
function step(open: string[], next: Next, token: string): Next | undefined {
  if (token === '}' || token === ']') return closing(open, next, token);
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
      return excerptStart(open, token);
  }
}

function excerptStart(open: string[], token: string): Next | undefined {
  if (token !== '{' && token !== '[') return isJson(token) ? afterValue(open) : undefined;
  open.push(token);
  return token === '{' ? 'name or }' : 'value or ]';
}

function closing(open: string[], next: Next, token: string): Next | undefined {
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
