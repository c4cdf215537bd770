import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes';
import { InvalidYang } from '../diagnostic.js';
import type { Budget } from '../limits.js';
import type { ParsedText } from './parsed-text.js';
import { positionAt } from './source-text.js';
import type { SourceText, Statement, TextPosition } from './statement.js';

const YIN_NAMESPACE = 'urn:ietf:params:xml:ns:yang:yin:1';

/** Names of arguments that are not called `name` (RFC 7950 section 13.1, table 1). */
const ARGUMENT_NAMES = new Map([
  ...keywordsWith('uri', 'namespace'),
  ...keywordsWith('module', 'import include belongs-to'),
  ...keywordsWith('date', 'revision revision-date'),
  ...keywordsWith('condition', 'must when'),
  ...keywordsWith('target-node', 'augment deviation refine'),
  ...keywordsWith('tag', 'unique'),
  ...keywordsWith('text', 'contact description organization reference'),
  ...keywordsWith('value', 'config default deviate error-app-tag error-message fraction-digits key length'),
  ...keywordsWith('value', 'mandatory max-elements min-elements modifier ordered-by path pattern position'),
  ...keywordsWith('value', 'prefix presence range require-instance status value yang-version yin-element'),
]);

function keywordsWith(argument: string, keywords: string): readonly (readonly [string, string])[] {
  return keywords.split(' ').map((keyword) => [keyword, argument]);
}

function argumentNameOf(keyword: string): string {
  return ARGUMENT_NAMES.get(keyword) ?? 'name';
}

/** Statements whose argument is an element instead of an attribute. */
const ELEMENT_ARGUMENTS = new Set(['contact', 'description', 'error-message', 'organization', 'reference']);

const WITHOUT_ARGUMENT = new Set(['input', 'output']);

/**
 * Parses the YIN form of a module (RFC 7950 section 13) into the statements of its YANG form. Throws InvalidYang for
 * XML that is not well-formed, has a document type declaration, or is not YIN.
 */
export function parseYin(source: SourceText, budget: Budget): ParsedText {
  return new YinReader(source, budget).read();
}

interface OpenStatement extends Statement {
  argument: string;
  hasArgument: boolean;
  readonly children: Statement[];
}

/** Element that is not closed yet: a statement, or the argument of its parent. */
interface OpenElement {
  readonly statement: OpenStatement;
  readonly isArgument: boolean;
  text: string;
}

class YinReader {
  readonly #source: SourceText;
  readonly #budget: Budget;
  readonly #parser = new SaxesParser({ xmlns: true });
  readonly #roots: Statement[] = [];
  readonly #open: OpenElement[] = [];
  #line = 1;
  #lineStart = 0;
  #counted = 0;
  /** Namespaces by the prefixes that the root element declares. */
  #namespaces: Readonly<Record<string, string>> = {};
  #start: TextPosition;

  constructor(source: SourceText, budget: Budget) {
    this.#source = source;
    this.#budget = budget;
    this.#start = { source, line: 1, column: 1 };
  }

