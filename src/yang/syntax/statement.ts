/** YANG or YIN text, with the file name that faults report. */
export interface SourceText {
  /** Name of the file in faults. */
  readonly file: string;
  readonly text: string;
  /** First byte of the file that is not UTF-8; absent for a text that is. */
  readonly invalidByte?: InvalidByte;
}

/** Position of a byte that is not UTF-8, and the byte in hexadecimal. */
export interface InvalidByte {
  readonly line: number;
  readonly column: number;
  readonly hex: string;
}

/** Place of a keyword: its line and column, each from 1. */
export interface TextPosition {
  readonly source: SourceText;
  readonly line: number;
  readonly column: number;
}

/** Statement of a YANG text (RFC 7950 6.3): a keyword, an optional argument, and optional substatements. */
export interface Statement extends TextPosition {
  /** `leaf`, or `prefix:name` for a statement that an extension defines. */
  readonly keyword: string;
  /** Argument without its quoting; empty if the statement has no argument. */
  readonly argument: string;
  readonly hasArgument: boolean;
  readonly parent: Statement | undefined;
  readonly children: readonly Statement[];
}

/** Returns the first substatement with the keyword. */
export function childOf(statement: Statement, keyword: string): Statement | undefined {
  return statement.children.find((child) => child.keyword === keyword);
}

/** Returns all substatements with the keyword, in order. */
export function childrenOf(statement: Statement, keyword: string): readonly Statement[] {
  return statement.children.filter((child) => child.keyword === keyword);
}

/** Returns the argument of the first substatement with the keyword. */
export function argumentOf(statement: Statement, keyword: string): string | undefined {
  return childOf(statement, keyword)?.argument;
}
