import type { FromSchema } from './from-schema.js';
import {
  atStart,
  bytes,
  file,
  integer,
  milliseconds,
  section,
  flag,
  PAGE_ORIGIN_PATTERN,
} from './schema-parts.js';

/** Schema of the section `forms.tasks`. */
const tasksSchema = section(['Tasks', 'Forms that people fill in on a page.'], {
  maxTasks: integer(
    'Tasks',
    'Maximum number of open tasks, and of finished tasks; beyond it, the oldest finished tasks are removed.',
    { minimum: 1, maximum: 1_000_000, default: 10_000 },
  ),
  maxOpenPerSubject: integer(
    'Open tasks of one requester',
    'Maximum number of open tasks of one requester; never more than half of maxTasks.',
    { minimum: 1, maximum: 1_000_000, default: 1000 },
  ),
  maxTotalBytes: integer(
    'Size of all tasks',
    'Maximum size of all open tasks, and of all finished tasks, in bytes; one requester may use half of it for open tasks.',
    { minimum: 65_536, maximum: 1_099_511_627_776, default: 536_870_912 },
  ),
  roles: {
    title: 'Roles of tasks',
    description:
      'Roles that may read and answer a task that was opened without an assignee and without roles; empty: everyone who may call the operations.',
    type: 'array',
    maxItems: 32,
    default: [],
    items: { type: 'string', minLength: 1, maxLength: 256 },
  },
  excludeRequester: flag(
    'Exclude the requester',
    'True: the requester of a task may not approve it. False: each task decides.',
    false,
  ),
  frameAncestors: origins('Frames', 'Origins of pages that may embed a task; none by default.'),
  messageOrigins: origins(
    'Messages',
    'Origins of pages that may receive the outcome of a task; none by default.',
  ),
});

function origins(title: string, description: string) {
  const hint = 'must be an origin without a path, for example https://portal.example, or self';
  return {
    title,
    description,
    type: 'array',
    maxItems: 64,
    default: [],
    items: { type: 'string', pattern: PAGE_ORIGIN_PATTERN, 'x-hint': hint },
  } as const;
}

/** Schema of the key `forms`. */
export const formsSchema = section(['Forms', 'JSON forms, and the JSON Schemas that callers send.'], {
  maxBytes: bytes('Form size', 'Maximum size of a form, and of a schema with its data, in bytes.', 1_048_576),
  maxForms: integer('Forms', 'Maximum number of forms.', {
    minimum: 1,
    maximum: 10_000_000,
    default: 100_000,
  }),
  maxVersions: integer('Versions', 'Maximum number of previous versions of each form.', {
    minimum: 0,
    maximum: 1000,
    default: 20,
  }),
  validateTimeoutMs: atStart(
    milliseconds(
      'Validation time-out',
      'Maximum time of one validation against the schema of a caller or a form, in milliseconds. A separate limit of steps does not depend on the load of the machine.',
      10_000,
    ),
  ),
  validateMemoryMb: atStart(
    integer('Validation memory', 'Megabytes of heap that one validation may use.', {
      minimum: 32,
      maximum: 4096,
      default: 64,
    }),
  ),
  yangPath: {
    title: 'YANG folders',
    description: 'Folders that are searched for imported YANG modules.',
    type: 'array',
    default: [],
    items: file('Folder', 'Folder with YANG modules.'),
    'x-restart': true,
  },
  yang: atStart(yangSchema()),
  tasks: tasksSchema,
});

function yangSchema() {
  return section(['YANG', 'Limits of one conversion of YANG modules to JSON Schema.'], {
    maxBytes: bytes(
      'Size of the texts',
      'Maximum size of a request with YANG modules in bytes, and maximum number of characters of all modules with their imports.',
      67_108_864,
    ),
    maxStatements: integer('Statements', 'Maximum number of statements of all modules.', {
      minimum: 1,
      maximum: 100_000_000,
      default: 4_000_000,
    }),
    maxNodes: integer('Nodes', 'Maximum number of schema nodes after groupings are expanded.', {
      minimum: 1,
      maximum: 100_000_000,
      default: 1_000_000,
    }),
    timeoutMs: milliseconds('Time-out', 'Maximum time of one conversion, in milliseconds.', 60_000),
    memoryMb: integer('Memory', 'Megabytes of heap that one conversion may use.', {
      minimum: 64,
      maximum: 16_384,
      default: 1024,
    }),
  });
}

/** Settings for JSON forms and for JSON Schemas of callers. */
export type FormsSettings = FromSchema<typeof formsSchema>;

/** Limits of one conversion of YANG. */
export type YangSettings = FormsSettings['yang'];

/**
 * Settings for tasks. An origin is `https://host`, `https://host:port`, or `self` for the origin of this
 * server.
 */
export type TaskSettings = FormsSettings['tasks'];
