import assert from 'node:assert/strict';
import { type CallResult, callUrl } from './call.js';
import { connectLater, type McpClient } from './mcp-client.js';
import type { TestServer } from './test-server.js';

/** What an agent gets for a call that a person must approve. */
export interface Proposal {
  readonly status: string;
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
  /** Reads the task of a proposal as a person, or sends its outcome. */
  readonly ask: (proposal: Proposal, person: Person, outcome?: object) => Promise<CallResult>;
  /** Approves a proposal as it is shown to a person, and returns the reply. */
  readonly approve: (proposal: Proposal, person: Person) => Promise<CallResult>;
  readonly close: McpClient['close'];
}

export async function connectAgent(server: Server, ...roles: readonly string[]): Promise<ProposingAgent> {
  const { call, close } = await connectLater(server.url, server.issueTokenFor('agent', ...roles));
  const ask: ProposingAgent['ask'] = ({ task }, [subject, ...personRoles], outcome) => {
    const id = new URL(task).searchParams.get('task') ?? '';
    return callUrl(`${server.url}/json-forms/tasks/${id}${outcome ? '/outcome' : ''}`, {
      token: server.issueTokenFor(subject, ...personRoles),
      ...(outcome ? { body: outcome } : { method: 'GET' }),
    });
  };
  return {
    call,
    close,
    async propose(tool, sent) {
      const { isError, texts } = await call(tool, sent);
      assert.equal(isError, false, texts.join());
      return JSON.parse(texts[0] ?? '') as Proposal;
    },
    ask,
    async approve(proposal, person) {
      const { formData } = (await ask(proposal, person)).json as { readonly formData: unknown };
      return ask(proposal, person, { outcome: 'approved', formData });
    },
  };
}

/** Returns the arguments of the tool `restAction` for a request without a body. */
export function restActionOf(adapterId: string, method = 'DELETE', path = '/things/7') {
  return { adapterId, params: { path, accept: 'application/json', method }, body: {} };
}
