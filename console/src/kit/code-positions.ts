import { pointerTo } from '../../../src/json/pointer.js';

/** A range of a text: offsets from 0, `to` is exclusive. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** A position in a text, in any of the forms that error messages use. */
export type TextPosition =
  | TextRange
  /** RFC 6901 pointer into the JSON of the text. */
  | { readonly pointer: string }
  /** Both count from 1. */
  | { readonly line: number; readonly column?: number };

/** Returns the range of a position in a text, or of the closest enclosing value that exists. */
export function rangeOf(text: string, position: TextPosition): TextRange {
  if ('pointer' in position) return rangeOfPointer(text, position.pointer);
  if ('line' in position) return rangeOfLine(text, position.line, position.column ?? 1);
  const from = Math.min(Math.max(position.from, 0), text.length);
  return { from, to: Math.min(Math.max(position.to, from), text.length) };
}

/** Returns the range from a line and column to the end of the word there. */
function rangeOfLine(text: string, line: number, column: number): TextRange {
  let start = 0;
  for (let left = line; left > 1; left -= 1) {
    const end = text.indexOf('\n', start);
    if (end < 0) break;
    start = end + 1;
  }
  const end = text.indexOf('\n', start);
  const stop = end < 0 ? text.length : end;
  const from = Math.min(start + column - 1, stop);
  const word = /^[\w.:-]+/.exec(text.slice(from, stop))?.[0].length ?? 1;
  return { from, to: Math.min(from + word, stop) };
}

/** A scanned value: from its name (or from the value itself, in a list) to its end. */
interface ScannedValue extends TextRange {
  readonly path: readonly string[];
}

/** Returns the range of the name (or value) at a pointer, or of its deepest existing ancestor. */
function rangeOfPointer(text: string, pointer: string): TextRange {
  const path = pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  let closest: ScannedValue = { path: [], from: 0, to: Math.min(1, text.length) };
  eachValue(text, (found) => {
    const isAncestor = found.path.every((name, at) => name === path[at]);
    if (isAncestor && found.path.length > closest.path.length) closest = found;
  });
  return { from: closest.from, to: closest.to };
}

/**
 * Returns the pointer of the value that contains an offset; the outermost value if the text is incomplete.
 */
export function pointerAt(text: string, offset: number): string {
  let closest: readonly string[] = [];
  let size = Infinity;
  eachValue(text, ({ path, from, end }) => {
    const isInside = from <= offset && offset <= end;
    if (isInside && path.length >= closest.length && end - from <= size) {
      closest = path;
      size = end - from;
    }
  });
  return closest.reduce(pointerTo, '');
}

interface Frame {
  readonly isList: boolean;
  /** Start of the value: its name, or the value itself. */
  readonly from: number;
  readonly path: readonly string[];
  readonly head: number;
  count: number;
  /** The name whose value follows. */
  name: { readonly text: string; readonly from: number; readonly to: number } | undefined;
}

const TOKEN = /[{}[\],:]|"(?:[^"\\\n]|\\.)*"?|[^\s{}[\],:"]+/g;

type ValueVisitor = (found: ScannedValue & { readonly end: number }) => void;

/** Visits the values of a JSON text, also if the text is incomplete. */
function eachValue(text: string, visit: ValueVisitor): void {
  const stack: Frame[] = [];
  for (const { 0: token, index } of text.matchAll(TOKEN)) readToken(stack, { token, index }, visit);
  for (const { path, from, head } of stack.reverse()) visit({ path, from, to: head, end: text.length });
}

interface TokenAt {
  readonly token: string;
  readonly index: number;
}

function readToken(stack: Frame[], { token, index }: TokenAt, visit: ValueVisitor): void {
  const frame = stack.at(-1);
  const end = index + token.length;
  switch (token) {
    case ':':
      return;
    case ',':
      if (frame) endOfMember(frame);
      return;
    case '{':
    case '[':
      stack.push(openFrame(frame, token === '[', index));
      return;
    case '}':
    case ']':
      stack.pop();
      if (frame) visit({ path: frame.path, from: frame.from, to: frame.head, end });
      return;
    default:
      readText(frame, { token, index }, visit);
  }
}

/** Reads a name, or a value. */
function readText(frame: Frame | undefined, { token, index }: TokenAt, visit: ValueVisitor): void {
  const position = { from: index, to: index + token.length };
  if (frame && isName(frame)) frame.name = { text: unquoted(token), ...position };
  else visit({ path: pathIn(frame), ...(frame?.name ?? position), end: position.to });
}

function isName(frame: Frame): boolean {
  return !frame.isList && frame.name === undefined;
}

function openFrame(parent: Frame | undefined, isList: boolean, at: number): Frame {
  const from = parent?.name?.from ?? at;
  const head = parent?.name?.to ?? at + 1;
  return { isList, from, head, path: pathIn(parent), count: 0, name: undefined };
}

function endOfMember(frame: Frame): void {
  frame.count += 1;
  frame.name = undefined;
}

function pathIn(frame: Frame | undefined): readonly string[] {
  if (!frame) return [];
  return [...frame.path, frame.isList ? String(frame.count) : (frame.name?.text ?? '')];
}

function unquoted(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    return token;
  }
}
