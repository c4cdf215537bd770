import assert from 'node:assert/strict';
import { callsTo, refusalOf, type Route } from '../support/server-calls.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const ROLES = `roles:
  audit.getAudit: [admin, auditor, lead, lab]
  access-rules.getAccessRuleVersion: [admin, lead]
  profiles.getProfileVersion: [admin]
  limits.getLimitRuleVersion: [admin, lead]
  adapters.getAdapterVersion: [admin, lead, lab]
access:
  - { adapters: [lab-*], roles: [admin, lab] }
  - { adapters: [core-*], roles: [admin, lead] }
`;

interface Audit {
  readonly results: readonly { readonly seq: number; readonly outcome: string }[];
  readonly changes: readonly { readonly seq: number }[];
}

describe('the changes in the audit trail', () => {
  let testServer: TestServer;
  before(async () => {
    testServer = await startTestServer({ main: { more: ROLES } });
    for (const route of ['PUT /access/rules/eng-lab', 'PUT /limits/nightly'] as const)
      for (const roles of [['engineering'], ['engineering', 'noc']])
        await ask(route, { properties: route.includes('limits') ? limit(roles) : { roles } });
    for (const name of ['lab-1', 'core-1']) {
      await ask('POST /adapters', { properties: adapter(name, 'first') });
      await ask(`PUT /adapters/${name}`, { properties: adapter(name, 'second') });
    }
  });
  after(() => testServer.close());

  const { ask, call } = callsTo(() => testServer);
  const limit = (roles: readonly string[]) => ({ roles, requests: 100 });
  const adapter = (name: string, tag: string) => ({
    name,
    model: 'http-rest',
    type: 'Adapter',
    properties: {
      id: name,
      type: 'http-rest',
      properties: { baseUrl: testServer.orchestrator.url, tags: [tag] },
    },
  });

  /** Returns the records whose changes a caller with the role gets. */
  async function changedFor(role: string): Promise<readonly string[]> {
    const { status, json } = await call('GET /audit?changes=true&limit=100', { roles: [role] });
    assert.equal(status, 200);
    const { results, changes } = json as Audit;
    const bySeq = new Map(results.map(({ seq, outcome }) => [seq, outcome]));
    return changes.map(({ seq }) => /of (.*)$/.exec(bySeq.get(seq) ?? '')?.[1] ?? '').sort();
  }

  const ALL = ['access-rule eng-lab', 'adapter core-1', 'adapter lab-1', 'limit nightly'];

  for (const [role, visible] of [
    ['admin', ALL],
    ['auditor', []],
    ['lead', ALL.filter((name) => name !== 'adapter lab-1')],
    ['lab', ['adapter lab-1']],
  ] as const)
    it(`are those of the versions that the role ${role} may read, as at the operations`, async () => {
      assert.deepEqual(await changedFor(role), visible);
      for (const [name, path] of [
        ['access-rule eng-lab', '/access/rules/eng-lab'],
        ['adapter core-1', '/adapters/core-1'],
        ['adapter lab-1', '/adapters/lab-1'],
        ['limit nightly', '/limits/nightly'],
      ] as const) {
        const history = (await call(`GET ${path}/history`)).json as {
          readonly results: readonly { readonly revision: number }[];
        };
        const route: Route = `GET ${path}/history/${history.results[0]?.revision}`;
        const [status] = refusalOf(await call(route, { roles: [role] }));
        assert.equal(status === 200, (visible as readonly string[]).includes(name), `${route}: ${status}`);
      }
    });
});
