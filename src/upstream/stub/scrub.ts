import type { Redact } from '../../core/secret.js';
import { decodeUri } from '../../lib/decode-uri.js';
import { emptyValueLike, endOfJsonValue, rewriteJson } from './rewrite-json.js';
import { isSecretName, MASKED, SECRET_WORD } from './secret-mask.js';

/** Maximum nesting of texts in texts, for example JSON in a JSON string; deeper texts are masked. */
const MAX_DEPTH = 8;

/** Maximum number of texts in a body that look like JSON and are none; further texts of this kind are masked. */
const MAX_BROKEN_TEXTS = 500;

/** Position in a body whose texts are searched. */
interface ScrubState {
  readonly redact: Redact;
  /** Number of texts so far that look like JSON and are none: each failed parse costs as much as hundreds of characters. */
  broken: number;
}

/**
 * Removes known secrets and the values of secret names from an orchestrator's text. JSON remains valid, and
 * masked values keep their type: a text becomes `[redacted]`, a number 0, a list or an object empty.
 */
export function scrubBody(text: string, redact: Redact): string {
  return scrubValue(text, isJson(text), { depth: 0, state: { redact, broken: 0 } });
}

interface ScrubPlace {
  readonly depth: number;
  readonly state: ScrubState;
}

/** Removes the secrets of a string within JSON, which may be JSON itself. */
function scrubString(text: string, { depth, state }: ScrubPlace): string {
  const looksLikeJson = isStructured(text);
  if (looksLikeJson && (depth > MAX_DEPTH || state.broken >= MAX_BROKEN_TEXTS)) return MASKED;
  const isValid = looksLikeJson && isJson(text);
  if (looksLikeJson && !isValid) state.broken += 1;
  return scrubValue(text, isValid, { depth, state });
}

function scrubValue(text: string, isValid: boolean, { depth, state }: ScrubPlace): string {
  const { redact } = state;
  if (!isValid) return redact(scrubText(redact(text)));
  const rewritten = withoutKnown(text, redact);
  const known = redact(rewritten);
  if (known !== rewritten && !isJson(known)) return redact(scrubText(known));
  const scrubbed = rewriteJson(known, {
    text: (value) => scrubString(value, { depth: depth + 1, state }),
    number: (written) => written,
    hides: isSecretName,
  });
  return redact(scrubbed);
}

/** Removes known secrets from the decoded strings of JSON first, because strings may contain any escapes. */
function withoutKnown(json: string, redact: Redact): string {
  const number = (written: string): string => (redact(written) === written ? written : '0');
  return rewriteJson(json, { text: redact, number, hides: () => false });
}

