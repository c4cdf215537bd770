import type { XmlElement } from '../../../src/yang/encoding/xml-element.js';

/** Returns an element as a text without namespaces and attributes. */
export function elementText({ name, text, children }: XmlElement): string {
  return `<${name}>${text.trim()}${children.map(elementText).join('')}</${name}>`;
}
