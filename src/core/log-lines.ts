import type { LogFields, LogLevel } from './log.js';

/** A line of the log that was written a while ago. */
export interface LogLine {
  /** Counts the lines of this process, from 1. */
  readonly id: number;
  /** RFC 3339, UTC, milliseconds. */
  readonly time: string;
  readonly level: LogLevel;
  readonly message: string;
  /** Plain JSON values, without secrets. */
  readonly fields: LogFields;
}

/** Which of the latest lines are wanted. */
export interface LineQuery {
  /** Those of this adapter; absent: all. */
  readonly adapter?: string;
  /** These and the more important ones. */
  readonly level: LogLevel;
  /** Those that are later than this one. */
  readonly after: number;
  /** The latest so many. */
  readonly most: number;
}

/** Lines that were found. */
export interface FoundLines {
  /** Oldest first. */
  readonly lines: readonly LogLine[];
  /** Id of the latest line of all, whether it was wanted or not. */
  readonly latest: number;
  /** True when lines that are later than `after` are kept no more. */
  readonly missed: boolean;
}

/** Finds lines among the latest ones. */
export type FindLines = (query: LineQuery) => FoundLines;
