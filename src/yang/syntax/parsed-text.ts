import type { Statement } from './statement.js';

/** Statements of the part of a text that could be parsed. */
export interface ParsedText {
  /** Top-level statements. A well-formed text has a single one. */
  readonly roots: readonly Statement[];
  /** Forms that YANG 1.0 allows and YANG 1.1 forbids. */
  readonly version1Forms: readonly Version1Form[];
  /** True if the end of a statement, string or comment is missing, so that statements may be in a wrong place. */
  readonly isIncomplete: boolean;
}

/** Form that YANG 1.0 allows and YANG 1.1 forbids (RFC 7950 section 1.1), with its position. */
export interface Version1Form {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}
