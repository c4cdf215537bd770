import { blank, endOfJsonValue } from './rewrite-json.js';
import { MASKED, SECRET_WORD } from './secret-name.js';
import { scrubXml } from './scrub-xml.js';

// Every repetition is bounded, or followed by nothing that could fail: no text is slow.
const NAMED = `(?:${SECRET_WORD})[\\w.%-]{0,100}?`;
/** `name: value` and `name=value`, the sign in the spelling of a URL too; and the members of JSON that is cut or joined. */
const ASSIGNED = new RegExp(
  `${NAMED}["']?\\s{0,20}(:|=|%3[ad])[^\\S\\r\\n]{0,20}(?:\\r?\\n\\s{0,20}(?=["{[]))?`,
  'gi',
);
/** `snmp-server community public`: the rest of the line. */
const COMMAND = new RegExp(`((?:${SECRET_WORD})[\\w-]{0,100}[ \\t]+)\\S.*$`, 'i');
const SCALAR = /^(?:-?\d[\d.eE+-]*|true|false|null)$/;
const MARKUP = /<\/?[A-Za-z]|"\s{0,20}:/;
const LOOKS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----[^]*?(?:-----END|$)/g, MASKED],
  [/\b(bearer|basic)\s{1,20}[^\s",;<]+/gi, `$1 ${MASKED}`],
  [/eyJ[\w-]{5,}(?:\.[\w-]*){0,4}/g, MASKED],
  [/:\/\/[^\s/@"<>]{1,1000}@/g, `://${MASKED}@`],
];

/** A text that is no JSON, without what is assigned to secret names in it and without what looks like a secret. */
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

/** What stands for the value that begins here, and where that value ends. */
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
