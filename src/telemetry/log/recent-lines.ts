import { LOG_LEVELS } from '../../core/log.js';
import type { FindLines, LogLine } from '../../core/log-lines.js';
import type { Entry } from './line.js';

/** The latest lines of the log. */
export interface RecentLines {
  readonly keep: (entry: Entry) => void;
  readonly find: FindLines;
}

/** What is kept of each of the two sorts of lines: so many, and so many characters. */
const LINES = 1_000;
const LENGTH = 512 * 1024;
/** What a value takes beside its own text. */
const VALUE_LENGTH = 16;

/**
 * Makes an empty memory of lines. Errors and warnings are kept apart from the others: what thousands of calls write must not
 * push out the one line that says why they fail.
 */
export function createRecentLines(): RecentLines {
  const [grave, common] = [new LineBuffer(), new LineBuffer()];
  let latest = 0;
  return {
    keep({ time, level, message, fields }) {
      latest += 1;
      const shelf = level === 'error' || level === 'warn' ? grave : common;
      shelf.add({ id: latest, time, level, message, fields });
    },
    find({ adapter, level, after, most }) {
      // The ids of another process, from before a restart, say nothing here.
      const from = after > latest ? 0 : after;
      const rank = LOG_LEVELS.indexOf(level);
      const isWanted = ({ id, level: own, fields }: LogLine): boolean =>
        id > from &&
        LOG_LEVELS.indexOf(own) <= rank &&
        (adapter === undefined || fields['adapter'] === adapter);
      const found = [...grave.lines(), ...common.lines()].filter(isWanted);
      const lines = found.sort((one, other) => one.id - other.id);
      const isGap = after > latest || Math.max(grave.lost(), common.lost()) > from || lines.length > most;
      return { lines: lines.slice(-most), latest, missed: after > 0 && isGap };
    },
  };
}

class LineBuffer {
  #lines: LogLine[] = [];
  #lengths: number[] = [];
  /** The lines before this place are gone; they are cut off now and then, not one by one. */
  #first = 0;
  #length = 0;
  #lost = 0;

  add(line: LogLine): void {
    const length = lengthOf(line);
    this.#lines.push(line);
    this.#lengths.push(length);
    this.#length += length;
    while (this.#lines.length - this.#first > LINES || this.#length > LENGTH) this.#forgetFirst();
    if (this.#first * 2 < this.#lines.length) return;
    this.#lines = this.#lines.slice(this.#first);
    this.#lengths = this.#lengths.slice(this.#first);
    this.#first = 0;
  }

  lines(): readonly LogLine[] {
    return this.#lines.slice(this.#first);
  }

  /** Id of the latest line that is gone. */
  lost(): number {
    return this.#lost;
  }

  #forgetFirst(): void {
    this.#lost = this.#lines[this.#first]?.id ?? this.#lost;
    this.#length -= this.#lengths[this.#first] ?? 0;
    this.#first += 1;
  }
}

/** About as long as its text: nearly all fields are short texts and numbers, and nothing is made of them here. */
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
