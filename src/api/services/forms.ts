import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonFormsDeps } from '../forms/deps.js';
import type { TasksDeps } from '../forms/tasks/deps.js';
import type { Clock } from '../../core/lib/clock.js';
import { Problem } from '../../core/problem.js';
import { createRecordIds } from '../../core/ids.js';
import type { Settings } from '../../core/settings.js';
import type { SnapshotHolder } from '../../server/reload/snapshot-holder.js';
import type { ActiveSnapshot } from '../../server/reload/active-snapshot.js';
import type { Store } from '../../storage/store.js';

interface FormsInput {
  readonly settings: Pick<Settings, 'console'>;
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly store: Pick<Store, 'forms' | 'tasks'>;
  readonly clock: Clock;
  readonly pageFolder: string;
}

/** What the forms and the tasks are kept with, and how many of them. */
export function formsOf(
  input: FormsInput,
): Pick<JsonFormsDeps, 'forms' | 'formLimits' | 'newFormId'> & TaskKeeping {
  const { settings, current, store, clock, pageFolder } = input;
  const newIds = () => createRecordIds({ now: () => clock.now(), random: randomBytes(5) });
  return {
    forms: store.forms,
    formLimits: () => current.current().forms,
    newFormId: newIds(),
    tasks: store.tasks,
    taskLimits() {
      const { maxBytes, tasks } = current.current().forms;
      return { maxBytes, ...tasks };
    },
    newTaskId: newIds(),
    taskPage: () => readPage(settings.console.enabled ? join(pageFolder, 'task.html') : undefined),
  };
}

type TaskKeeping = Pick<TasksDeps, 'tasks' | 'taskLimits' | 'newTaskId' | 'taskPage'>;

async function readPage(path: string | undefined): Promise<string> {
  if (path === undefined) throw new Problem('not_found', 'The pages are switched off (console.enabled).');
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new Problem('not_ready', 'The pages are not built: run "npm run build".', { cause });
  }
}
