/** A stretch of a text: offsets from 0, `to` not included. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** A place in a text, as whoever complains of it knows it. */
export type CodePlace =
  | Stretch
  /** RFC 6901 pointer into the JSON that the text is. */
  | { readonly pointer: string }
  /** Both from 1. */
  | { readonly line: number; readonly column?: number };

/** Finds a place in a text; the nearest one around it that is there. */
export function stretchOf(text: string, place: CodePlace): Stretch {
  if ('pointer' in place) return stretchOfPointer(text, place.pointer);
  if ('line' in place) return stretchOfLine(text, place.line, place.column ?? 1);
  const from = Math.min(Math.max(place.from, 0), text.length);
  return { from, to: Math.min(Math.max(place.to, from), text.length) };
}

/** From a line and column to the end of the word there. */
function stretchOfLine(text: string, line: number, column: number): Stretch {
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

/** Where the JSON scanner met a value: from its name (or itself, in a list) to its end. */
interface Found extends Stretch {
  readonly path: readonly string[];
}

/** The name (or value) that a pointer means; of the deepest one on the way that is there. */
function stretchOfPointer(text: string, pointer: string): Stretch {
  const wanted = pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  let best: Found = { path: [], from: 0, to: Math.min(1, text.length) };
  eachValue(text, (found) => {
    const isOnTheWay = found.path.every((name, at) => name === wanted[at]);
    if (isOnTheWay && found.path.length > best.path.length) best = found;
  });
  return { from: best.from, to: best.to };
}

/** Pointer of the value in which an offset stands; of the outermost one when the text breaks off before. */
export function pointerAt(text: string, offset: number): string {
  let best: readonly string[] = [];
  let size = Infinity;
  eachValue(text, ({ path, from, end }) => {
    const isInside = from <= offset && offset <= end;
    if (isInside && path.length >= best.length && end - from <= size) {
      best = path;
      size = end - from;
    }
  });
  return best.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

interface Frame {
  readonly isList: boolean;
  /** Where the value that it is begins: at its name, or at itself. */
  readonly from: number;
  readonly path: readonly string[];
  readonly head: number;
  count: number;
  /** The name that waits for its value. */
  name: { readonly text: string; readonly from: number; readonly to: number } | undefined;
}

const TOKEN = /[{}[\],:]|"(?:[^"\\\n]|\\.)*"?|[^\s{}[\],:"]+/g;

/** Told of each value when it ends. */
type NodeVisit = (found: Found & { readonly end: number }) => void;

/** Walks over the values of a JSON text, as far as it is one. */
function eachValue(text: string, visit: NodeVisit): void {
  const stack: Frame[] = [];
  for (const { 0: token, index } of text.matchAll(TOKEN)) readToken(stack, { token, index }, visit);
  for (const { path, from, head } of stack.reverse()) visit({ path, from, to: head, end: text.length });
}

interface TokenAt {
  readonly token: string;
  readonly index: number;
}

function readToken(stack: Frame[], { token, index }: TokenAt, visit: NodeVisit): void {
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

/** A name, which its value follows, or a value. */
function readText(frame: Frame | undefined, { token, index }: TokenAt, visit: NodeVisit): void {
  const place = { from: index, to: index + token.length };
  if (frame && isName(frame)) frame.name = { text: unquoted(token), ...place };
  else visit({ path: pathIn(frame), ...(frame?.name ?? place), end: place.to });
}

/** True where the next text is the name of a member. */
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
