import { flag, integer, PAGE_ORIGIN_PATTERN, section } from './schema-parts.js';

/** Schema of the section `forms.tasks`. */
export const tasksSchema = section(['Tasks', 'Forms that people fill in on a page.'], {
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
