import type { Application } from '../../core/operation.js';
import { finishTask, saveTaskDraft } from './change-task.js';
import type { TasksDeps } from './deps.js';
import { renderJsonSchema, renderYangForm, showJsonForm } from './open-task.js';
import { getTask, getTaskPage, getTasks } from './read-tasks.js';
import { getTaskChoices } from './task-choices.js';
import { getTaskEvents } from './task-events.js';
import { getTaskSubtrees } from './task-subtrees.js';

export const tasks: Application<TasksDeps> = {
  name: 'tasks',
  summary: 'Tasks: forms that a person fills in, approves or rejects.',
  component: 'JsonForms',
  isInteractive: true,
  prefixes: ['/json-forms'],
  operations: [
    getTaskPage,
    showJsonForm,
    renderJsonSchema,
    renderYangForm,
    getTasks,
    getTask,
    getTaskSubtrees,
    saveTaskDraft,
    finishTask,
    getTaskChoices,
    getTaskEvents,
  ],
};
