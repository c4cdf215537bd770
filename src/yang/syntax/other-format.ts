const LEADING_BLANKS = /^[\s\uFEFF]+/;

/** Beginnings of files of other formats, with their names. The first match applies. */
const OTHER_FORMATS: readonly (readonly [beginning: RegExp, name: string])[] = [
  [/^(?:<!doctype\s+html|<html)/i, 'HTML; a server may have sent an error page or a page about the module'],
  [/^PK\u0003\u0004/, 'a ZIP archive; extract the modules'],
  [/^\u001F[\u008B\uFFFD]/, 'a gzip archive; extract the modules'],
  [/^%PDF-/, 'a PDF document'],
  [/^\{\s*(?:"|\})|^\[\s*[[{"\]]/, 'JSON'],
  [/^[^]?\u0000/, 'binary data or UTF-16; save the file as UTF-8'],
];

/** Returns the name of a known format of a text that is neither YANG nor XML; undefined for other texts. */
export function otherFormatOf(text: string): string | undefined {
  const beginning = text.slice(0, 1000).replace(LEADING_BLANKS, '');
  return OTHER_FORMATS.find(([pattern]) => pattern.test(beginning))?.[1];
}

/** Returns true for a text that begins like XML. No YANG text begins with `<`. */
export function isXml(text: string): boolean {
  return /^[\s\uFEFF]*</.test(text);
}
