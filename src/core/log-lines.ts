import type { LogFields, LogLevel } from './log.js';

/** A recent log line. */
export interface LogLine {
  /** Number of the line in this process, from 1. */
  readonly id: number;
  /** RFC 3339, UTC, milliseconds. */
  readonly time: string;
  readonly level: LogLevel;
  readonly message: string;
  /** Plain JSON values, without secrets. */
  readonly fields: LogFields;
}

/** Filters for recent lines. */
export interface LineQuery {
  /** Selects the lines of this adapter; absent: all lines. */
  readonly adapter?: string;
  /** Selects lines of this level and of more important levels. */
  readonly level: LogLevel;
  /** Selects lines with a higher id. */
  readonly after: number;
  /** Maximum number of lines; older lines are omitted. */
  readonly most: number;
}

/** Result of a line query. */
export interface FoundLines {
  /** Oldest first. */
  readonly lines: readonly LogLine[];
  /** Id of the latest line, even if that line does not match. */
  readonly latest: number;
  /** True if some lines after `after` have already been discarded. */
  readonly missed: boolean;
}

/** Finds recent lines. */
export type FindLines = (query: LineQuery) => FoundLines;
