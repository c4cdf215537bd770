import { type FindLines, LOG_LEVELS, type LogLine } from '../../core/log.js';
import type { Entry } from './line.js';

/** The latest lines of the log. */
export interface RecentLines {
  readonly keep: (entry: Entry) => void;
  readonly find: FindLines;
}

/** Limits for each of the two buffers: number of lines, and total characters. */
const MAX_LINES = 1_000;
const MAX_LENGTH = 512 * 1024;
/** Length counted for a value in addition to its text. */
const VALUE_LENGTH = 16;

/**
 * Creates an empty buffer of lines. Errors and warnings have a separate buffer, so that the lines of
 * thousands of calls do not displace the line that explains their failure.
 */
export function createRecentLines(): RecentLines {
  const [severe, ordinary] = [new LineBuffer(), new LineBuffer()];
  let latest = 0;
  return {
    keep({ time, level, message, fields }) {
      latest += 1;
      const buffer = level === 'error' || level === 'warn' ? severe : ordinary;
      buffer.add({ id: latest, time, level, message, fields });
    },
    find({ adapter, requestId, level, after, most }) {
      // Ids from before a restart belong to another process and are meaningless here.
      const from = after > latest ? 0 : after;
      const rank = LOG_LEVELS.indexOf(level);
      const isWanted = ({ id, level: own, fields }: LogLine): boolean =>
        id > from &&
        LOG_LEVELS.indexOf(own) <= rank &&
        (adapter === undefined || fields['adapter'] === adapter) &&
        (requestId === undefined || fields['requestId'] === requestId);
      const found = [...severe.lines(), ...ordinary.lines()].filter(isWanted);
      const lines = found.sort((a, b) => a.id - b.id);
      const isGap = after > latest || Math.max(severe.lost(), ordinary.lost()) > from || lines.length > most;
      return { lines: lines.slice(-most), latest, missed: after > 0 && isGap };
    },
  };
}

class LineBuffer {
  #lines: LogLine[] = [];
  #lengths: number[] = [];
  /** Index of the first valid line; earlier lines are removed in batches. */
  #first = 0;
  #length = 0;
  #lost = 0;

  add(line: LogLine): void {
    const length = lengthOf(line);
    this.#lines.push(line);
    this.#lengths.push(length);
    this.#length += length;
    while (this.#lines.length - this.#first > MAX_LINES || this.#length > MAX_LENGTH) this.#forgetFirst();
    if (this.#first * 2 < this.#lines.length) return;
    this.#lines = this.#lines.slice(this.#first);
    this.#lengths = this.#lengths.slice(this.#first);
    this.#first = 0;
  }

  lines(): readonly LogLine[] {
    return this.#lines.slice(this.#first);
  }

  /** Returns the id of the latest dropped line. */
  lost(): number {
    return this.#lost;
  }

  #forgetFirst(): void {
    this.#lost = this.#lines[this.#first]?.id ?? this.#lost;
    this.#length -= this.#lengths[this.#first] ?? 0;
    this.#first += 1;
  }
}

/** Estimates the length of a line without rendering it: almost all fields are short texts and numbers. */
function lengthOf({ message, fields }: LogLine): number {
  let length = message.length;
  for (const name in fields) {
    const value = fields[name];
    length += name.length + VALUE_LENGTH;
    if (typeof value === 'string') length += value.length;
    else if (typeof value === 'object' && value !== null) length += JSON.stringify(value).length;
  }
  return length;
}
