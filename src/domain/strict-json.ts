import { pointerTo } from './pointer.js';

/** Nesting that a document may have; deeper ones overflow the stack of whoever walks them later. */
export const JSON_DEPTH = 64;

/** Why a text is not taken as JSON. */
export interface JsonFault {
  readonly pointer: string;
  readonly message: string;
}

export type JsonResult = { readonly value: unknown } | { readonly fault: JsonFault };

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses bytes as JSON (RFC 8259) and refuses what parsers disagree about: invalid UTF-8, a byte order mark,
 * a member name twice in one object, nesting beyond {@link JSON_DEPTH}, and numbers that would lose digits.
 */
export function parseJson(bytes: Uint8Array): JsonResult {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { fault: { pointer: '', message: 'is not valid UTF-8' } };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { fault: { pointer: '', message: syntaxMessage(text, error) } };
  }
  const fault = scan(text);
  return fault ? { fault } : { value };
}

/** V8's message quotes the text around the fault, which may be a password: the position alone is kept, where it gives one. */
function syntaxMessage(text: string, error: unknown): string {
  if (text.trim() === '') return 'is empty';
  const position = /position (\d+)/.exec(String(error))?.[1];
  if (position === undefined) return 'is not well-formed JSON';
  const before = text.slice(0, Number(position)).split('\n');
  return `is not well-formed JSON at line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}

interface Level {
  /** Names seen so far; `undefined` inside an array. */
  readonly names: Set<string> | undefined;
  readonly pointer: string;
  /** Name or index of the member that the walk is at. */
  key: string | number;
}

// A token that matters: a string (with the colon that makes it a name), one punctuation mark, or a number.
// The string part is unrolled, so that a long string costs the engine no stack.
const TOKENS = /"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?|[{}[\],]|-?\d[\d.eE+-]*/gs;

/** Walks the tokens of a text that is known to be well-formed. */
function scan(text: string): JsonFault | undefined {
  const levels: Level[] = [];
  for (const [mark, name, colon] of text.matchAll(TOKENS)) {
    const fault = colon === undefined ? punctuate(levels, mark) : enterMember(levels.at(-1), name ?? '');
    if (fault) return fault;
  }
  return undefined;
}

function punctuate(levels: Level[], mark: string): JsonFault | undefined {
  const level = levels.at(-1);
  if (/^[-\d]/.test(mark)) return lossy(mark) ? { pointer: here(level), message: LOSSY } : undefined;
  if (mark === '{' || mark === '[') {
    const pointer = here(level);
    if (levels.length === JSON_DEPTH)
      return { pointer, message: `is nested deeper than ${JSON_DEPTH} levels` };
    levels.push({ names: mark === '{' ? new Set() : undefined, pointer, key: 0 });
  } else if (mark === '}' || mark === ']') {
    levels.pop();
  } else if (mark === ',' && typeof level?.key === 'number') {
    level.key += 1;
  }
  return undefined;
}

const LOSSY = 'is a number with more digits than can be kept; send it as a string';

function here(level: Level | undefined): string {
  return level ? pointerTo(level.pointer, level.key) : '';
}

/** The longest double, written out without an exponent, has 767 digits; more than a few dozen are noise. */
const LONGEST_NUMBER = 400;

/** Binary doubles keep 15 decimal digits always, and 16 or 17 sometimes. */
function lossy(written: string): boolean {
  // No number that is kept is longer, and what follows takes a time that grows with the square of the length.
  if (written.length > LONGEST_NUMBER) return true;
  const value = Number(written);
  if (!Number.isFinite(value)) return true;
  const digits = significant(written);
  return digits.length > 15 && digits !== significant(String(value));
}

function significant(number: string): string {
  const [mantissa = ''] = number.split(/e/i);
  return mantissa.replace(/[-.]/g, '').replace(/^0+|0+$/g, '');
}

function enterMember(level: Level | undefined, written: string): JsonFault | undefined {
  if (!level?.names) return undefined;
  const name = JSON.parse(`"${written}"`) as string;
  if (level.names.has(name))
    return { pointer: pointerTo(level.pointer, name), message: 'stands twice in its object' };
  level.names.add(name);
  level.key = name;
  return undefined;
}
