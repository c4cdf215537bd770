import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Task } from '../../src/features/tasks/task.js';
import { callUrl, type CallResult } from './call.js';
import { pageFolderIn } from './page-folder.js';
import { startTestServer, type TestServer } from './test-server.js';

/** A schema of people's answers. */
export const VLAN = {
  title: 'New VLAN',
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, vlan: { type: 'integer', maximum: 4094 } },
};

const SETTINGS = `forms:
  validateTimeoutMs: 20000
  tasks: { maxTasks: 80, maxOpenPerSubject: 30, frameAncestors: [self, "https://portal.example"], messageOrigins: ["https://portal.example:443", self] }
`;

/** All members that a reply about a task can have. */
export interface TaskBody extends Task {
  readonly url: string;
  readonly overdue: boolean;
  readonly messageOrigins: readonly string[];
  readonly results: readonly TaskBody[];
  readonly total: number;
  readonly code: string;
  readonly detail: string;
  readonly errors: readonly { readonly pointer: string; readonly message: string }[];
}

interface TaskAnswer extends CallResult {
  /** The answer as JSON. */
  readonly body: TaskBody;
}

/** Body of a call, and the revision that the caller saw. */
interface Sent {
  readonly body?: object;
  readonly seen?: number;
}

export type CallTasks = (method: string, path: string, sent?: Sent) => Promise<TaskAnswer>;

/** A server with tasks, and the calls of an engineer below `/json-forms`. */
export interface TasksApi {
  readonly testServer: TestServer;
  readonly call: CallTasks;
  readonly callAsAdmin: CallTasks;
  /** Returns the calls of another subject with these roles. */
  callAs(subject: string, ...roles: readonly string[]): CallTasks;
  /** Opens a task and asserts success; the view is {@link VLAN} by default. */
  open(body?: object, view?: string): Promise<TaskBody>;
  finish(id: string, body: object, seen?: number): Promise<TaskAnswer>;
}

/** Starts a server in a folder with a limit of 30 open tasks of one subject, and a portal that embeds them. */
export async function openTasksApi(folder: string): Promise<TasksApi> {
  const arrange = (place: string): void => {
    appendFileSync(join(place, 'gatehouse.yaml'), SETTINGS);
  };
  const testServer = await startTestServer({ folder, pageFolder: pageFolderIn(folder), arrange });
  const callAs: TasksApi['callAs'] = (subject, ...roles) =>
    callsOf(testServer, () => testServer.issueTokenFor(subject, ...roles));
  const call = callAs('ada', 'engineering');
  return {
    testServer,
    call,
    callAsAdmin: callAs('ada', 'admin'),
    callAs,
    async open(body = { jsonSchema: VLAN }, view = 'RenderJsonSchema') {
      const opened = await call('POST', `/task/${view}`, { body });
      assert.equal(opened.status, 200, opened.text);
      return opened.body;
    },
    finish: (id, body, seen) =>
      call('POST', `/tasks/${id}/outcome`, { body, ...(seen !== undefined && { seen }) }),
  };
}

function callsOf(testServer: TestServer, issueToken: () => string): CallTasks {
  return async (method, path, { body, seen } = {}) => {
    const answer = await callUrl(`${testServer.url}/json-forms${path}`, {
      method,
      token: issueToken(),
      ...(body && { body }),
      ...(seen !== undefined && { headers: { 'if-match': `"${seen}"` } }),
    });
    return { ...answer, body: answer.json as TaskBody };
  };
}
