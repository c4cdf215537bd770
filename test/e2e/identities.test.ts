import assert from 'node:assert/strict';
import { assertMembers } from '../support/members.js';
import { callsTo, problemCodeOf, type Route } from '../support/server-calls.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { makeIssuer, type TestIssuer } from '../support/tokens.js';

const NET = 'https://keycloak.test/realms/net';
const LAB = 'https://keycloak.test/realms/lab';

describe('identity review 5 and 8: the same subject of two issuers', () => {
  let testServer: TestServer;
  let net: TestIssuer;
  let lab: TestIssuer;
  before(async () => {
    net = makeIssuer({ issuer: NET });
    lab = makeIssuer({ issuer: LAB });
    const blocks = [net, lab].map(
      ({ settings: { issuer }, publicKeyFile }) =>
        `{ issuer: "${issuer}", audience: gatehouse, publicKeyFile: "${publicKeyFile}", algorithms: [ES256], roleMap: { ops: [admin, engineering], guests: guest } }`,
    );
    testServer = await startTestServer({
      main: { auth: `issuers: [${blocks.join(', ')}]` },
    });
  });
  after(async () => {
    await testServer.close();
    net.remove();
    lab.remove();
  });

  const { call, ask } = callsTo(() => testServer);
  const tokenOf = (issuer: TestIssuer, claims: object = {}): string =>
    issuer.sign({ sub: 'f3b1', preferred_username: 'alice', roles: ['ops'], ...claims });
  const reply = async (token: string, route: Route, body?: unknown): Promise<unknown> => {
    const { status, json, text } = await call(route, { token, body });
    assert.ok(status < 300, text);
    return json;
  };

  it('is two people in whoami, each with a name', async () => {
    const ofNet = await reply(tokenOf(net), 'GET /whoami');
    const ofLab = await reply(tokenOf(lab, { preferred_username: 'al' }), 'GET /whoami');
    assertMembers(ofNet, { username: 'alice', subject: 'f3b1', provenance: NET });
    assertMembers(ofLab, { username: 'al', subject: 'f3b1', provenance: LAB });
    assert.notEqual((ofNet as { id: string }).id, (ofLab as { id: string }).id);
  });

  it('is two people in a task: the requester may not approve, the other may', async () => {
    const request = { jsonSchema: { type: 'object' }, excludeRequester: true };
    const task = await reply(tokenOf(net), 'POST /json-forms/task/RenderJsonSchema', request);
    assertMembers(task, { createdBy: 'f3b1', createdByIssuer: NET, createdByName: 'alice' });
    const route: Route = `POST /json-forms/tasks/${(task as { id: string }).id}/outcome`;
    const body = { outcome: 'approved', formData: {} };
    assert.equal(problemCodeOf(await call(route, { token: tokenOf(net), body })), 'requester_excluded');
    assertMembers(await reply(tokenOf(lab), route, body), {
      outcome: { by: 'f3b1', byIssuer: LAB, byName: 'alice' },
    });
  });

  it('is two people in a form and in the audit trail, which has a filter for the issuer', async () => {
    await reply(tokenOf(net), 'POST /json-forms/forms', { name: 'identities' });
    await reply(tokenOf(lab, { preferred_username: 'al' }), 'PUT /json-forms/forms/identities', {
      options: { description: 'changed' },
    });
    assertMembers(await ask('GET /json-forms/forms/identities'), {
      createdBy: 'f3b1',
      createdByIssuer: NET,
      createdByName: 'alice',
      lastUpdatedByIssuer: LAB,
    });
    const ofNet = { subject: 'f3b1', issuer: NET, name: 'alice' };
    const target = 'GET /audit?subject=f3b1&target=json-forms/forms' as const;
    assertMembers(await ask(target), { results: [{ subject: 'f3b1', issuer: LAB, name: 'al' }, ofNet] });
    assertMembers(await ask(`${target}&issuer=${encodeURIComponent(NET)}`), { results: [ofNet] });
  });

  it('is two people in the log, which has their names', async () => {
    await reply(tokenOf(net), 'GET /adapters');
    const line = testServer.logLines.findLast((text) => text.includes('"path":"/adapters"')) ?? '';
    assert.match(line, new RegExp(`"subject":"f3b1","issuer":"${NET}","caller":"alice"`));
  });

  it('identity review 1: a 403 and the log show the roles of the token, before and after the role map', async () => {
    const token = tokenOf(net, { roles: ['guests', 'offline_access'] });
    const { status, json } = await call('GET /adapters', { token });
    assert.equal(status, 403);
    assertMembers(json, {
      detail:
        'adapters.getAdapters needs one of these roles: admin, viewer. The token has these roles: guests, offline_access; roleMap makes of them: guest.',
    });
    const line = testServer.logLines.findLast((text) => text.includes('"code":"forbidden"')) ?? '';
    assert.match(line, /"roles":\["guest"\],"issuerRoles":\["guests","offline_access"\]/);
    assert.match(testServer.logLines.join(''), /a configured role opens nothing/);
  });
});
