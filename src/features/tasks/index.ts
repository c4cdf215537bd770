import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../core/problem.js';
import type { Clock } from '../../lib/clock.js';
import type { ActiveSnapshot } from '../../server/state/snapshot.js';
import type { SnapshotHolder } from '../../server/state/swap.js';
import type { Settings } from '../../settings/settings.js';
import { createSchemaIndexes } from '../forms/schema-indexes.js';
import { createRecordIds } from '../lib/record-ids.js';
import type { Store } from '../store.js';
import type { TasksDeps } from './deps.js';

interface TasksInput {
  readonly settings: Settings;
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly store: Store;
  readonly clock: Clock;
  readonly pageFolder: string;
}

/** Returns the store of tasks, its limits, its id generator and the page that shows a task. */
export function tasksOf({
  settings,
  current,
  store,
  clock,
  pageFolder,
}: TasksInput): Pick<TasksDeps, 'tasks' | 'taskLimits' | 'newTaskId' | 'schemaIndexes' | 'taskPage'> {
  return {
    tasks: store.tasks,
    taskLimits() {
      const { maxBytes, tasks } = current.current().forms;
      return { maxBytes, ...tasks };
    },
    newTaskId: createRecordIds(clock),
    schemaIndexes: createSchemaIndexes(),
    taskPage: () => readPage(settings.console.enabled ? join(pageFolder, 'task.html') : undefined),
  };
}

async function readPage(path: string | undefined): Promise<string> {
  if (path === undefined) throw new Problem('not_found', 'The pages are disabled (console.enabled).');
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new Problem('not_ready', 'The pages are not built: run "npm run build".', { cause });
  }
}
