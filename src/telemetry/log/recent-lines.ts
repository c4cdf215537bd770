import { type FindLines, LOG_LEVELS, type LogLine } from '../../core/log.js';
import { BoundedMap } from '../../lib/bounded-map.js';
import type { Clock } from '../../lib/clock.js';
import type { Entry } from './line.js';

/** The latest lines of the log. */
interface RecentLines {
  readonly keep: (entry: Entry) => void;
  readonly find: FindLines;
}

/** Limits for each of the two buffers of all lines: number of lines, and total characters. */
const MAX_LINES = 1_000;
const MAX_LENGTH = 512 * 1024;
/** Limits for the lines of all adapters together, which the adapters share equally. */
const MAX_ADAPTER_LINES = 40_000;
const MAX_ADAPTERS_LENGTH = 16 * 1024 * 1024;
/** Maximum number of adapters with own lines; those without a new line for the longest time are dropped first. */
const MAX_ADAPTERS = 4_000;
/** Length counted for a value in addition to its text. */
const VALUE_LENGTH = 16;

/** Ids of lines. Several processes of a server number their lines so that the order is that of time. */
interface LineIds {
  /** Returns the lowest id that a line may have now. */
  readonly first: () => number;
  /** Distance of two ids of the same process. */
  readonly step: number;
}

/** Ids per millisecond, and the distance of two ids of a process, which is more than there are processes. */
const [IDS_PER_MS, STEP] = [1_000, 300];

/** Returns the ids of lines of one of several processes, by its number. */
export function idsOfProcess(clock: Clock, number: number): LineIds {
  return { first: () => Math.floor((clock.now() * IDS_PER_MS) / STEP) * STEP + number, step: STEP };
}

/** Returns true for the paths of the console: a page that shows the log would otherwise fill it by reading it. */
function isOwnPath(path: unknown): boolean {
  return typeof path === 'string' && path.startsWith('/console/');
}

/**
 * Creates an empty buffer of lines. Errors and warnings have a separate buffer, so that the lines of
 * thousands of calls do not displace the line that explains their failure. Each adapter has a buffer of its own, so that a
 * busy adapter does not displace the lines of a quiet one.
 */
export function createRecentLines(ids: LineIds = { first: () => 1, step: 1 }): RecentLines {
  const [severe, ordinary] = [new LineBuffer(), new LineBuffer()];
  const byAdapter = new BoundedMap<string, LineBuffer>({ maxEntries: MAX_ADAPTERS });
  let latest = 0;
  let share = shareOfAdapter(1);
  /** At least the size of each of these buffers. */
  let largest = { lines: 0, length: 0 };
  const addAdapter = (adapter: string): LineBuffer => {
    const buffer = new LineBuffer();
    byAdapter.set(adapter, buffer);
    share = shareOfAdapter(byAdapter.size);
    // Most have few lines, so that the first lines of thousands of adapters need not each visit all buffers.
    if (largest.lines <= share.lines && largest.length <= share.length) return buffer;
    // A quiet adapter must give up its part now: its own next line may never come.
    for (const other of byAdapter.values()) other.cut(share);
    largest = share;
    return buffer;
  };
  const addLine = (line: LogLine, adapter: string): void => {
    const buffer = byAdapter.get(adapter) ?? addAdapter(adapter);
    buffer.add(line, share);
    const { lines, length } = buffer.size();
    if (lines > largest.lines || length > largest.length)
      largest = { lines: Math.max(lines, largest.lines), length: Math.max(length, largest.length) };
  };
  return {
    keep({ time, level, message, fields }) {
      const { adapter, path } = fields;
      if (level === 'info' && message === 'request' && isOwnPath(path)) return;
      latest = Math.max(latest + ids.step, ids.first());
      const line = { id: latest, time, level, message, fields };
      const buffer = level === 'error' || level === 'warn' ? severe : ordinary;
      buffer.add(line);
      if (typeof adapter === 'string') addLine(line, adapter);
    },
    find({ adapter, requestId, level, after, most }) {
      // Ids from before a restart belong to another process and are meaningless here.
      const isForeign = after >= Math.max(latest + ids.step, ids.first());
      const from = isForeign ? 0 : after;
      const rank = LOG_LEVELS.indexOf(level);
      const isWanted = ({ id, level: own, fields }: LogLine): boolean =>
        id > from &&
        LOG_LEVELS.indexOf(own) <= rank &&
        (requestId === undefined || fields['requestId'] === requestId);
      const buffers =
        adapter === undefined ? [severe, ordinary] : [byAdapter.get(adapter) ?? new LineBuffer()];
      const found = buffers.flatMap((buffer) => buffer.lines()).filter(isWanted);
      const lines = found.sort((a, b) => a.id - b.id);
      const lost = Math.max(...buffers.map((buffer) => buffer.lost()));
      const isGap = isForeign || lost > from || lines.length > most;
      const seen = Math.max(latest, ids.first() - ids.step);
      return { lines: lines.slice(-most), latest: seen, missed: after > 0 && isGap };
    },
  };
}

interface BufferLimits {
  readonly lines: number;
  readonly length: number;
}

const OWN_LIMITS: BufferLimits = { lines: MAX_LINES, length: MAX_LENGTH };

/** Returns the limits of one of `count` adapters. */
function shareOfAdapter(count: number): BufferLimits {
  return {
    lines: Math.min(MAX_LINES, Math.floor(MAX_ADAPTER_LINES / count)),
    length: Math.min(MAX_LENGTH, Math.floor(MAX_ADAPTERS_LENGTH / count)),
  };
}

/** Takes the place of a dropped line until the buffer is shortened. */
const DROPPED: LogLine = { id: 0, time: '', level: 'info', message: '', fields: {} };

class LineBuffer {
  #lines: LogLine[] = [];
  #lengths: number[] = [];
  /** Index of the first valid line; earlier lines are removed in batches. */
  #first = 0;
  #length = 0;
  #lost = 0;

  /** Adds a line, and drops the oldest lines beyond the limits. */
  add(line: LogLine, limits = OWN_LIMITS): void {
    const length = lengthOf(line);
    this.#lines.push(line);
    this.#lengths.push(length);
    this.#length += length;
    this.cut(limits);
  }

  /** Returns the number of lines, and their length. */
  size(): BufferLimits {
    return { lines: this.#lines.length - this.#first, length: this.#length };
  }

  /** Drops the oldest lines beyond the limits. */
  cut(limits: BufferLimits): void {
    while (this.#lines.length - this.#first > limits.lines || this.#length > limits.length)
      this.#forgetFirst();
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
    // Frees the line now; the arrays are shortened later.
    this.#lines[this.#first] = DROPPED;
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
