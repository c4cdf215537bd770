import type { Budget } from '../limits.js';
import type { FaultList } from '../diagnostic.js';
import { Lexer, type UnknownEscape } from './lexer.js';
import type { SourceText, Statement } from './statement.js';

/** Statements of a text, as far as the text could be parsed. */
export interface ParsedText {
  /** Top-level statements. A well-formed text has a single one. */
  readonly roots: readonly Statement[];
  /** Escapes in double quotes that YANG 1.0 leaves unchanged and YANG 1.1 forbids. */
  readonly unknownEscapes: readonly UnknownEscape[];
}

/**
 * Parses a YANG text. Adds faults to the list and continues at the next statement, so that all faults are
 * reported.
 */
export function parseStatements(source: SourceText, budget: Budget, faults: FaultList): ParsedText {
  budget.takeBytes(source.text.length, { source, line: 1, column: 1 });
  checkCharacters(source, faults);
  const lexer = new Lexer(source, faults);
  const parser = new Parser(lexer, budget);
  const roots: Statement[] = [];
  while (parser.hasNext()) parser.readInto(roots, undefined);
  return { roots, unknownEscapes: lexer.unknownEscapes };
}

/** Characters that are not a `yang-char` (RFC 7950 section 14). */
const FORBIDDEN_CHARACTER = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFDD0-\uFDEF\uFFFE\uFFFF]|\p{Cs}/u;

function checkCharacters(source: SourceText, faults: FaultList): void {
  const match = FORBIDDEN_CHARACTER.exec(source.text);
  if (!match) return;
  const before = source.text.slice(0, match.index).split('\n');
  const position = { source, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  const code = match[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  faults.add(position, 'RFC 7950 6', `the character U+${code} is not allowed in YANG`);
}

const KEYWORD = /^(?:[A-Za-z_][A-Za-z0-9_.-]*:)?[A-Za-z_][A-Za-z0-9_.-]*$/;

interface OpenStatement extends Statement {
  readonly children: Statement[];
}

class Parser {
  readonly #lexer: Lexer;
  readonly #budget: Budget;
  #depth = 0;

  constructor(lexer: Lexer, budget: Budget) {
    this.#lexer = lexer;
    this.#budget = budget;
  }

  /** Skips to the next top-level statement. Returns false at the end of the text. */
  hasNext(): boolean {
    this.#lexer.skipBlanks();
    while (this.#lexer.peek() === '}') {
      this.#lexer.fault('6.3', 'a "}" that closes nothing');
      this.#lexer.readClose();
      this.#lexer.skipBlanks();
    }
    return !this.#lexer.ended;
  }

  /** Parses a statement with its substatements, and adds the statement to its siblings. */
  readInto(siblings: Statement[], parent: Statement | undefined): void {
    const lexer = this.#lexer;
    const { source, line, column } = lexer;
    this.#budget.takeStatement(this.#depth, { source, line, column });
    const keyword = lexer.readWord();
    if (!KEYWORD.test(keyword)) {
      this.#refuseKeyword(keyword, { source, line, column });
      return;
    }
    lexer.skipBlanks();
    const argument = lexer.readArgument();
    lexer.skipBlanks();
    const statement: OpenStatement = {
      keyword,
      argument: argument ?? '',
      hasArgument: argument !== undefined,
      source,
      line,
      column,
      parent,
      children: [],
    };
    siblings.push(statement);
    this.#readBody(statement);
  }

  #readBody(statement: OpenStatement): void {
    const lexer = this.#lexer;
    let end = lexer.readEnding();
    if (end === 'other') {
      lexer.fault('6.3', `expected ";" or "{" after "${statement.keyword}"`);
      lexer.skipToEnding();
      end = lexer.readEnding();
    }
    if (end === '{') this.#readBlock(statement);
  }

  #readBlock(statement: OpenStatement): void {
    const lexer = this.#lexer;
    this.#depth += 1;
    for (;;) {
      lexer.skipBlanks();
      if (lexer.readClose()) break;
      if (lexer.ended) {
        lexer.fault('6.3', `"${statement.keyword}" of line ${statement.line} is never closed; add "}"`);
        break;
      }
      this.readInto(statement.children, statement);
    }
    this.#depth -= 1;
  }

  /** Reports and skips text that is not a statement, including a block after the text. */
  #refuseKeyword(keyword: string, position: Pick<Statement, 'source' | 'line' | 'column'>): void {
    const lexer = this.#lexer;
    const quotedText = keyword === '' ? lexer.peek() : keyword.slice(0, 40);
    lexer.fault('6.3', `${JSON.stringify(quotedText)} is not a keyword`);
    lexer.skipToEnding();
    if (lexer.readEnding() === '{')
      this.#readBlock({
        ...position,
        keyword: 'unknown',
        argument: '',
        hasArgument: false,
        parent: undefined,
        children: [],
      });
  }
}
