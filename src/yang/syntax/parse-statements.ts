import type { FaultList } from '../diagnostic.js';
import type { Budget } from '../limits.js';
import { Lexer } from './lexer.js';
import { isXml, otherFormatOf } from './other-format.js';
import type { ParsedText } from './parsed-text.js';
import { positionAt } from './source-text.js';
import type { SourceText, Statement, TextPosition } from './statement.js';
import { parseYin } from './yin.js';

/**
 * Parses a YANG or YIN text. Adds faults to the list and continues at the next statement, so that all faults are
 * reported.
 */
export function parseStatements(source: SourceText, budget: Budget, faults: FaultList): ParsedText {
  budget.takeBytes(source.text.length, { source, line: 1, column: 1 });
  const otherFormat = otherFormatOf(source.text);
  if (otherFormat !== undefined) {
    faults.add({ source, line: 1, column: 1 }, 'RFC 7950 6', `this is ${otherFormat}, not YANG`);
    return UNREADABLE;
  }
  checkEncoding(source, faults);
  if (isXml(source.text)) return faults.catching(() => parseYin(source, budget)) ?? UNREADABLE;
  checkCharacters(source, faults);
  return new Parser(new Lexer(source, faults), budget).parse();
}

const UNREADABLE: ParsedText = { roots: [], version1Forms: [], isIncomplete: true };

function checkEncoding(source: SourceText, faults: FaultList): void {
  if (source.invalidByte)
    faults.addHarmless(
      { source, ...source.invalidByte },
      'RFC 7950 6',
      `the byte 0x${source.invalidByte.hex} is not UTF-8; save the file as UTF-8`,
    );
}

/** Characters that are not a `yang-char` (RFC 7950 section 14). */
const FORBIDDEN_CHARACTER = /[\u0000-\u0008\u000B\u000C\u000E-\u001F]|\p{Noncharacter_Code_Point}|\p{Cs}/u;

