import type { Application } from '../../../core/operation.js';
import type { TasksDeps } from './deps.js';
import { finishTask } from './finish-task.js';
import { getTask } from './get-task.js';
import { getTaskPage } from './get-task-page.js';
import { getTasks } from './get-tasks.js';
import { renderJsonSchema } from './render-json-schema.js';
import { renderYangForm } from './render-yang-form.js';
import { saveTaskDraft } from './save-task-draft.js';
import { showJsonForm } from './show-json-form.js';

/** Tasks: forms that a person fills in, approves or rejects (specification section 4.4, wire 4.12). */
export const tasks: Application<TasksDeps> = {
  name: 'tasks',
  summary: 'Tasks: forms that a person fills in, approves or rejects.',
  component: 'JsonForms',
  prefixes: ['/json-forms'],
  operations: [
    getTaskPage,
    showJsonForm,
    renderJsonSchema,
    renderYangForm,
    getTasks,
    getTask,
    saveTaskDraft,
    finishTask,
  ],
};
