import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LifecycleDeps } from '../components/deps.js';
import { CATALOGUE_PLUGIN } from '../../config/adapter-record.js';
import { valueAt } from '../../core/pointer.js';
import type { SnapshotHolder } from '../../server/reload/snapshot-holder.js';
import type { ActiveSnapshot } from '../../server/reload/active-snapshot.js';

/** The folder of the product, above the compiled sources. */
const HOME = fileURLToPath(new URL('../../../../', import.meta.url));

const CHANGELOG = 'CHANGELOG.md';

/**
 * Finds the changelog of a component: that of an adapter's plugin, or of the catalogue adapter that it runs; of the product for
 * an application.
 */
export function changelogs({
  current,
}: {
  readonly current: SnapshotHolder<ActiveSnapshot>;
}): LifecycleDeps['changelogOf'] {
  return async (kind, name) => {
    if (kind === 'application') return read(CHANGELOG);
    const { adapters, desired } = current.current();
    const type = adapters.get(name)?.type;
    if (type === undefined) return undefined;
    const written = desired.adapters.find(({ id }) => id === name)?.written;
    const folder = type === CATALOGUE_PLUGIN ? valueAt(written?.value, '/options/folder') : undefined;
    if (typeof folder === 'string') return read(join(folder, CHANGELOG));
    return read(`plugins/${encodeURIComponent(type)}/${CHANGELOG}`);
  };
}

/** A path is relative to the product. */
async function read(path: string): Promise<string | undefined> {
  try {
    return await readFile(resolve(HOME, path), 'utf8');
  } catch {
    return undefined;
  }
}
