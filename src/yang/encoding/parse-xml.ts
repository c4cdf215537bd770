import { type SaxesAttributeNS, type SaxesAttributeNSIncomplete, SaxesParser, type SaxesTagNS } from 'saxes';
import { DeclaredNamespaces, type NamespaceScope, NO_NAMESPACES } from './namespace-scope.js';
import type { XmlAttribute, XmlElement } from './xml-element.js';

/** Limits of one document. */
export interface XmlLimits {
  /** Maximum number of bytes. */
  readonly bytes: number;
  /** Maximum nesting of elements. */
  readonly depth: number;
  /** Maximum memory of the tree of the document in bytes, by the estimate of {@link COST}. */
  readonly memory: number;
}

/** Error of a text that is not XML, is forbidden here, or exceeds a limit. The message quotes nothing of the text. */
export class InvalidXml extends Error {
  override readonly name = 'InvalidXml';
  /** True if the text has more bytes than the limit, or its tree needs more memory. */
  readonly isTooLarge: boolean;

  constructor(message: string, isTooLarge = false) {
    super(message);
    this.isTooLarge = isTooLarge;
  }
}

/**
 * Memory that V8 needs for the parts of a tree, in bytes. Names and texts also cost their characters. The parser joins a text at each
 * reference in it, such as `&lt;`.
 */
const COST = { element: 120, children: 150, attribute: 350, text: 32, character: 2, reference: 40 };

/** Maximum number of namespace declarations in the scope of one element. Elements beside each other do not add up. */
const MAX_DECLARATIONS_IN_SCOPE = 1000;

const XMLNS = 'http://www.w3.org/2000/xmlns/';

/**
 * Parses a document of XML 1.0 with namespaces. Document type declarations are forbidden, so that there are no entities
 * besides the predefined ones; comments and processing instructions are left out. Throws InvalidXml.
 */
export function parseXml(bytes: Uint8Array, limits: XmlLimits): XmlElement {
  if (bytes.length > limits.bytes) throw new InvalidXml(`is larger than ${limits.bytes} bytes`, true);
  const reader = new XmlReader(limits);
  for (const piece of textPieces(bytes)) reader.write(piece);
  return reader.end();
}

/**
 * Parses elements beside each other, with or without the declaration of XML, as {@link parseXml} parses a document with a root.
 * Throws InvalidXml.
 */
export function parseXmlSiblings(bytes: Uint8Array, limits: XmlLimits): readonly XmlElement[] {
  if (bytes.length > limits.bytes) throw new InvalidXml(`is larger than ${limits.bytes} bytes`, true);
  const reader = new XmlReader(limits, ROOT.length);
  let before = ROOT;
  for (const piece of textPieces(bytes)) {
    // Columns stay the same without the declaration, which only the beginning of a document may have.
    reader.write(
      before === '' ? piece : `${before}${piece.replace(DECLARATION, (text) => ' '.repeat(text.length))}`,
    );
    before = '';
  }
  reader.write('</data>');
  return reader.end().children;
}

const DOCTYPE = 'has a document type declaration, which is forbidden';

const ROOT = '<data>';
const DECLARATION = /^<\?xml\s[^>]*\?>/;

/** Size of the pieces in bytes. A limit ends the parser before it has read the rest. */
const PIECE_BYTES = 65_536;

