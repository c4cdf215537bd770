import assert from 'node:assert/strict';
import { type CallResult, callUrl } from './call.js';
import { connectLater, type McpClient } from './mcp-client.js';
import type { TestServer } from './test-server.js';

/** What an agent gets for a call that a person must approve. */
interface Proposal {
  readonly task: string;
  readonly approval: string;
}

type Person = readonly [subject: string, ...roles: string[]];

type Server = Pick<TestServer, 'url' | 'issueTokenFor'>;

/** An agent whose calls people approve. */
export interface ProposingAgent {
  /** Proposes a call, which must succeed. */
  readonly propose: (tool: string, sent: Readonly<Record<string, unknown>>) => Promise<Proposal>;
  readonly call: McpClient['call'];
  /** Approves a proposal as it is shown to a person, and returns the reply. */
  readonly approve: (proposal: Proposal, person: Person) => Promise<CallResult>;
  readonly close: McpClient['close'];
}

export async function connectAgent(server: Server, ...roles: readonly string[]): Promise<ProposingAgent> {
  const { call, close } = await connectLater(server.url, server.issueTokenFor('agent', ...roles));
  return {
    call,
    close,
    async propose(tool, sent) {
      const { isError, texts } = await call(tool, sent);
      assert.equal(isError, false, texts.join());
      return JSON.parse(texts[0] ?? '') as Proposal;
    },
    async approve({ task }, [subject, ...personRoles]) {
      const url = `${server.url}/json-forms/tasks/${new URL(task).searchParams.get('task') ?? ''}`;
      const token = server.issueTokenFor(subject, ...personRoles);
      const { json } = await callUrl(url, { token, method: 'GET' });
      const { formData } = json as { readonly formData: unknown };
      return callUrl(`${url}/outcome`, { token, body: { outcome: 'approved', formData } });
    },
  };
}

/** Returns the arguments of the tool `restAction` for a request without a body. */
export function restActionOf(adapterId: string, method = 'DELETE', path = '/things/7') {
  return { adapterId, params: { path, accept: 'application/json', method }, body: {} };
}
