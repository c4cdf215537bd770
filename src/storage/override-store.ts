import {
  type ComponentOverrides,
  type DesiredState,
  NO_OVERRIDES,
  type StateRequest,
} from '../core/component.js';
import type { ComponentKind } from '../core/platform-state.js';
import type { Database, Write } from './tables.js';

interface Component {
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

export async function selectOverrides(db: Database, { kind, name }: Component): Promise<ComponentOverrides> {
  const row = await db
    .selectFrom('wishes')
    .selectAll()
    .where('kind', '=', kind)
    .where('name', '=', name)
    .executeTakeFirst();
  return row ? parseOverrides(row) : NO_OVERRIDES;
}

export async function upsertOverrides(
  db: Write,
  component: Component,
  overrides: ComponentOverrides,
): Promise<void> {
  const { kind, name } = component;
  const { wanted, restarts } = overrides;
  const values = { wanted, restarts, levels: formatLevels(overrides) };
  await db
    .insertInto('wishes')
    .values({ kind, name, ...values })
    .onConflict((conflict) => conflict.columns(['kind', 'name']).doUpdateSet(values))
    .execute();
}

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
  const { goBack, request, scheduled, stopped, ...byTransport } = JSON.parse(levels) as StoredLevels;
  const requested = wanted === 'running' ? undefined : (request ?? (stopped && requestOf(stopped)));
  return {
    wanted,
    restarts,
    levels: byTransport,
    ...(goBack && { goBack }),
    ...(requested && { request: requested }),
    ...(scheduled && { scheduled }),
  };
}

/** Who stopped a component, as versions up to 0.1.0 stored it. */
interface StoredStop {
  readonly by: string;
  readonly at: number;
}

/** Levels as stored in the column: the other members are next to the transports. */
type StoredLevels = ComponentOverrides['levels'] &
  Pick<ComponentOverrides, 'goBack' | 'request' | 'scheduled'> & { readonly stopped?: StoredStop };

function requestOf({ by, at }: StoredStop): StateRequest {
  return { by: { subject: by, issuer: '', name: by }, at };
}

function formatLevels({ levels, goBack, request, scheduled }: ComponentOverrides): string {
  const stored: StoredLevels = {
    ...levels,
    ...(goBack && { goBack }),
    ...(request && { request }),
    ...(scheduled && { scheduled }),
  };
  return JSON.stringify(stored);
}
