import type { YangModelArchive } from '../../core/yang.js';
import type { Connection } from '../../storage/connection.js';
import type { Write } from '../../storage/tables.js';
import { lockForWrite, readerOf, writerOf } from '../../storage/transactions.js';

/** Maximum number of stored models, and maximum total length of their archives in characters. */
const MAX_STORED_MODELS = 500;
const MAX_STORED_MODEL_CHARACTERS = 256 * 1024 * 1024;

/**
 * Stores YANG models that schemas refer to, so that data can be validated by the model after a restart and on another node.
 * Removes the models that were not used for the longest time if there are too many.
 */
export interface YangModelStore {
  /** Stores a model, or records that it is used. `now` is in milliseconds since 1970. */
  save(model: YangModelArchive, now: number): Promise<void>;
  /** Returns the archive of a model, and records that it is used. */
  find(digest: string, now: number): Promise<string | undefined>;
}

/** Time after which the use of a model is recorded again, so that a validation seldom writes. */
const USE_INTERVAL_MS = 86_400_000;

/** Limits of the store, smaller in tests. */
interface YangModelLimits {
  readonly models: number;
  readonly characters: number;
}

const LIMITS: YangModelLimits = { models: MAX_STORED_MODELS, characters: MAX_STORED_MODEL_CHARACTERS };

export function yangModelStore(connection: Connection, limits = LIMITS): YangModelStore {
  const read = readerOf(connection);
  const write = writerOf(connection);
  return {
    save: ({ digest, archive }, now) =>
      write(async (db) => {
        await lockForWrite(db, 'yangModels');
        await db
          .insertInto('yangModels')
          .values({ digest, archive, characters: archive.length, lastUsed: Math.floor(now) })
          .onConflict((conflict) => conflict.column('digest').doUpdateSet({ lastUsed: Math.floor(now) }))
          .execute();
        await removeBeyond(db, limits);
      }),
    async find(digest, now) {
      const row = await read((db) =>
        db
          .selectFrom('yangModels')
          .select(['archive', 'lastUsed'])
          .where('digest', '=', digest)
          .executeTakeFirst(),
      );
      if (row && Number(row.lastUsed) < now - USE_INTERVAL_MS)
        await write((db) =>
          db
            .updateTable('yangModels')
            .set({ lastUsed: Math.floor(now) })
            .where('digest', '=', digest)
            .execute(),
        );
      return row?.archive;
    },
  };
}

/** Removes the models that were not used for the longest time beyond the limits. Keeps the latest. */
async function removeBeyond(db: Write, limits: YangModelLimits): Promise<void> {
  const rows = await db
    .selectFrom('yangModels')
    .select(['digest', 'characters'])
    .orderBy('lastUsed', 'desc')
    .orderBy('digest')
    .execute();
  let total = 0;
  const removed = rows.filter(({ characters }, at) => {
    total += characters;
    return at > 0 && (at >= limits.models || total > limits.characters);
  });
  if (removed.length > 0)
    await db
      .deleteFrom('yangModels')
      .where(
        'digest',
        'in',
        removed.map(({ digest }) => digest),
      )
      .execute();
}
