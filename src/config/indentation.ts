/** What is wrong with a line that YAML cannot read, in words. */
interface LineFault {
  /** Offset of the first character of the line that is not a space. */
  readonly offset: number;
  readonly message: string;
  readonly fix: string;
}

/** Indentation, list indicators, and the name of a key. */
const KEY = /^( *(?:- +)*)(?:"[^"]*"|'[^']*'|[^\s#"'[{&*!|>%@`-][^:#]*):(?: |$)/;

/**
 * Returns what is wrong with the line at or directly around the given one, at which YAML stopped: a mistake of
 * one line, a line that is indented too deeply, or beside no sibling. Returns `undefined` for any other fault. Quotes no text. Lines count from 1.
 */
export function findLineFault(text: string, line: number): LineFault | undefined {
  const lines = text.split(/\r?\n/);
  const next = nextWritten(lines, line);
  const previous = previousWritten(lines, line) ?? line;
  const textOf = (at: number): string => lines[at - 1] ?? '';
  const faultAt = (at: number, [message, fix]: readonly [string, string]): LineFault => ({
    offset: offsetOf(text, at) + textOf(at).search(/\S/),
    message,
    fix,
  });
  for (const at of [line, previous]) {
    const words = MISTAKES.find(([pattern]) => pattern.test(textOf(at)) && !KEY.test(textOf(at)))?.[1];
    if (words) return faultAt(at, words);
  }
  for (const at of [line, next]) {
    const above = previousWritten(lines, at);
    if (above !== undefined && isDeeper(textOf(at), textOf(above))) return faultAt(at, deeperTexts(above));
  }
  const words = siblingWords(lines, line);
  return words && faultAt(line, words);
}

/** Mistakes of one line, by their form. The colon of an address such as `https://` or `[::1]:3000` ends no name. */
const MISTAKES: readonly (readonly [RegExp, readonly [message: string, fix: string]])[] = [
  [
    /^(?:<{7}|={7}|>{7})(?: |$)/,
    ['is the mark of a merge conflict', 'Keep one of the two versions, and remove the marks.'],
  ],
  [
    /^ *(?:- +)*[A-Za-z][\w-]*:[^\s:/]/,
    ['has a name without a space after its colon', 'Write a space after the colon.'],
  ],
  [
    /^ *(?:- +)*[A-Za-z][\w-]* *= *\S/,
    ['has "=" in place of a colon', 'Write a colon and a space after the name.'],
  ],
];

/** Returns the message and the fix for a line that is indented deeper than a line with a whole value. */
function deeperTexts(above: number): readonly [message: string, fix: string] {
  return [
    `is indented deeper than line ${above}, which has its value already`,
    `Remove spaces at the start of the line, so that it is indented as its siblings; or move the value of line ${above} into the lines below it.`,
  ];
}

/** Returns what is wrong with a line that stands below no line as its sibling; `undefined` if it has a sibling of its kind. */
function siblingWords(
  lines: readonly string[],
  line: number,
): readonly [message: string, fix: string] | undefined {
  const text = lines[line - 1] ?? '';
  if (!KEY.test(text) && !isItem(text)) return undefined;
  const own = indentOf(text);
  const open = openLines(lines, line);
  const [innermost] = open;
  if (!innermost || own > innermost.indent) return undefined;
  const sibling = open.find(({ indent }) => indent === own);
  if (sibling) return mixedWords(lines, { text, sibling: sibling.line });
  const places = open.map((one) => `${one.indent} as line ${one.line}`).join(', or ');
  return [
    `is indented by ${own === 1 ? '1 space' : `${own} spaces`}, as no line above it`,
    `Indent it by ${places}.`,
  ];
}

/** Returns what is wrong with an item of a list beside a name, or the reverse; `undefined` for siblings of the same kind. */
function mixedWords(
  lines: readonly string[],
  { text, sibling }: { readonly text: string; readonly sibling: number },
): readonly [message: string, fix: string] | undefined {
  const above = lines[sibling - 1] ?? '';
  if (isItem(text) === isItem(above)) return undefined;
  if (isItem(text))
    return /^[^#|>&!*]/.test(above.slice(KEY.exec(above)?.[0].length).trim())
      ? [
          `is an item of a list ("- ") beside the name on line ${sibling}`,
          'Indent the list below the name that it belongs to, or remove "- ".',
        ]
      : undefined;
  if (hasNameAbove(lines, sibling)) return undefined;
  return [
    `is a name beside the item of a list on line ${sibling} ("- ")`,
    'Indent the name below the item that it belongs to, or remove "- " there.',
  ];
}

/** Returns true for an item that stands as deep as the name of its list, as YAML allows. */
function hasNameAbove(lines: readonly string[], line: number): boolean {
  const own = indentOf(lines[line - 1] ?? '');
  const above = lines.slice(0, line - 1).filter(isWritten);
  const name = above.findLast((text) => indentOf(text) < own || (indentOf(text) === own && !isItem(text)));
  return name !== undefined && indentOf(name) === own;
}

/** Returns the lines above the given one whose objects and lists are still open there, from the innermost. */
function openLines(
  lines: readonly string[],
  line: number,
): readonly { readonly line: number; readonly indent: number }[] {
  const open: { line: number; indent: number }[] = [];
  for (let at = line - 1; at > 0; at -= 1) {
    const text = lines[at - 1] ?? '';
    const indent = indentOf(text);
    if (!isWritten(text) || !(KEY.test(text) || isItem(text)) || indent >= (open.at(-1)?.indent ?? Infinity))
      continue;
    open.push({ line: at, indent });
    if (indent === 0) break;
  }
  return open;
}

function isItem(text: string): boolean {
  return /^ *-(?: |$)/.test(text);
}

function indentOf(text: string): number {
  return text.search(/[^ ]|$/);
}

/** Returns true for a key that is indented deeper than a key with a value on its line. */
function isDeeper(text: string, above: string): boolean {
  const [parent, key] = [KEY.exec(above), KEY.exec(text)];
  if (!parent || !key) return false;
  const value = above.slice(parent[0].length).trim();
  return hasWholeValue(value) && (key[1] ?? '').search(/-|$/) > (parent[1]?.length ?? 0);
}

/** Returns true for a scalar that ends on its line. The values of blocks, anchors and brackets go on below. */
function hasWholeValue(value: string): boolean {
  if (value === '' || /^[#|>&*![{]/.test(value)) return false;
  return !/^["']/.test(value) || /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')(?: +#.*)?$/.test(value);
}

function isWritten(line: string): boolean {
  return !/^\s*(?:#.*)?$/.test(line);
}

function nextWritten(lines: readonly string[], line: number): number {
  const found = lines.slice(line).findIndex(isWritten);
  return found < 0 ? line : line + found + 1;
}

function previousWritten(lines: readonly string[], line: number): number | undefined {
  const found = lines.slice(0, line - 1).findLastIndex(isWritten);
  return found < 0 ? undefined : found + 1;
}

function offsetOf(text: string, line: number): number {
  let offset = 0;
  for (let at = 1; at < line; at += 1) offset = text.indexOf('\n', offset) + 1;
  return offset;
}