/** Returns true if a text is one pair of brackets or quotes, which costs less to find out than to parse the text. */
function isStructured(text: string): boolean {
  const trimmed = text.trim();
  return /^[{["]/.test(trimmed) && endOfJsonValue(trimmed, 0) === trimmed.length;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Removes known secrets and the values of secret parameters and list keys from a path or URL. */
export function scrubPath(path: string, redact: Redact): string {
  const [pathname = '', ...query] = redact(path)
    .replace(/:\/\/[^/@]{1,1000}@/, `://${MASKED}@`)
    .split(/(?=[?#])/);
  const maskParts = (text: string, sign: RegExp): string => text.split(sign).map(withoutValue).join('');
  return redact(maskParts(pathname, /(?<=\/)/) + maskParts(query.join(''), /(?<=[?#&])/));
}

/** Masks a parameter, or a list of parameters separated by `;`, from the first secret name to the end. */
function withoutValue(part: string): string {
  for (const { 0: named, 1: name = '', index } of part.matchAll(/(?<=^|[;,])([^=;,]{0,300})=/g)) {
    if (!isSecretName(decodeUri(name))) continue;
    const [end = ''] = /[/&#?]$/.exec(part) ?? [];
    return part.slice(0, index + named.length) + MASKED + end;
  }
  return part;
}

// Every repetition is bounded, or followed by nothing that could fail, so no text causes slow matching.
const NAMED = `(?:${SECRET_WORD})[\\w.%-]{0,100}?`;

/**
 * Matches `name: value` and `name=value`, including the URL-encoded sign, and members of truncated or
 * concatenated JSON.
 */
const ASSIGNMENT = new RegExp(
  `${NAMED}["']?\\s{0,20}(:|=|%3[ad])[^\\S\\r\\n]{0,20}(?:\\r?\\n\\s{0,20}(?=["{[]))?`,
  'gi',
);

/** Matches commands such as `snmp-server community public`, to the end of the line. */
const COMMAND = new RegExp(`((?:${SECRET_WORD})[\\w-]{0,100}[ \\t]+)\\S.*$`, 'i');

const SCALAR = /^(?:-?\d[\d.eE+-]*|true|false|null)$/;

const MARKUP = /<\/?[A-Za-z]|"\s{0,20}:/;

const SECRET_PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----[^]*?(?:-----END|$)/g, MASKED],
  [/\b(bearer|basic)\s{1,20}[^\s",;<]+/gi, `$1 ${MASKED}`],
  [/eyJ[\w-]{5,}(?:\.[\w-]*){0,4}/g, MASKED],
  [/:\/\/[^\s/@"<>]{1,1000}@/g, `://${MASKED}@`],
];

/** Masks values assigned to secret names, and texts that look like secrets, in a text that is not JSON. */
function scrubText(text: string): string {
  const scrubbed = maskAssignments(scrubXml(text)).replaceAll(/[^\r\n]+/g, (line) =>
    MARKUP.test(line) ? line : line.replace(COMMAND, `$1${MASKED}`),
  );
  return SECRET_PATTERNS.reduce((rest, [pattern, mask]) => rest.replace(pattern, mask), scrubbed);
}

function maskAssignments(text: string): string {
  const assignment = new RegExp(ASSIGNMENT);
  let scrubbed = '';
  let done = 0;
  for (let found = assignment.exec(text); found; found = assignment.exec(text)) {
    const from = assignment.lastIndex;
    const [value, to] = maskedValue(text, from, found[0]);
    scrubbed += text.slice(done, from) + value;
    done = to;
    assignment.lastIndex = to;
  }
  return scrubbed + text.slice(done);
}

/** Returns the replacement for the value at this position, and the end of the value. */
function maskedValue(text: string, from: number, assignment: string): readonly [value: string, end: number] {
  const first = text.charAt(from);
  if (first === "'") return [`'${MASKED}'`, endOfMatch(/'|$/g, text, from + 1) + 1];
  const endAsJson = endOfJsonValue(text, from);
  const isMember = /["']\s*:\s*$/.test(assignment) && SCALAR.test(text.slice(from, endAsJson));
  if (isMember || (/["{[]/.test(first) && !text.startsWith(MASKED, from)))
    return [emptyValueLike(text, from), endAsJson];
  const end = endOfMatch(
    assignment.trimEnd().endsWith(':') ? /[\r\n<]|$/g : /[&\r\n<>"']|%26|$/g,
    text,
    from,
  );
  return [end === from ? '' : MASKED, end];
}

function endOfMatch(end: RegExp, text: string, from: number): number {
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
  const tag = /<!\[CDATA\[[^]*?(?:\]\]>|$)|<!--[^]*?(?:-->|$)|<(\/?)([A-Za-z_][\w.:-]*)/g;
  tag.lastIndex = from;
  let depth = 1;
  for (let found = tag.exec(text); found; found = tag.exec(text)) {
    if (found[2] !== name) continue;
    const isOpening = found[1] === '';
    if (isOpening && text[endOfTag(text, found.index) - 2] === '/') continue;
    depth += isOpening ? 1 : -1;
    if (depth === 0) return found.index;
  }
  return text.length;
}
