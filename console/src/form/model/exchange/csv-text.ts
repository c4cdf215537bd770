/**
 * Formats records as CSV (RFC 4180): lines end with CR LF, cells are quoted if needed. A cell that a
 * spreadsheet would treat as a formula gets a leading apostrophe, which `readCsv` removes: the content of a
 * form is untrusted.
 */
export function csvText(records: readonly (readonly string[])[]): string {
  return records.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');
}

function quoted(value: string): string {
  const cell = /^'*[=+@\t\r-]/.test(value) && !NUMBER.test(value) ? `'${value}` : value;
  return /[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

const NUMBER = /^[+-]?[0-9]+(?:\.[0-9]+)?$/;

function withoutApostrophe(cell: string): string {
  return /^'+[=+@\t\r-]/.test(cell) ? cell.slice(1) : cell;
}

/** A record and the number of its first line, from 1. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

// A quoted or plain cell, and its terminator.
const CELLS: Readonly<Record<string, RegExp>> = {
  ',': /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n][^,\r\n]*|))(,|\r\n|\n|\r|$)/y,
  ';': /(?:"([^"]*(?:""[^"]*)*)"|([^";\r\n][^;\r\n]*|))(;|\r\n|\n|\r|$)/y,
  '\t': /(?:"([^"]*(?:""[^"]*)*)"|([^"\t\r\n][^\t\r\n]*|))(\t|\r\n|\n|\r|$)/y,
};

/** Returns the separator of the first line outside quotes; a comma by default. */
function separatorOf(text: string): string {
  const [head = ''] = text.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/, 1);
  return /[,;\t]/.exec(head)?.[0] ?? ',';
}

/**
 * Parses CSV with commas, semicolons or tabs, as the first line has them; records without text are left out.
 * Throws a `SyntaxError`.
 */
export function readCsv(text: string): readonly CsvRecord[] {
  const separator = separatorOf(text);
  const cell = CELLS[separator] ?? /$/y;
  const records: CsvRecord[] = [];
  let cells: string[] = [];
  let line = 1;
  let at = text.startsWith('\ufeff') ? 1 : 0;
  let started = line;
  while (at < text.length || cells.length > 0) {
    cell.lastIndex = at;
    const found = cell.exec(text);
    if (!found) throw new SyntaxError(`line ${line}: a quote is not allowed here`);
    const [all, inQuotes, plain = '', end = ''] = found;
    at += all.length;
    cells.push(withoutApostrophe(inQuotes === undefined ? plain : inQuotes.replaceAll('""', '"')));
    line += all.split(/\r\n|\n|\r/).length - 1;
    if (end === separator) continue;
    if (cells.some((cell) => cell !== '')) records.push({ line: started, cells });
    cells = [];
    started = line;
  }
  return records;
}
