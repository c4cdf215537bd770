import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../core/problem.js';
import type { Settings } from '../../core/settings.js';
import type { Clock } from '../../lib/clock.js';
import type { ActiveSnapshot } from '../../server/reload/active-snapshot.js';
import type { SnapshotHolder } from '../../server/reload/snapshot-holder.js';
import type { Store } from '../../storage/store.js';
import type { JsonFormsDeps } from '../forms/deps.js';
import type { TasksDeps } from '../forms/tasks/deps.js';
import { createRecordIds } from './ids.js';
import { createLargeForms } from './large-forms.js';
import { createSchemaIndexes } from './schema-indexes.js';

interface FormsInput {
  readonly settings: Pick<Settings, 'console'>;
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly store: Pick<Store, 'forms' | 'tasks'>;
  readonly clock: Clock;
  readonly pageFolder: string;
}

/** Returns the store of forms, its limits and its id generator. */
export function formsOf({
  current,
  store,
  clock,
}: FormsInput): Pick<JsonFormsDeps, 'forms' | 'largeForms' | 'formLimits' | 'newFormId'> {
  return {
    forms: store.forms,
    largeForms: createLargeForms(store.forms),
    formLimits: () => current.current().forms,
    newFormId: createIds(clock),
  };
}

/** Returns the store of tasks, its limits, its id generator and the page that shows a task. */
export function tasksOf({
  settings,
  current,
  store,
  clock,
  pageFolder,
}: FormsInput): Pick<TasksDeps, 'tasks' | 'taskLimits' | 'newTaskId' | 'schemaIndexes' | 'taskPage'> {
  return {
    tasks: store.tasks,
    taskLimits() {
      const { maxBytes, tasks } = current.current().forms;
      return { maxBytes, ...tasks };
    },
    newTaskId: createIds(clock),
    schemaIndexes: createSchemaIndexes(),
    taskPage: () => readPage(settings.console.enabled ? join(pageFolder, 'task.html') : undefined),
  };
}

function createIds(clock: Clock): () => string {
  return createRecordIds({ now: () => clock.now(), random: randomBytes(5) });
}

async function readPage(path: string | undefined): Promise<string> {
  if (path === undefined) throw new Problem('not_found', 'The pages are disabled (console.enabled).');
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new Problem('not_ready', 'The pages are not built: run "npm run build".', { cause });
  }
}
