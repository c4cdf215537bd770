const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', '"': '"', '\\': '\\' };

/** Text between double quotes. `odd` is true if it contains an escape that YANG 1.1 does not know. */
export interface DoubleQuoted {
  readonly value: string;
  readonly odd: boolean;
}

/**
 * Decodes a text in double quotes (RFC 7950 6.1.3). Trims white space around each inner line break, at the
 * line's start up to `indent` columns, and replaces escapes. An unknown escape is kept as written (YANG 1.0).
 */
export function readDoubleQuoted(raw: string, indent: number): DoubleQuoted {
  const trimmed = raw.includes('\n') ? trimLines(raw, indent) : raw;
  if (!trimmed.includes('\\')) return { value: trimmed, odd: false };
  let odd = false;
  const value = trimmed.replaceAll(/\\([^])/g, (written, letter: string) => {
    const meant = ESCAPES[letter];
    odd ||= meant === undefined;
    return meant ?? written;
  });
  return { value, odd };
}

function trimLines(raw: string, indent: number): string {
  const lines = raw.split('\n');
  return lines
    .map((line, at) => {
      const tailless = at < lines.length - 1 ? line.replace(/[ \t\r]+$/, '') : line;
      return at === 0 ? tailless : withoutIndent(tailless, indent);
    })
    .join('\n');
}

function withoutIndent(line: string, indent: number): string {
  let width = 0;
  let at = 0;
  while (width < indent && (line[at] === ' ' || line[at] === '\t')) {
    width += line[at] === '\t' ? 8 : 1;
    at += 1;
  }
  // A tab that extends beyond the indentation leaves its remaining columns as spaces.
  return ' '.repeat(Math.max(0, width - indent)) + line.slice(at);
}