function checkCharacters(source: SourceText, faults: FaultList): void {
  const match = FORBIDDEN_CHARACTER.exec(source.text);
  if (!match) return;
  const position = { source, ...positionAt(source.text, match.index) };
  const code = (match[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  faults.add(position, 'RFC 7950 6', `the character U+${code} is not allowed in YANG`);
}

const KEYWORD = /^(?:[A-Za-z_][A-Za-z0-9_.-]*:)?[A-Za-z_][A-Za-z0-9_.-]*$/;

/** Maximum length of an argument that is stored once, in characters. Longer ones are rarely equal. */
const MAX_SHORT_LENGTH = 40;

/** Returns a text as the name of a member, of which V8 keeps one copy, so that it is compared with a literal at once. */
function internalized(text: string): string {
  return Object.keys({ [text]: true })[0] ?? text;
}

/** Statement whose substatements are not parsed yet. */
interface OpenStatement extends Statement {
  children: readonly Statement[];
}

/** Substatements of each statement without any. */
const NO_STATEMENTS: readonly Statement[] = [];

/** Parser for YANG statements (RFC 7950 6.3). */
class Parser {
  readonly #lexer: Lexer;
  readonly #budget: Budget;
  /** Keywords and short arguments, each once: a text has the same ones thousands of times. */
  readonly #keywords = new Map<string, string>();
  readonly #arguments = new Map<string, string>();
  /** Statements of the open blocks. A list for each block would reserve memory for more statements than most have. */
  readonly #statements: Statement[] = [];
  #depth = 0;
  /** First statement that is not indented below its parent: the "}" of the parent is probably missing before. */
  #outdented: Statement | undefined;

  constructor(lexer: Lexer, budget: Budget) {
    this.#lexer = lexer;
    this.#budget = budget;
  }

  parse(): ParsedText {
    while (this.#hasNext(this.#statements)) this.#read(undefined);
    const { version1Forms, isIncomplete } = this.#lexer;
    return { roots: this.#statements, version1Forms, isIncomplete };
  }

  /** Skips to the next top-level statement. Returns false at the end of the text. */
  #hasNext(roots: readonly Statement[]): boolean {
    const lexer = this.#lexer;
    lexer.skipBlanks();
    let hasFault = roots.length > 1;
    while (lexer.peek() === '}') {
      // If statements follow the module, its "}" is in the wrong place, which is a separate fault.
      if (!hasFault) lexer.fault('6.3', 'a "}" that closes nothing');
      hasFault = true;
      lexer.readClose();
      lexer.skipBlanks();
    }
    return !lexer.ended;
  }

  /** Parses a statement with its substatements, and adds the statement to those of its block. */
  #read(parent: Statement | undefined): void {
    const lexer = this.#lexer;
    const { source, line, column } = lexer;
    this.#budget.takeStatement(this.#depth, lexer);
    const word = lexer.readWord();
    const keyword = this.#keywords.get(word) ?? this.#newKeyword(word);
    if (keyword === undefined) {
      this.#refuseKeyword(word, { source, line, column });
      return;
    }
    lexer.skipBlanks();
    const argument = lexer.readArgument();
    lexer.skipBlanks();
    const statement: OpenStatement = {
      keyword,
      argument: this.#once(argument ?? ''),
      hasArgument: argument !== undefined,
      source,
      line,
      column,
      parent,
      children: NO_STATEMENTS,
    };
    this.#statements.push(statement);
    if (parent && column <= parent.column && line > parent.line) this.#outdented ??= statement;
    this.#readBody(statement);
  }

  /** Returns undefined for a word that is no keyword. */
  #newKeyword(word: string): string | undefined {
    if (!KEYWORD.test(word)) return undefined;
    const keyword = internalized(word);
    this.#keywords.set(keyword, keyword);
    return keyword;
  }

  /** Returns the first one of equal short arguments. */
  #once(argument: string): string {
    if (argument.length > MAX_SHORT_LENGTH) return argument;
    const first = this.#arguments.get(argument);
    if (first === undefined) this.#arguments.set(argument, argument);
    return first ?? argument;
  }

  #readBody(statement: OpenStatement): void {
    const lexer = this.#lexer;
    let end = lexer.readEnding();
    if (end === 'other' && !lexer.refuseRunawayString()) {
      lexer.fault('6.3', `expected ";" or "{" after "${statement.keyword}"`);
      lexer.skipToEnding();
      end = lexer.readEnding();
    }
    if (end === '{') this.#readBlock(statement);
  }

  #readBlock(statement: OpenStatement): void {
    const lexer = this.#lexer;
    const first = this.#statements.length;
    this.#depth += 1;
    for (;;) {
      lexer.skipBlanks();
      if (lexer.readClose()) break;
      if (lexer.ended) {
        this.#refuseOpenBlock(statement);
        break;
      }
      this.#read(statement);
    }
    statement.children = this.#statements.splice(first);
    this.#depth -= 1;
  }

  /** Adds one fault for a missing "}", at the statement that needs it according to the indentation. */
  #refuseOpenBlock(innermost: Statement): void {
    const next = this.#outdented;
    const open = next?.parent ?? innermost;
    const place = next ? `before "${next.keyword}" of line ${next.line}` : 'before the end of the text';
    this.#lexer.faultOfMissingEnd(open, '6.3', `"${open.keyword}" is never closed; add "}" ${place}`);
  }

  /** Reports and skips text that is not a statement, including a block after the text. */
  #refuseKeyword(keyword: string, position: TextPosition): void {
    const lexer = this.#lexer;
    const quotedText = keyword === '' ? lexer.peek() : keyword.slice(0, 40);
    lexer.faultAt(position, '6.3', `${JSON.stringify(quotedText)} is not a keyword`);
    lexer.skipToEnding();
    if (lexer.readEnding() === '{')
      this.#readBlock({
        ...position,
        keyword: 'unknown',
        argument: '',
        hasArgument: false,
        parent: undefined,
        children: NO_STATEMENTS,
      });
  }
}
