import type { LogLine, LogReply } from '../../api/observe.js';

/** Maximum number of lines on the page. */
export const MAX_LINES = 2000;

/** Content of a live log. */
export interface LogTail {
  readonly lines: readonly LogLine[];
  readonly next: number | undefined;
  /** True if lines were dropped before they were read. */
  readonly missed: boolean;
  readonly writtenLevel: LogReply['writtenLevel'] | undefined;
  readonly hint: string | null;
}

/** A log before the first read. */
export const EMPTY_TAIL: LogTail = {
  lines: [],
  next: undefined,
  missed: false,
  writtenLevel: undefined,
  hint: null,
};

/** Returns the tail with the lines of another reply; drops the oldest lines beyond the limit. */
export function withReply(tail: LogTail, { lines, next, missed, writtenLevel, hint }: LogReply): LogTail {
  const last = tail.lines.at(-1)?.id ?? -1;
  const newLines = lines.filter(({ id }) => id > last);
  return {
    lines: newLines.length === 0 ? tail.lines : [...tail.lines, ...newLines].slice(-MAX_LINES),
    next,
    missed: tail.missed || missed,
    writtenLevel,
    hint,
  };
}

/** Formats the fields of a line: `status=200 root="/restconf"`; fields in `without` are left out. */
export function formatFields(fields: LogLine['fields'], without: readonly string[] = []): string {
  return Object.entries(fields)
    .filter(([name]) => !without.includes(name))
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(' ');
}

/** Returns the lines in which every word of a search occurs. */
export function matchingLines(lines: readonly LogLine[], search: string): readonly LogLine[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return lines;
  return lines.filter(({ level, message, fields }) => {
    const text = `${level} ${message} ${formatFields(fields)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Returns the lines as text, one for each line of the log; times are in UTC. */
export function asText(lines: readonly LogLine[]): string {
  return lines
    .map(({ at, level, message, fields }) =>
      `${new Date(at).toISOString()} ${level.padEnd(5)} ${message} ${formatFields(fields)}`.trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}

/** Returns the lines as JSON lines, in the format of the log file. */
export function asJsonLines(lines: readonly LogLine[]): string {
  return lines
    .map(({ at, level, message, fields }) =>
      JSON.stringify({ time: new Date(at).toISOString(), level, message, ...fields }),
    )
    .map((line) => `${line}\n`)
    .join('');
}
