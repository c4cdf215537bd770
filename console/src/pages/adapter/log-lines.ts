import type { LogLine, LogReply } from '../../api/observe.js';

/** Maximum number of lines on the page. */
export const MOST_LINES = 2000;

/** Content of a live log. */
export interface Tail {
  readonly lines: readonly LogLine[];
  readonly next: number | undefined;
  /** True if lines were dropped before they were read. */
  readonly missed: boolean;
  readonly writtenLevel: LogReply['writtenLevel'] | undefined;
  readonly hint: string | null;
}

/** A log before the first read. */
export const NO_TAIL: Tail = {
  lines: [],
  next: undefined,
  missed: false,
  writtenLevel: undefined,
  hint: null,
};

/** Returns the tail with the lines of another reply; drops the oldest lines beyond the limit. */
export function withReply(tail: Tail, { lines, next, missed, writtenLevel, hint }: LogReply): Tail {
  const last = tail.lines.at(-1)?.id ?? -1;
  const fresh = lines.filter(({ id }) => id > last);
  return {
    lines: fresh.length === 0 ? tail.lines : [...tail.lines, ...fresh].slice(-MOST_LINES),
    next,
    missed: tail.missed || missed,
    writtenLevel,
    hint,
  };
}

/** Formats the fields of a line: `status=200 root="/restconf"`; fields in `without` are left out. */
export function fieldWords(fields: LogLine['fields'], without: readonly string[] = []): string {
  return Object.entries(fields)
    .filter(([name]) => !without.includes(name))
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(' ');
}

/** Returns the lines in which every word of a search occurs. */
export function foundLines(lines: readonly LogLine[], search: string): readonly LogLine[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return lines;
  return lines.filter(({ level, message, fields }) => {
    const text = `${level} ${message} ${fieldWords(fields)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
