import { valueAt } from '../../src/core/pointer.js';
import { parseJson } from '../../src/core/strict-json.js';
import { elementAttributes, plainXml } from './xml.js';

/** Maximum size of a host-meta document, in bytes; real documents have a few hundred. */
const LARGEST = 65_536;

/**
 * Returns the targets of the links with the relation `restconf` (RFC 8040 section 3.1) in a host-meta
 * document (RFC 6415), XRD or JRD, in document order. Returns no targets for any other document.
 */
export function restconfLinks(document: Buffer): readonly string[] {
  if (document.length > LARGEST) return [];
  const text = document
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart();
  return text.startsWith('{') ? linksOfJrd(text) : linksOfXrd(text);
}

function linksOfXrd(text: string): readonly string[] {
  return elementAttributes(plainXml(text), 'Link')
    .filter((attributes) => attributes.get('rel')?.trim() === 'restconf')
    .flatMap((attributes) => attributes.get('href')?.trim() ?? []);
}

function linksOfJrd(text: string): readonly string[] {
  const parsed = parseJson(Buffer.from(text));
  const links = 'value' in parsed ? valueAt(parsed.value, '/links') : undefined;
  if (!Array.isArray(links)) return [];
  return links.flatMap((link: unknown) => {
    const href = valueAt(link, '/href');
    return valueAt(link, '/rel') === 'restconf' && typeof href === 'string' ? href : [];
  });
}
