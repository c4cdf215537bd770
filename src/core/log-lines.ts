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
  /** Only lines of this adapter; absent: all lines. */
  readonly adapter?: string;
  /** Lines of this level and of more important levels. */
  readonly level: LogLevel;
  /** Only lines with an id above this one. */
  readonly after: number;
  /** Maximum number of lines; the latest lines are returned. */
  readonly most: number;
}

/** Result of a line query. */
export interface FoundLines {
  /** Oldest first. */
  readonly lines: readonly LogLine[];
  /** Id of the latest line, whether it matches or not. */
  readonly latest: number;
  /** True if lines after `after` are no longer kept. */
  readonly missed: boolean;
}

/** Finds recent lines. */
export type FindLines = (query: LineQuery) => FoundLines;
