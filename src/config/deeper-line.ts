/** A line that is indented deeper than the key above it although that key has its value on its own line. */
export interface DeeperLine {
  /** Offset of the first character of the line that is not a space. */
  readonly offset: number;
  /** Number of the line above it, from 1. */
  readonly above: number;
}

/** Indentation, list indicators, and the name of a key. */
const KEY = /^( *(?:- +)*)(?:"[^"]*"|'[^']*'|[^\s#"'[{&*!|>%@`-][^:#]*):(?: |$)/;

/**
 * Returns the line at or directly after the given one that is indented too deeply, which YAML reads as a part of the value
 * above; `undefined` if there is none. Lines count from 1.
 */
export function findDeeperLine(text: string, line: number): DeeperLine | undefined {
  const lines = text.split(/\r?\n/);
  for (const at of [line, nextWritten(lines, line)]) {
    const above = previousWritten(lines, at);
    if (above !== undefined && isDeeper(lines[at - 1] ?? '', lines[above - 1] ?? ''))
      return { offset: offsetOf(text, at) + (lines[at - 1] ?? '').search(/\S/), above };
  }
  return undefined;
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
