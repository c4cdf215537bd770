import { NO_OVERRIDES, type DesiredState, type ComponentOverrides } from '../core/component.js';
import type { ComponentKind } from '../core/platform-state.js';
import type { Database, Write } from './tables.js';

/**
 * Increments the revision of the state. The row is locked until the transaction ends, so that changes run one
 * after the other.
 */
export async function countChange(db: Write): Promise<void> {
  await db
    .updateTable('platform')
    .set((set) => ({ revision: set('revision', '+', 1) }))
    .execute();
}

/** Returns the revision of the state, and the name of the active profile. */
export async function selectPlatform(
  db: Database,
): Promise<{ readonly revision: number; readonly activeProfile: string | null }> {
  return db.selectFrom('platform').select(['revision', 'activeProfile']).executeTakeFirstOrThrow();
}

/** Sets the active profile. */
export async function setActiveProfile(db: Write, name: string | null): Promise<void> {
  await db.updateTable('platform').set({ activeProfile: name }).execute();
}

/** A component by its kind and name. */
export interface Component {
  readonly kind: ComponentKind;
  readonly name: string;
}

/** Returns the overrides of the components of a kind, by name. */
export async function selectAllOverrides(
  db: Database,
  kind: ComponentKind,
): Promise<ReadonlyMap<string, ComponentOverrides>> {
  const rows = await db.selectFrom('wishes').selectAll().where('kind', '=', kind).orderBy('name').execute();
  return new Map(rows.map((row) => [row.name, parseOverrides(row)]));
}

/** Returns the overrides of one component. */
export async function selectOverrides(db: Database, { kind, name }: Component): Promise<ComponentOverrides> {
  const row = await db
    .selectFrom('wishes')
    .selectAll()
    .where('kind', '=', kind)
    .where('name', '=', name)
    .executeTakeFirst();
  return row ? parseOverrides(row) : NO_OVERRIDES;
}

/** Stores the overrides of a component. */
export async function upsertOverrides(
  db: Write,
  component: Component,
  overrides: ComponentOverrides,
): Promise<void> {
  const { kind, name } = component;
  const { wanted, restarts } = overrides;
  const values = { wanted, restarts, levels: levelsText(overrides) };
  await db
    .insertInto('wishes')
    .values({ kind, name, ...values })
    .onConflict((conflict) => conflict.columns(['kind', 'name']).doUpdateSet(values))
    .execute();
}

/** Deletes the overrides of a component. */
export async function deleteOverrides(db: Write, { kind, name }: Component): Promise<void> {
  await db.deleteFrom('wishes').where('kind', '=', kind).where('name', '=', name).execute();
}

function parseOverrides({
  wanted,
  restarts,
  levels,
}: {
  readonly wanted: DesiredState;
  readonly restarts: number;
  readonly levels: string;
}): ComponentOverrides {
  const { goBack, ...own } = JSON.parse(levels) as StoredLogLevels;
  return { wanted, restarts, levels: own, ...(goBack && { goBack }) };
}

/** Levels as stored in the column: `goBack` is a member beside the levels. */
type StoredLogLevels = ComponentOverrides['levels'] & Pick<ComponentOverrides, 'goBack'>;

function levelsText({ levels, goBack }: ComponentOverrides): string {
  const kept: StoredLogLevels = { ...levels, ...(goBack && { goBack }) };
  return JSON.stringify(kept);
}