  read(): ParsedText {
    const parser = this.#parser;
    parser.on('error', ({ message }) => {
      const { line, columnIndex } = parser;
      const text = message.replace(/^(?:[^ ]*:)?\d+:\d+: /, '').replace(/\.$/, '');
      throw new InvalidYang({ source: this.#source, line, column: columnIndex }, 'XML 1.0', `XML: ${text}`);
    });
    parser.on('doctype', () => {
      const at = {
        source: this.#source,
        ...positionAt(this.#source.text, this.#source.text.indexOf('<!DOCTYPE')),
      };
      throw this.#invalid('a document type declaration is not allowed in YIN', at);
    });
    parser.on('opentagstart', () => (this.#start = this.#positionOfTag()));
    parser.on('opentag', (tag) => {
      this.#openTag(tag);
    });
    parser.on('text', (text) => {
      this.#addText(text);
    });
    parser.on('cdata', (text) => {
      this.#addText(text);
    });
    parser.on('closetag', () => {
      this.#closeTag();
    });
    parser.write(this.#source.text).close();
    return { roots: this.#roots, version1Forms: [], isIncomplete: false };
  }

  #openTag(tag: SaxesTagNS): void {
    const parent = this.#open.at(-1);
    if (!parent) {
      this.#checkRoot(tag);
      this.#namespaces = tag.ns;
    }
    this.#budget.takeStatement(this.#open.length, this.#start);
    if (parent?.isArgument) throw this.#invalid(`<${tag.name}> is not allowed inside an argument`);
    const isArgument = parent !== undefined && isArgumentElement(tag, parent.statement);
    const statement = isArgument ? parent.statement : this.#statementOf(tag, parent?.statement);
    this.#open.push({ statement, isArgument, text: '' });
  }

  #checkRoot({ uri, local, name }: SaxesTagNS): void {
    if (uri === YIN_NAMESPACE && (local === 'module' || local === 'submodule')) return;
    const found = uri === '' ? `<${name}> without a namespace` : `<${name}> of the namespace "${uri}"`;
    throw this.#invalid(
      `this is XML, but not YIN: it begins with ${found}, not with "module" of "${YIN_NAMESPACE}"`,
    );
  }

  #statementOf(tag: SaxesTagNS, parent: OpenStatement | undefined): OpenStatement {
    const attributes = Object.values(tag.attributes).filter(
      ({ prefix, name }) => prefix === '' && name !== 'xmlns',
    );
    if (tag.uri === YIN_NAMESPACE) this.#checkAttributes(tag.local, attributes);
    const [argument] = attributes;
    const { line, column } = this.#start;
    const statement: OpenStatement = {
      keyword: this.#keywordOf(tag),
      argument: argument?.value ?? '',
      hasArgument: argument !== undefined,
      source: this.#source,
      line,
      column,
      parent,
      children: [],
    };
    (parent?.children ?? this.#roots).push(statement);
    return statement;
  }

  #checkAttributes(keyword: string, attributes: readonly SaxesAttributeNS[]): void {
    const argument = argumentNameOf(keyword);
    const isAttribute = !ELEMENT_ARGUMENTS.has(keyword) && !WITHOUT_ARGUMENT.has(keyword);
    const other = attributes.find(({ name }) => !isAttribute || name !== argument);
    if (!other) return;
    const advice = isAttribute ? `; its argument is "${argument}"` : '';
    throw this.#invalid(`<${keyword}> has no attribute "${other.name}"${advice}`);
  }

  #keywordOf({ uri, prefix, local }: SaxesTagNS): string {
    if (uri === YIN_NAMESPACE) return local;
    return `${prefix === '' ? this.#prefixOf(uri) : prefix}:${local}`;
  }

  /** Returns the prefix that the root element declares for a namespace. */
  #prefixOf(uri: string): string {
    const prefix = Object.entries(this.#namespaces).find(
      ([name, value]) => name !== '' && value === uri,
    )?.[0];
    if (prefix === undefined) throw this.#invalid(`the namespace "${uri}" has no prefix`);
    return prefix;
  }

  #addText(text: string): void {
    const open = this.#open.at(-1);
    if (open) open.text += text;
  }

  #closeTag(): void {
    const closed = this.#open.pop();
    if (!closed) return;
    const { statement, isArgument, text } = closed;
    if (isArgument) {
      statement.argument = text;
      statement.hasArgument = true;
    } else if (text.trim() !== '') this.#takeText(statement, text);
  }

  /** Takes the text of an element of an extension: it is the argument of the extension statement around it. */
  #takeText(statement: OpenStatement, text: string): void {
    const parent = statement.parent as OpenStatement | undefined;
    const isArgument =
      parent?.keyword.split(':')[0] === statement.keyword.split(':')[0] &&
      statement.keyword.includes(':') &&
      !parent?.hasArgument &&
      statement.children.length === 0;
    if (!parent || !isArgument)
      throw this.#invalid(`text is not allowed inside <${statement.keyword}>`, statement);
    parent.children.splice(parent.children.indexOf(statement), 1);
    parent.argument = text;
    parent.hasArgument = true;
  }

  /** Returns the position of the `<` of the current tag. */
  #positionOfTag(): TextPosition {
    const { text } = this.#source;
    const offset = text.lastIndexOf('<', this.#parser.position - 1);
    for (
      let at = text.indexOf('\n', this.#counted);
      at >= 0 && at < offset;
      at = text.indexOf('\n', at + 1)
    ) {
      this.#line += 1;
      this.#lineStart = at + 1;
    }
    this.#counted = offset;
    return { source: this.#source, line: this.#line, column: offset - this.#lineStart + 1 };
  }

  #invalid(message: string, at: TextPosition = this.#start): InvalidYang {
    return new InvalidYang(at, 'RFC 7950 13', message);
  }
}

function isArgumentElement({ uri, local }: SaxesTagNS, { keyword, hasArgument }: Statement): boolean {
  return (
    uri === YIN_NAMESPACE &&
    ELEMENT_ARGUMENTS.has(keyword) &&
    !hasArgument &&
    local === argumentNameOf(keyword)
  );
}
