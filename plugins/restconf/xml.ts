// Parser for the subset of XML that RESTCONF errors and host-meta documents use: start tags, attributes, text.
// It rejects document types, so there are no custom entities. Every step is linear in the length of the text.

const NAME = String.raw`[\w.-]+`;
const ATTRIBUTE = String.raw`\s+(?:${NAME}:)?${NAME}\s*=\s*(?:"[^"<]*"|'[^'<]*')`;

/**
 * Returns XML text without comments and with CDATA sections as plain text; empty if it declares a document
 * type.
 */
export function plainXml(text: string): string {
  const bare = withoutSections(text, ['<!--', '-->'], () => '');
  if (/<!DOCTYPE/i.test(bare)) return '';
  return withoutSections(bare, ['<![CDATA[', ']]>'], encodeText);
}

/**
 * Returns the decoded attributes of every element of that local name, in document order; prefixes of names
 * are omitted.
 */
export function elementAttributes(xml: string, element: string): readonly ReadonlyMap<string, string>[] {
  const tags = new RegExp(`<(?:${NAME}:)?${element}((?:${ATTRIBUTE})*)\\s*/?>`, 'g');
  return [...xml.matchAll(tags)].map(([, attributes = '']) => attributesOf(attributes));
}

/** Returns the text after each start tag of that local name, up to the next such tag. */
export function elementContents(xml: string, element: string): readonly string[] {
  return xml.split(new RegExp(`<(?:${NAME}:)?${element}(?:${ATTRIBUTE})*\\s*>`)).slice(1);
}

/** Returns the decoded text of the first element of that local name that contains only text. */
export function elementText(xml: string, element: string): string | undefined {
  const tag = new RegExp(`<(?:${NAME}:)?${element}(?:${ATTRIBUTE})*\\s*>([^<]*)</`);
  const text = tag.exec(xml)?.[1];
  return text === undefined ? undefined : decodeText(text);
}

/** Returns the local names and decoded texts of all elements that contain only text. */
export function elementTexts(xml: string): readonly (readonly [name: string, text: string])[] {
  const leaves = xml.matchAll(new RegExp(`<(?:${NAME}:)?(${NAME})(?:${ATTRIBUTE})*\\s*>([^<]*)</`, 'g'));
  return [...leaves].map(([, name = '', text = '']) => [name, decodeText(text).trim()]);
}

function attributesOf(text: string): ReadonlyMap<string, string> {
  const pairs = text.matchAll(new RegExp(`(${NAME})\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'g'));
  return new Map(
    [...pairs].map(([, name = '', double, single]) => [name, decodeText(double ?? single ?? '')]),
  );
}

/** Replaces the text between the two delimiters. An unterminated section is removed up to the next section. */
function withoutSections(
  text: string,
  [open, close]: readonly [string, string],
  write: (inner: string) => string,
): string {
  const [first = '', ...parts] = text.split(open);
  return parts.reduce((done, part) => {
    const end = part.indexOf(close);
    return end < 0 ? done : done + write(part.slice(0, end)) + part.slice(end + close.length);
  }, first);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeText(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-fA-F]{1,6});/g, (_, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name] ?? '';
    return character(Number(name.startsWith('#x') ? `0${name.slice(1)}` : name.slice(1)));
  });
}

function character(code: number): string {
  const known = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return known ? String.fromCodePoint(code) : '\ufffd';
}

function encodeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