/** Declaration of ISO 8859-1, which NX-OS sends against RFC 6241 section 3. */
const LATIN_1 = /^\ufeff?<\?xml [^?]*encoding=["'](?:ISO-8859-1|latin-?1)["']/i;

/** Returns the encoding that a document declares. */
function encodingOf(bytes: Uint8Array): string {
  return LATIN_1.test(String.fromCharCode(...bytes.subarray(0, 200))) ? 'iso-8859-1' : 'utf-8';
}

/** Decodes a text in pieces, because the whole text would be one large allocation. Throws InvalidXml. */
function* textPieces(bytes: Uint8Array): Generator<string> {
  const decoder = new TextDecoder(encodingOf(bytes), { fatal: true });
  const decode = (at: number): string => {
    try {
      const isLast = at + PIECE_BYTES >= bytes.length;
      return decoder.decode(bytes.subarray(at, at + PIECE_BYTES), { stream: !isLast });
    } catch {
      throw new InvalidXml('is not valid UTF-8');
    }
  };
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield decode(at);
}

/** Element whose end has not been read. */
interface OpenElement {
  readonly element: MutableElement;
  /** Number of namespace declarations in scope. */
  readonly declarations: number;
}

type MutableElement = { -readonly [Name in keyof XmlElement]: XmlElement[Name] } & {
  children: readonly XmlElement[];
};

const NO_CHILDREN: readonly XmlElement[] = [];
const NO_ATTRIBUTES: readonly XmlAttribute[] = [];

class XmlReader {
  readonly #limits: XmlLimits;
  readonly #parser = new SaxesParser({ xmlns: true });
  readonly #open: OpenElement[] = [];
  #root: XmlElement | undefined;
  #memory = 0;

  /** `added` is the number of characters of the first line that the text does not have. */
  constructor(limits: XmlLimits, added = 0) {
    this.#limits = limits;
    const parser = this.#parser;
    parser.on('error', ({ message }) => {
      // Inside of the root that gatehouse adds, which the event does not report.
      if (message.includes('doctype')) throw new InvalidXml(DOCTYPE);
      const column = parser.columnIndex + 1 - (parser.line === 1 ? added : 0);
      throw new InvalidXml(`is not well-formed XML at line ${parser.line}, column ${column}`);
    });
    parser.on('doctype', () => {
      throw new InvalidXml(DOCTYPE);
    });
    // Before the end of the tag, which may be far away.
    parser.on('attribute', (attribute) => {
      this.#takeAttribute(attribute);
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
  }

  write(text: string): void {
    for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) this.#take(COST.reference);
    this.#parser.write(text);
  }

  end(): XmlElement {
    this.#parser.close();
    if (!this.#root) throw new InvalidXml('has no element');
    return this.#root;
  }

  #openTag(tag: SaxesTagNS): void {
    const parent = this.#open.at(-1);
    if (this.#open.length === this.#limits.depth)
      throw new InvalidXml(`is nested deeper than ${this.#limits.depth} elements`);
    this.#take(COST.element + COST.character * tag.local.length);
    const attributes = Object.values(tag.attributes);
    const declared = attributes.filter(isDeclaration);
    const declarations = (parent?.declarations ?? 0) + declared.length;
    if (declarations > MAX_DECLARATIONS_IN_SCOPE)
      throw new InvalidXml(`has an element with more than ${MAX_DECLARATIONS_IN_SCOPE} namespaces in scope`);
    const element: MutableElement = {
      namespace: tag.uri,
      name: tag.local,
      attributes: attributes.length === declared.length ? NO_ATTRIBUTES : attributes.flatMap(ownAttribute),
      prefixes: scopeWith(parent?.element.prefixes ?? NO_NAMESPACES, declared),
      children: NO_CHILDREN,
      text: '',
    };
    if (parent) this.#addChild(parent.element, element);
    else this.#root = element;
    this.#open.push({ element, declarations });
  }

  #addChild(parent: MutableElement, child: XmlElement): void {
    if (parent.children === NO_CHILDREN) {
      this.#take(COST.children);
      parent.children = [child];
    } else (parent.children as XmlElement[]).push(child);
  }

  #takeAttribute({ name, value }: SaxesAttributeNSIncomplete): void {
    this.#take(COST.attribute + COST.character * (name.length + value.length));
  }

  #addText(part: string): void {
    const open = this.#open.at(-1);
    if (!open) return;
    this.#take(COST.text + COST.character * part.length);
    open.element.text += part;
  }

  #take(bytes: number): void {
    this.#memory += bytes;
    if (this.#memory > this.#limits.memory)
      throw new InvalidXml(`needs more than ${this.#limits.memory} bytes of memory as a tree`, true);
  }
}

function isDeclaration({ uri, name }: SaxesAttributeNS): boolean {
  return uri === XMLNS || name === 'xmlns';
}

function ownAttribute(attribute: SaxesAttributeNS): readonly XmlAttribute[] {
  if (isDeclaration(attribute)) return [];
  return [{ namespace: attribute.uri, name: attribute.local, value: attribute.value }];
}

/** Returns the scope of an element; the same as around it if the element declares no namespace. */
function scopeWith(outer: NamespaceScope, declared: readonly SaxesAttributeNS[]): NamespaceScope {
  if (declared.length === 0) return outer;
  const scope = new DeclaredNamespaces(outer);
  for (const { prefix, local, value } of declared) scope.declare(prefix === '' ? '' : local, value);
  return scope;
}
