import type { Task } from '../../src/features/tasks/task.js';
import { formId } from './form.js';

/** Creates an ordinary open task; the number distinguishes tasks. */
export function task(number: number, changes: Partial<Task> = {}): Task {
  return {
    id: formId(number),
    view: 'RenderJsonSchema',
    status: 'open',
    title: `task ${number}`,
    schema: { type: 'object' },
    uiSchema: {},
    bindingSchema: {},
    validationSchema: {},
    formData: {},
    dialect: 'https://json-schema.org/draft/2020-12/schema',
    warnings: [],
    returnTo: null,
    draft: null,
    outcome: null,
    revision: 1,
    created: '2026-01-02T03:04:05.678Z',
    createdBy: 'ada',
    createdByIssuer: 'https://idp.test',
    createdByName: 'ada',
    lastUpdated: '2026-01-02T03:04:05.678Z',
    lastUpdatedBy: 'ada',
    lastUpdatedByIssuer: 'https://idp.test',
    lastUpdatedByName: 'ada',
    assignee: null,
    roles: null,
    excludeRequester: false,
    due: null,
    ...changes,
  };
}
