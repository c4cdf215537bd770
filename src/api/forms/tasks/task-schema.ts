import type { JsonSchema } from '../../../core/schema.js';
import { TASK_STATES, TASK_VIEWS } from '../../../core/task.js';

const text = { type: 'string' } as const;
const time = { type: 'string', description: 'RFC 3339, UTC' } as const;
const anything = { description: 'Any JSON value' } as const;

const head = {
  id: { ...text, description: '24 hexadecimal digits' },
  view: { enum: TASK_VIEWS },
  url: { ...text, description: 'Path of the page that asks' },
  status: { enum: TASK_STATES },
  title: text,
  revision: { type: 'integer', minimum: 1, description: 'Counts the states; send it back in If-Match' },
  created: time,
  createdBy: text,
  lastUpdated: time,
  lastUpdatedBy: text,
} as const;

/** Schema of a task in a list. */
export const taskHeadSchema: JsonSchema = {
  title: 'Listed task',
  type: 'object',
  required: Object.keys(head),
  properties: head,
};

const draftSchema: JsonSchema = {
  type: ['object', 'null'],
  description: 'What was filled in so far',
  required: ['formData', 'by', 'at'],
  properties: { formData: anything, by: text, at: time },
};

const outcomeSchema: JsonSchema = {
  type: ['object', 'null'],
  description: 'What was decided; null while the task is open',
  required: ['status', 'reason', 'export', 'by', 'at', 'hash'],
  properties: {
    status: { enum: ['approved', 'rejected'] },
    reason: text,
    export: { description: 'The data that was approved; of a rejection what was sent, or null' },
    by: text,
    at: time,
    hash: { ...text, description: 'SHA-256 of the export as canonical JSON (RFC 8785), hexadecimal' },
  },
};

const whole = {
  ...head,
  schema: { type: ['object', 'boolean'], description: 'JSON Schema of the data' },
  uiSchema: { type: 'object' },
  bindingSchema: { type: 'object', description: 'Where the options of fields come from' },
  validationSchema: { type: ['object', 'array'] },
  formData: { description: 'What the form begins with' },
  dialect: { ...text, description: 'URI of the draft of JSON Schema that is applied' },
  warnings: { type: 'array', items: { type: 'object' }, description: 'What JSON Schema cannot say of YANG' },
  returnTo: { type: ['string', 'null'], description: 'Origin of the page that waits for the outcome' },
  messageOrigins: {
    type: 'array',
    items: text,
    description: 'Origins that the page may tell the outcome, and no others; self is its own',
  },
  draft: draftSchema,
  outcome: outcomeSchema,
} as const;

/** Schema of a task. */
export const taskSchema: JsonSchema = {
  title: 'Task',
  type: 'object',
  required: Object.keys(whole),
  properties: whole,
};
