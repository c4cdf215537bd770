import type { Operation } from '../../../core/operation.js';
import { PAGE_HEADERS, pagePolicy } from '../../../core/page-headers.js';
import { TASK_VIEWS } from '../../../core/task.js';
import type { TasksDeps } from './deps.js';

const [first, ...others] = TASK_VIEWS.map((view) => `/task/${view}`);

// The page must keep access to its opener, to which it sends the outcome.
const HEADERS = {
  ...PAGE_HEADERS,
  'cross-origin-opener-policy': 'unsafe-none',
  'cache-control': 'no-cache',
} as const;

/**
 * Returns the page on which a person completes a task (wire 4.12, decision 6). The page is the same for every
 * task and contains no data of a task: its script reads the parameters from the query and fetches the rest.
 */
export const getTaskPage: Operation<TasksDeps> = {
  id: 'getTaskPage',
  summary: 'Get the page on which a person fills in a form.',
  method: 'GET',
  path: first ?? '',
  aliases: others,
  roles: ['admin', 'engineering'],
  query: {
    type: 'object',
    properties: {
      task: { type: 'string', description: 'Id of a task that is there' },
      form_id: { type: 'string', description: 'Of a new ShowJsonForm: id or name of a form' },
      instance_data: { type: 'string', description: 'What that form begins with, as JSON' },
    },
  },
  reply: { title: 'A page', type: 'string' },
  replyType: 'text/html; charset=utf-8',
  replyHeaders: {
    'content-security-policy': 'What the page may load and run, and which pages may show it in a frame',
    'referrer-policy': 'The address of the page is told to nobody',
  },
  async handle(_call, { taskPage, taskLimits }) {
    const policy = pagePolicy(taskLimits().frameAncestors);
    return { body: await taskPage(), headers: { ...HEADERS, 'content-security-policy': policy } };
  },
};
