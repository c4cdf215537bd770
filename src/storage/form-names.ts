import { selectTaken } from './forms-table.js';
import type { Write } from './tables.js';

/** Longest name, in characters. */
export const NAME_LENGTH = 512;

/** Names that one question asks for. */
const ASKED = 64;

/**
 * Finds the first of `name (1)`, `name (2)`, ... that is not taken, shortened where it would be too long. Remembers where
 * it was: thousands of forms with one name do not each begin at 1.
 */
export class FreeNames {
  readonly #db: Write;
  readonly #next = new Map<string, number>();

  constructor(db: Write) {
    this.#db = db;
  }

  async find(name: string): Promise<string> {
    for (let first = this.#next.get(name) ?? 1; ; first += ASKED) {
      const names = Array.from({ length: ASKED }, (_, at) => numbered(name, first + at));
      const taken = await selectTaken(this.#db, names);
      const at = names.findIndex((candidate) => !taken.has(candidate));
      const free = names[at];
      if (free === undefined) continue;
      this.#next.set(name, first + at + 1);
      return free;
    }
  }
}

function numbered(name: string, number: number): string {
  const suffix = ` (${number})`;
  return (
    Array.from(name)
      .slice(0, NAME_LENGTH - suffix.length)
      .join('') + suffix
  );
}
