const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', '"': '"', '\\': '\\' };

/** What stood between double quotes, and whether it held an escape that YANG 1.1 does not know. */
export interface DoubleQuoted {
  readonly value: string;
  readonly odd: boolean;
}

/**
 * Undoes double quotes (RFC 7950 6.1.3): white space around each inner line break is trimmed, at the line's
 * start up to `indent` columns, and escapes are replaced. An unknown escape stays as it is written (YANG 1.0).
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
  // A tab that reaches beyond the indentation leaves what is beyond as spaces.
  return ' '.repeat(Math.max(0, width - indent)) + line.slice(at);
}
