import { Agent } from 'node:http';
import { ask, countStatuses, repeat, wrongStatuses } from './ask.js';
import { type Flood, type FloodOptions, partOf, type Run } from './flood.js';
import type { Target } from './target.js';

// F7: the tasks of one subject neither keep other subjects from opening tasks nor remove their outcomes.

const TASKS = 10_001;
const CALLERS = 8;
const MOST_MS = 120_000;
/** Refused requests in a row after which the flood has met its quota. */
const MOST_REFUSALS = 50;
const TASK = { jsonSchema: { type: 'object' }, formData: {} };
const PATH = '/json-forms/task/RenderJsonSchema';

async function openTasks(target: Target, options: FloodOptions): Promise<Run> {
  const finished = await finishOne(target);
  const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });
  const statuses: number[] = [];
  let refusals = 0;
  await repeat({ callers: CALLERS, count: partOf(TASKS, options), mostMs: MOST_MS }, async () => {
    const request = { method: 'POST', path: PATH, token: target.engineerToken, body: TASK, agent };
    const { status } = await ask(target, request);
    statuses.push(status);
    refusals = status === 200 ? 0 : refusals + 1;
    return refusals < MOST_REFUSALS && target.isAlive();
  });
  agent.destroy();
  const token = target.adminToken;
  const opened = await ask(target, { method: 'POST', path: PATH, token, body: TASK });
  const outcome = await ask(target, { method: 'GET', path: `/json-forms/tasks/${finished}`, token });
  return {
    figures: {
      requests: statuses.length,
      statuses: countStatuses(statuses),
      admin: opened.status,
      outcome: outcome.status,
    },
    wrong: [
      ...wrongStatuses(statuses, { needed: [200], expected: [409, 429] }),
      ...(opened.status === 200 ? [] : [`a task of an admin got ${opened.status}`]),
      ...(outcome.status === 200 && outcome.text.includes('"rejected"')
        ? []
        : [`a finished task got ${outcome.status} ${outcome.text.slice(0, 100)}`]),
    ],
  };
}

/** Opens a task as an admin and rejects it; returns its id. */
async function finishOne(target: Target): Promise<string> {
  const token = target.adminToken;
  const { text } = await ask(target, { method: 'POST', path: PATH, token, body: TASK });
  const { id } = JSON.parse(text) as { readonly id: string };
  const body = { outcome: 'rejected', reason: 'for comparison' };
  await ask(target, { method: 'POST', path: `/json-forms/tasks/${id}/outcome`, token, body });
  return id;
}

/** Tasks of one engineer. */
export const TASK_FLOODS: Readonly<Record<string, Flood>> = {
  tasks: {
    finding: 'F7',
    says: 'one engineer opens tasks until they are refused: others open theirs, and outcomes stay',
    run: openTasks,
  },
};
