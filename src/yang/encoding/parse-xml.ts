import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes';
import type { XmlAttribute, XmlElement } from './xml-element.js';

/** Limits of one document. */
export interface XmlLimits {
  /** Maximum number of bytes. */
  readonly bytes: number;
  /** Maximum nesting of elements. */
  readonly depth: number;
  /** Maximum number of elements and attributes together. */
  readonly nodes: number;
}

/** Error of a text that is not XML, is forbidden here, or exceeds a limit. The message quotes nothing of the text. */
export class InvalidXml extends Error {
  override readonly name = 'InvalidXml';
  /** True if the text has more bytes than the limit. */
  readonly isTooLarge: boolean;

  constructor(message: string, isTooLarge = false) {
    super(message);
    this.isTooLarge = isTooLarge;
  }
}

const XMLNS = 'http://www.w3.org/2000/xmlns/';
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a document of XML 1.0 with namespaces. Document type declarations are forbidden, so that there are no entities
 * besides the predefined ones; comments and processing instructions are left out. Throws InvalidXml.
 */
export function parseXml(bytes: Uint8Array, limits: XmlLimits): XmlElement {
  if (bytes.length > limits.bytes) throw new InvalidXml(`is larger than ${limits.bytes} bytes`, true);
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new InvalidXml('is not valid UTF-8');
  }
  return new XmlReader(limits).read(text);
}

interface OpenElement extends XmlElement {
  readonly children: XmlElement[];
  text: string;
}

class XmlReader {
  readonly #limits: XmlLimits;
  readonly #parser = new SaxesParser({ xmlns: true });
  readonly #open: OpenElement[] = [];
  #root: XmlElement | undefined;
  #nodes = 0;

  constructor(limits: XmlLimits) {
    this.#limits = limits;
  }

  read(text: string): XmlElement {
    const parser = this.#parser;
    parser.on('error', () => {
      throw new InvalidXml(`is not well-formed XML at line ${parser.line}, column ${parser.columnIndex + 1}`);
    });
    parser.on('doctype', () => {
      throw new InvalidXml('has a document type declaration, which is forbidden');
    });
    parser.on('opentag', (tag) => {
      this.#openTag(tag);
    });
    parser.on('text', (part) => {
      this.#addText(part);
    });
    parser.on('cdata', (part) => {
      this.#addText(part);
    });
    parser.on('closetag', () => {
      this.#open.pop();
    });
    // Tags in pieces, so that a limit ends the parser before it has read the rest.
    for (let at = 0; at < text.length; at += PIECE) parser.write(text.slice(at, at + PIECE));
    parser.close();
    if (!this.#root) throw new InvalidXml('has no element');
    return this.#root;
  }

  #openTag(tag: SaxesTagNS): void {
    const parent = this.#open.at(-1);
    if (this.#open.length === this.#limits.depth)
      throw new InvalidXml(`is nested deeper than ${this.#limits.depth} elements`);
    const attributes = Object.values(tag.attributes);
    this.#nodes += 1 + attributes.length;
    if (this.#nodes > this.#limits.nodes)
      throw new InvalidXml(`has more than ${this.#limits.nodes} elements and attributes`);
    const element: OpenElement = {
      namespace: tag.uri,
      name: tag.local,
      attributes: attributes.flatMap(ownAttribute),
      prefixes: withDeclarations(parent?.prefixes ?? NO_PREFIXES, attributes),
      children: [],
      text: '',
    };
    if (parent) parent.children.push(element);
    else this.#root = element;
    this.#open.push(element);
  }

  #addText(part: string): void {
    const open = this.#open.at(-1);
    if (open) open.text += part;
  }
}

const PIECE = 65_536;
const NO_PREFIXES: ReadonlyMap<string, string> = new Map();

function isDeclaration({ uri, name }: SaxesAttributeNS): boolean {
  return uri === XMLNS || name === 'xmlns';
}

function ownAttribute(attribute: SaxesAttributeNS): readonly XmlAttribute[] {
  if (isDeclaration(attribute)) return [];
  return [{ namespace: attribute.uri, name: attribute.local, value: attribute.value }];
}

/** Returns the namespaces in scope; the same map if the element declares none. */
function withDeclarations(
  outer: ReadonlyMap<string, string>,
  attributes: readonly SaxesAttributeNS[],
): ReadonlyMap<string, string> {
  const declarations = attributes.filter(isDeclaration);
  if (declarations.length === 0) return outer;
  const prefixes = new Map(outer);
  for (const { prefix, local, value } of declarations) prefixes.set(prefix === '' ? '' : local, value);
  return prefixes;
}
