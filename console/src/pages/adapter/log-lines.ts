import type { LogLine, LogReply } from '../../api/observe.js';

/** Lines that are kept on the page at most. */
export const MOST_LINES = 2000;

/** What a live log shows. */
export interface Tail {
  readonly lines: readonly LogLine[];
  readonly next: number | undefined;
  /** True: some lines were dropped before they were read. */
  readonly missed: boolean;
  readonly writtenLevel: LogReply['writtenLevel'] | undefined;
  readonly hint: string | null;
}

/** Nothing was read yet. */
export const NO_TAIL: Tail = {
  lines: [],
  next: undefined,
  missed: false,
  writtenLevel: undefined,
  hint: null,
};

/** The tail with the lines of one more reply; the oldest go when there are too many. */
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

/** The fields of a line as one text: `status=200 root="/restconf"`; those that are the same in all lines are left out. */
export function fieldWords(fields: LogLine['fields'], without: readonly string[] = []): string {
  return Object.entries(fields)
    .filter(([name]) => !without.includes(name))
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(' ');
}

/** The lines in which every word of a search stands. */
export function foundLines(lines: readonly LogLine[], search: string): readonly LogLine[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return lines;
  return lines.filter(({ level, message, fields }) => {
    const text = `${level} ${message} ${fieldWords(fields)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
