import { NO_WISH, type Wanted, type Wish } from '../domain/component.js';
import type { ComponentKind } from '../domain/platform-state.js';
import type { Database, Write } from './tables.js';

/** Counts a change of the state. The row is locked until the transaction ends, so that changes come one after the other. */
export async function countChange(db: Write): Promise<void> {
  await db
    .updateTable('platform')
    .set((set) => ({ revision: set('revision', '+', 1) }))
    .execute();
}

/** The revision of the state, and the name of the active profile. */
export async function selectPlatform(
  db: Database,
): Promise<{ readonly revision: number; readonly activeProfile: string | null }> {
  return db.selectFrom('platform').select(['revision', 'activeProfile']).executeTakeFirstOrThrow();
}

/** Makes a profile the active one. */
export async function setActiveProfile(db: Write, name: string | null): Promise<void> {
  await db.updateTable('platform').set({ activeProfile: name }).execute();
}

/** A component by its kind and name. */
export interface Component {
  readonly kind: ComponentKind;
  readonly name: string;
}

/** What is wanted of the components of a kind, by name. */
export async function selectWishes(db: Database, kind: ComponentKind): Promise<ReadonlyMap<string, Wish>> {
  const rows = await db.selectFrom('wishes').selectAll().where('kind', '=', kind).orderBy('name').execute();
  return new Map(rows.map((row) => [row.name, wishOf(row)]));
}

/** What is wanted of one component. */
export async function selectWish(db: Database, { kind, name }: Component): Promise<Wish> {
  const row = await db
    .selectFrom('wishes')
    .selectAll()
    .where('kind', '=', kind)
    .where('name', '=', name)
    .executeTakeFirst();
  return row ? wishOf(row) : NO_WISH;
}

/** Keeps what is wanted of a component. */
export async function upsertWish(db: Write, component: Component, wish: Wish): Promise<void> {
  const { kind, name } = component;
  const { wanted, restarts } = wish;
  const values = { wanted, restarts, levels: levelsText(wish) };
  await db
    .insertInto('wishes')
    .values({ kind, name, ...values })
    .onConflict((conflict) => conflict.columns(['kind', 'name']).doUpdateSet(values))
    .execute();
}

/** Forgets what was wanted of a component. */
export async function deleteWish(db: Write, { kind, name }: Component): Promise<void> {
  await db.deleteFrom('wishes').where('kind', '=', kind).where('name', '=', name).execute();
}

function wishOf({
  wanted,
  restarts,
  levels,
}: {
  readonly wanted: Wanted;
  readonly restarts: number;
  readonly levels: string;
}): Wish {
  const { goBack, ...own } = JSON.parse(levels) as KeptLevels;
  return { wanted, restarts, levels: own, ...(goBack && { goBack }) };
}

/** Levels as the column has them: what comes after them stands beside them. */
type KeptLevels = Wish['levels'] & Pick<Wish, 'goBack'>;

function levelsText({ levels, goBack }: Wish): string {
  const kept: KeptLevels = { ...levels, ...(goBack && { goBack }) };
  return JSON.stringify(kept);
}
