const TAB = 9;

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', '"': '"', '\\': '\\' };

/** Decoded text between double quotes, with a flag for escapes that YANG 1.1 does not define. */
interface DoubleQuoted {
  readonly value: string;
  readonly hasUnknownEscape: boolean;
}

/** Returns the offset of the closing double quote; negative without one. */
export function endOfDoubleQuoted(text: string, start: number): number {
  let end = text.indexOf('"', start);
  while (end > start && isEscaped(text, end, start)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number, start: number): boolean {
  let slashes = 0;
  while (at - slashes > start && text[at - slashes - 1] === '\\') slashes += 1;
  return slashes % 2 === 1;
}

/** Returns the number of columns of a text before an opening quote. A tab counts as 8 (RFC 7950 6.1.3). */
export function widthOf(text: string): number {
  let width = 0;
  for (let at = 0; at < text.length; at += 1) width += text.charCodeAt(at) === TAB ? 8 : 1;
  return width;
}

/**
 * Decodes a text in double quotes (RFC 7950 6.1.3). Trims white space before each line break, and up to
 * `indent` columns of white space after it. Replaces escapes; an unknown escape remains as written, as in
 * YANG 1.0.
 */
export function readDoubleQuoted(raw: string, indent: number): DoubleQuoted {
  const trimmed = raw.includes('\n') ? trimLines(raw, indent) : raw;
  if (!trimmed.includes('\\')) return { value: trimmed, hasUnknownEscape: false };
  let hasUnknownEscape = false;
  const value = trimmed.replaceAll(/\\([^])/g, (written, escaped: string) => {
    const character = ESCAPES[escaped];
    hasUnknownEscape ||= character === undefined;
    return character ?? written;
  });
  return { value, hasUnknownEscape };
}

function trimLines(raw: string, indent: number): string {
  const lines = raw.split('\n');
  return lines
    .map((line, at) => {
      const trimmedEnd = at < lines.length - 1 ? withoutTrailingBlanks(line) : line;
      return at === 0 ? trimmedEnd : withoutIndent(trimmedEnd, indent);
    })
    .join('\n');
}

function withoutTrailingBlanks(line: string): string {
  let end = line.length;
  while (end > 0 && (line[end - 1] === ' ' || line[end - 1] === '\t' || line[end - 1] === '\r')) end -= 1;
  return line.slice(0, end);
}

function withoutIndent(line: string, indent: number): string {
  let width = 0;
  let at = 0;
  while (width < indent && (line[at] === ' ' || line[at] === '\t')) {
    width += line[at] === '\t' ? 8 : 1;
    at += 1;
  }
  // The columns of a tab beyond the indentation remain as spaces.
  return ' '.repeat(Math.max(0, width - indent)) + line.slice(at);
}
