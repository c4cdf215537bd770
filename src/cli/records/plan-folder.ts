import type { CommandIo } from '../command.js';
import type { ManagementClient } from './management-client.js';
import { declaredKinds, readRecords } from './record-folder.js';
import type { RecordKind } from './record-kind.js';
import { type PlannedChange, planChanges } from './record-plan.js';

interface FolderPlan {
  readonly folder: string;
  /** Default: each kind whose folder exists. */
  readonly kinds: readonly RecordKind[] | undefined;
  /** Whether records that no file declares are deleted. */
  readonly prune: boolean;
  readonly env: CommandIo['env'];
}

/**
 * Plans the changes that make a server equal to a folder: creations and updates of each kind in their order, then
 * deletions in the reverse order, because a profile may name an adapter. Throws a ConfigError for faults of the files,
 * before it asks the server.
 */
export async function planFolder(
  client: ManagementClient,
  { folder, kinds: asked, prune, env }: FolderPlan,
): Promise<readonly PlannedChange[]> {
  const declared = await readRecords(folder, env);
  const kinds = asked ?? (await declaredKinds(folder));
  const changes: PlannedChange[] = [];
  for (const kind of kinds) {
    const present = await kind.list(client);
    const own = declared.filter((record) => record.kind === kind);
    changes.push(...planChanges(kind, { declared: own, present }, prune));
  }
  const deletions = changes.filter(({ action }) => action === 'delete').reverse();
  return [...changes.filter(({ action }) => action !== 'delete'), ...deletions];
}
