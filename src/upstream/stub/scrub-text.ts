import { blank, endOfJsonValue } from './rewrite-json.js';
import { MASKED, SECRET_WORD, isSecretName } from './secret-name.js';

// Every repetition is bounded, or followed by nothing that could fail, so no text causes slow matching.
const NAMED = `(?:${SECRET_WORD})[\\w.%-]{0,100}?`;
/**
 * Matches `name: value` and `name=value`, including the URL-encoded sign, and members of truncated or
 * concatenated JSON.
 */
const ASSIGNED = new RegExp(
  `${NAMED}["']?\\s{0,20}(:|=|%3[ad])[^\\S\\r\\n]{0,20}(?:\\r?\\n\\s{0,20}(?=["{[]))?`,
  'gi',
);
/** Matches commands such as `snmp-server community public`, to the end of the line. */
const COMMAND = new RegExp(`((?:${SECRET_WORD})[\\w-]{0,100}[ \\t]+)\\S.*$`, 'i');
const SCALAR = /^(?:-?\d[\d.eE+-]*|true|false|null)$/;
const MARKUP = /<\/?[A-Za-z]|"\s{0,20}:/;
const LOOKS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----[^]*?(?:-----END|$)/g, MASKED],
  [/\b(bearer|basic)\s{1,20}[^\s",;<]+/gi, `$1 ${MASKED}`],
  [/eyJ[\w-]{5,}(?:\.[\w-]*){0,4}/g, MASKED],
  [/:\/\/[^\s/@"<>]{1,1000}@/g, `://${MASKED}@`],
];

/** Masks values assigned to secret names, and texts that look like secrets, in a text that is not JSON. */
export function scrubText(text: string): string {
  const scrubbed = withoutAssigned(scrubXml(text)).replaceAll(/[^\r\n]+/g, (line) =>
    MARKUP.test(line) ? line : line.replace(COMMAND, `$1${MASKED}`),
  );
  return LOOKS.reduce((rest, [look, mask]) => rest.replace(look, mask), scrubbed);
}

function withoutAssigned(text: string): string {
  const assigned = new RegExp(ASSIGNED);
  let scrubbed = '';
  let done = 0;
  for (let found = assigned.exec(text); found; found = assigned.exec(text)) {
    const from = assigned.lastIndex;
    const [value, to] = hiddenValue(text, from, found[0]);
    scrubbed += text.slice(done, from) + value;
    done = to;
    assigned.lastIndex = to;
  }
  return scrubbed + text.slice(done);
}

/** Returns the replacement for the value at this position, and the end of the value. */
function hiddenValue(text: string, from: number, assigned: string): readonly [value: string, end: number] {
  const first = text.charAt(from);
  if (first === "'") return [`'${MASKED}'`, endBy(/'|$/g, text, from + 1) + 1];
  const endAsJson = endOfJsonValue(text, from);
  const isMember = /["']\s*:\s*$/.test(assigned) && SCALAR.test(text.slice(from, endAsJson));
  if (isMember || (/["{[]/.test(first) && !text.startsWith(MASKED, from)))
    return [blank(text, from), endAsJson];
  const end = endBy(assigned.trimEnd().endsWith(':') ? /[\r\n<]|$/g : /[&\r\n<>"']|%26|$/g, text, from);
  return [end === from ? '' : MASKED, end];
}

function endBy(end: RegExp, text: string, from: number): number {
  end.lastIndex = from;
  return end.exec(text)?.index ?? text.length;
}

/** Masks attributes and content of elements with secret names in a text with markup. */
function scrubXml(text: string): string {
  const opening = /<([A-Za-z_][\w.:-]*)/g;
  let scrubbed = '';
  let done = 0;
  for (let found = opening.exec(text); found; found = opening.exec(text)) {
    const [, name = ''] = found;
    if (!isSecretName(name)) continue;
    const contentAt = endOfTag(text, found.index);
    const tag = withoutValues(text.slice(found.index, contentAt));
    const isEmpty = text[contentAt - 2] === '/';
    scrubbed += text.slice(done, found.index) + (isEmpty ? tag : tag + MASKED);
    done = isEmpty ? contentAt : closingTag(text, contentAt, name);
    opening.lastIndex = done;
  }
  return scrubbed + text.slice(done);
}

/** Returns the end of a tag; a `>` in quotes does not end it. */
function endOfTag(text: string, from: number): number {
  let quote = '';
  for (let at = from; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '>') return at + 1;
    else if (char === '"' || char === "'") quote = char;
  }
  return text.length;
}

/** Masks the attribute values of a tag, except namespace declarations, without which the XML is invalid. */
function withoutValues(tag: string): string {
  return tag.replaceAll(
    /(?<![\w.:-])([\w.:-]+)(\s{0,20}=\s{0,20})(?:"[^"]*"|'[^']*')/g,
    (attribute, name: string, sign: string) =>
      name.startsWith('xmlns') ? attribute : `${name}${sign}"${MASKED}"`,
  );
}

/** Returns the start of the element's closing tag, or the end of the text if the element is not closed. */
function closingTag(text: string, from: number, name: string): number {
  const mark = /<!\[CDATA\[[^]*?(?:\]\]>|$)|<!--[^]*?(?:-->|$)|<(\/?)([A-Za-z_][\w.:-]*)/g;
  mark.lastIndex = from;
  let depth = 1;
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    if (found[2] !== name) continue;
    const isOpening = found[1] === '';
    if (isOpening && text[endOfTag(text, found.index) - 2] === '/') continue;
    depth += isOpening ? 1 : -1;
    if (depth === 0) return found.index;
  }
  return text.length;
}
