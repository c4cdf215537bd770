import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonFormsDeps } from '../apps/json-forms/deps.js';
import type { TasksDeps } from '../apps/json-forms/tasks/deps.js';
import type { Clock } from '../domain/clock.js';
import { Problem } from '../domain/problem.js';
import { createRecordIds } from '../domain/record-id.js';
import type { Settings } from '../domain/settings.js';
import type { SnapshotHolder } from '../runtime/current.js';
import type { ActiveSnapshot } from '../runtime/live-snapshot.js';
import type { Store } from '../storage/store.js';

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
