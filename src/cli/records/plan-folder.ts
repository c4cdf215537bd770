import { ConfigError, type Fault, faultAt } from '../../core/fault.js';
import { mapConcurrently } from '../../lib/map-concurrently.js';
import type { CommandIo } from '../lib/command.js';
import type { ManagementClient } from './management-client.js';
import { declaredKinds, ignoredFolders, readRecords } from './record-folder.js';
import type { RecordKind } from './record-kind.js';
import { type PlannedChange, type PlannedUpdate, planChanges } from './record-plan.js';

interface FolderPlan {
  readonly folder: string;
  /** Default: each kind whose folder exists. */
  readonly kinds: readonly RecordKind[] | undefined;
  /** Whether records that no file declares are deleted. */
  readonly prune: boolean;
  readonly io: CommandIo;
}

/**
 * Plans the changes that make a server equal to a folder: creations and updates of each kind in their order, then
 * deletions in the reverse order, because a profile may name an adapter. Throws a ConfigError for faults of the files, and for
 * records that the server would refuse.
 */
export async function planFolder(
  client: ManagementClient,
  { folder, kinds: asked, prune, io }: FolderPlan,
): Promise<readonly PlannedChange[]> {
  for (const warning of await ignoredFolders(folder)) io.err(`${warning}\n`);
  const declared = await readRecords(folder, io.env);
  const kinds = asked ?? (await declaredKinds(folder));
  const changes: PlannedChange[] = [];
  for (const kind of kinds) {
    const present = await kind.list(client);
    const own = declared.filter((record) => record.kind === kind);
    changes.push(...planChanges(kind, { declared: own, present }, prune));
  }
  await requireAccepted(client, changes);
  const deletions = changes.filter(({ action }) => action === 'delete').reverse();
  return [...changes.filter(({ action }) => action !== 'delete'), ...deletions];
}

/** Maximum number of records that are checked at a time. */
const CONCURRENCY = 8;

async function requireAccepted(client: ManagementClient, changes: readonly PlannedChange[]): Promise<void> {
  const faults = await mapConcurrently(changes, CONCURRENCY, async (change) => {
    if (change.action === 'delete') return [];
    if (change.action === 'update' && change.present.isInFile === true) return [inFileFault(change)];
    return change.kind.check(client, change.declared, change.action === 'create');
  });
  if (faults.flat().length > 0) throw new ConfigError(faults.flat());
}

function inFileFault({ kind, declared: { name, document } }: PlannedUpdate): Fault {
  return faultAt(document, `/${kind.nameMember}`, {
    code: 'in_file',
    message: `a file of the server has the ${kind.title} "${name}" with other settings`,
    fix: `Change the file of the server, or give this ${kind.title} another name.`,
  });
}
