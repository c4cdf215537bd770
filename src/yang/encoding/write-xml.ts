/** Element to write. */
export interface XmlOutput {
  readonly namespace: string;
  /** Local name. */
  readonly name: string;
  /** Attributes by name; a name may have one of the prefixes of `prefixes`. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** Namespaces by prefix, for attributes and for the names in values. */
  readonly prefixes?: Readonly<Record<string, string>>;
  /** Text, or child elements. Absent: an empty element. */
  readonly content?: string | readonly XmlOutput[];
}

/** Characters that no document of XML 1.0 can contain, and halves of surrogate pairs. */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/u;

/** Returns true if a text can be written as XML. */
export function isXmlText(text: string): boolean {
  return !FORBIDDEN.test(text);
}

/**
 * Writes an element. It has its namespace as the default namespace, unless the parent has it as well. Throws a RangeError for a
 * text that XML cannot contain.
 */
export function writeXml(element: XmlOutput): string {
  const parts: string[] = [];
  write(element, '', parts);
  return parts.join('');
}

function write(
  { namespace, name, attributes = {}, prefixes = {}, content = [] }: XmlOutput,
  parentNamespace: string,
  parts: string[],
): void {
  parts.push('<', name);
  if (namespace !== parentNamespace) parts.push(` xmlns="${escapeXml(namespace)}"`);
  for (const [prefix, uri] of Object.entries(prefixes)) parts.push(` xmlns:${prefix}="${escapeXml(uri)}"`);
  for (const [attribute, value] of Object.entries(attributes))
    parts.push(` ${attribute}="${escapeXml(value)}"`);
  if (content.length === 0) {
    parts.push('/>');
    return;
  }
  parts.push('>');
  if (typeof content === 'string') parts.push(escapeXml(content));
  else for (const child of content) write(child, namespace, parts);
  parts.push('</', name, '>');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // A parser would read these as spaces or line feeds.
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Returns a text for the content of an element and for an attribute in double quotes. Throws a RangeError. */
function escapeXml(text: string): string {
  if (!isXmlText(text)) throw new RangeError('the text has a character that XML cannot contain');
  return text.replaceAll(/[&<>"\t\n\r]/g, (character) => ESCAPES[character] ?? character);
}
