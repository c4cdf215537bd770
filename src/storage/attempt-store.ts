import type { AttemptStore, LockedOutKey } from '../core/login-attempts.js';
import { writerOf } from './access.js';
import { countAttempt, trimAttempts, uncountAttempt } from './attempts-table.js';
import type { Connection } from './connection.js';

/** Most places of a kind that are kept. */
const PLACES = 10_000;

/** Counts between two removals of what is over. */
const TRIM_EVERY = 100;

/** The counts of wrong passwords in an open database. */
export function attemptStore(connection: Connection): AttemptStore {
  const write = writerOf(connection);
  let counts = 0;
  return {
    async count(places, now) {
      const isTrimming = (counts += 1) % TRIM_EVERY === 0;
      try {
        await write(async (db) => {
          if (isTrimming) await trimAttempts(db, now, PLACES);
          for (const place of places) {
            const locked = await countAttempt(db, place, now);
            if (locked) throw new Locked(locked);
          }
        });
        return undefined;
      } catch (error) {
        if (error instanceof Locked) return error.at;
        throw error;
      }
    },
    takeBack: (places) =>
      write(async (db) => {
        for (const place of places) await uncountAttempt(db, place);
      }),
  };
}

/** Undoes what was counted in the places before. */
class Locked extends Error {
  readonly at: LockedOutKey;

  constructor(at: LockedOutKey) {
    super('a place is locked');
    this.at = at;
  }
}
