import {
  Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  parseDocument,
  Parser,
  Scalar,
  visit,
} from 'yaml';
import { pointerTokens } from '../json/pointer.js';
import { DEPTH_LIMIT } from './read-values.js';

/** Options with which configuration files are parsed. */
export const YAML_OPTIONS = {
  version: '1.2',
  schema: 'core',
  merge: false,
  resolveKnownTags: false,
  stringKeys: true,
  // readValues checks this in linear time.
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'error',
} as const satisfies Parameters<typeof parseDocument>[1];

/** Parses a text with the options for configuration files. Returns `undefined` if it is nested too deeply. */
export function parseYaml(text: string, lineCounter: LineCounter): Document | undefined {
  return isTooDeep(text) ? undefined : parseDocument(text, { ...YAML_OPTIONS, lineCounter });
}

/** Maximum number of open constructs; the syntax has at most 3 for each level of nesting. */
const OPEN_LIMIT = 3 * DEPTH_LIMIT;

/** Characters of which each level of nesting needs one. */
const INDICATORS = /[[{:?-]/g;

/**
 * Returns true if composing the text would recurse too deeply. This must be known first: a nearly full stack
 * can end the process without an error (V8 cannot compile a regular expression there).
 */
function isTooDeep(text: string): boolean {
  if ((text.match(INDICATORS)?.length ?? 0) < DEPTH_LIMIT) return false;
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    // Consume every token that the lexeme completes. Otherwise, the parser does not advance.
    Array.from(parser.next(lexeme));
    if (parser.stack.length > OPEN_LIMIT) return true;
  }
  return false;
}

/** Writes plain JSON values as YAML 1.2 that gatehouse reads as the same values. */
export function writeYaml(value: unknown): string {
  const document = new Document(value, { version: '1.2', aliasDuplicateObjects: false });
  visit(document, { Scalar: quoteMisread });
  return document.toString({ lineWidth: 0, singleQuote: true });
}

/** Quotes what would be read as something else: a block of blanks and line ends, the name `<<`, and a byte order mark. */
function quoteMisread(key: unknown, node: Scalar): void {
  const { value } = node;
  if (typeof value !== 'string') return;
  if (/^\s*\n\s*$|^\ufeff/.test(value) || (key === 'key' && value === '<<')) node.type = Scalar.QUOTE_DOUBLE;
}

/**
 * Returns a YAML (or JSON) text with new strings instead of the scalars at the given pointers. Preserves
 * comments, layout and quotes. Replaces an alias itself, not the value that it refers to. Throws if there is
 * no scalar.
 */
export function replaceScalars(text: string, changes: ReadonlyMap<string, string>): string {
  const document = parseYaml(text, new LineCounter());
  if (!document || document.errors.length > 0) throw new Error('the text is not a YAML document');
  const edits = new Map<number, Edit>();
  for (const [pointer, value] of changes) {
    const edit = editFor(text, nodeAt(document, pointer), value);
    if (!edit) throw new Error(`there is no scalar at ${pointer}`);
    edits.set(edit.from, edit);
  }
  let edited = text;
  for (const { from, to, written } of [...edits.values()].sort((a, b) => b.from - a.from))
    edited = edited.slice(0, from) + written + edited.slice(to);
  return edited;
}

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly written: string;
}

function editFor(text: string, node: unknown, value: string): Edit | undefined {
  if (!isScalar(node) && !isAlias(node)) return undefined;
  const [from, to] = node.range ?? [0, 0];
  if (to <= from) return undefined;
  const type = isScalar(node) ? node.type : Scalar.PLAIN;
  const block = type === Scalar.BLOCK_LITERAL || type === Scalar.BLOCK_FOLDED;
  const lineEnd = block ? (/\s*$/.exec(text.slice(from, to))?.[0] ?? '') : '';
  return { from, to, written: quote(value, type) + lineEnd };
}

/** Writes a value with the existing quotes. A value stays unquoted only if it cannot be misread. */
function quote(value: string, type: Scalar['type'] | undefined): string {
  if (type === Scalar.QUOTE_SINGLE && !/[^\x20-\x7e]/.test(value)) return `'${value.replaceAll("'", "''")}'`;
  const plain = type !== Scalar.QUOTE_DOUBLE && /^\$[A-Za-z][\w$./%#-]*$/.test(value);
  return plain ? value : JSON.stringify(value);
}

function nodeAt(document: Document, pointer: string): unknown {
  let node: unknown = document.contents;
  for (const token of pointerTokens(pointer)) {
    if (isAlias(node)) node = node.resolve(document);
    node = memberOf(node, token);
  }
  return node;
}

function memberOf(node: unknown, token: string): unknown {
  if (isSeq(node)) return node.items[Number(token)];
  if (!isMap(node)) return undefined;
  return node.items.find(({ key }) => isScalar(key) && String(key.value) === token)?.value;
}
