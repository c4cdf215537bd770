import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callUrl } from '../support/call.js';
import { temporaryFolder } from '../support/temporary-folder.js';
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
    const blockOf = ({ settings: { issuer }, publicKeyFile }: TestIssuer): string =>
      `{ issuer: "${issuer}", audience: gatehouse, publicKeyFile: "${publicKeyFile}", algorithms: [ES256], roleMap: { ops: [admin, engineering], guests: guest } }`;
    const auth = `auth: { local: { keyFile: data/local-issuer.pem }, issuers: [${blockOf(net)}, ${blockOf(lab)}] }`;
    const folder = temporaryFolder().path;
    testServer = await startTestServer({
      folder,
      arrange: () => {
        const file = join(folder, 'gatehouse.yaml');
        writeFileSync(file, readFileSync(file, 'utf8').replace(/^auth: .*$/m, auth));
      },
    });
  });
  after(async () => {
    await testServer.close();
    net.remove();
    lab.remove();
  });

  const tokenOf = (issuer: TestIssuer, claims: object = {}): string =>
    issuer.sign({ sub: 'f3b1', preferred_username: 'alice', roles: ['ops'], ...claims });
  const call = async <T>(token: string, operation: string, body?: unknown): Promise<T> => {
    const [method = '', path = ''] = operation.split(' ');
    const { status, json, text } = await callUrl(testServer.url + path, {
      method,
      token,
      ...(body !== undefined && { body }),
    });
    assert.ok(status < 300, `${status} ${text}`);
    return json as T;
  };

  it('is two people in whoami, each with a name', async () => {
    const whoami = (token: string) => call<Record<string, string>>(token, 'GET /whoami');
    const [ofNet, ofLab] = [
      await whoami(tokenOf(net)),
      await whoami(tokenOf(lab, { preferred_username: 'al' })),
    ];
    assert.deepEqual(
      [ofNet, ofLab].map(({ username, subject, provenance }) => [username, subject, provenance]),
      [
        ['alice', 'f3b1', NET],
        ['al', 'f3b1', LAB],
      ],
    );
    assert.notEqual(ofNet['id'], ofLab['id']);
  });

  it('is two people in a task: the requester may not approve, the other may', async () => {
    const task = await call<Record<string, string>>(tokenOf(net), 'POST /json-forms/task/RenderJsonSchema', {
      jsonSchema: { type: 'object' },
      excludeRequester: true,
    });
    const { id, createdBy, createdByIssuer, createdByName } = task;
    assert.deepEqual([createdBy, createdByIssuer, createdByName], ['f3b1', NET, 'alice']);
    const path = `/json-forms/tasks/${id ?? ''}/outcome`;
    const decision = { outcome: 'approved', formData: {} };
    const own = await callUrl(testServer.url + path, { token: tokenOf(net), body: decision });
    assert.equal((own.json as { code: string }).code, 'requester_excluded');
    const { outcome } = await call<{ outcome: Record<string, string> }>(
      tokenOf(lab),
      `POST ${path}`,
      decision,
    );
    assert.deepEqual([outcome['by'], outcome['byIssuer'], outcome['byName']], ['f3b1', LAB, 'alice']);
  });

  it('is two people in a form', async () => {
    const { doc } = await call<{ doc: Record<string, string> }>(tokenOf(net), 'POST /json-forms/forms', {
      name: 'identities',
    });
    assert.deepEqual(
      [doc['createdBy'], doc['createdByIssuer'], doc['createdByName']],
      ['f3b1', NET, 'alice'],
    );
    await call(tokenOf(lab), `PUT /json-forms/forms/${doc['id'] ?? ''}`, {
      options: { description: 'changed' },
    });
    const form = await call<Record<string, string>>(tokenOf(net), `GET /json-forms/forms/${doc['id'] ?? ''}`);
    assert.deepEqual([form['createdByIssuer'], form['lastUpdatedByIssuer']], [NET, LAB]);
  });

  it('is two people in the audit trail, which has their names and a filter for the issuer', async () => {
    const search = async (query: string) => {
      const { results } = await call<{ results: readonly Record<string, unknown>[] }>(
        testServer.issueToken('admin'),
        `GET /audit?operation=json-forms.createForm&${query}`,
      );
      return results.map(({ subject, issuer, name }) => [subject, issuer, name]);
    };
    await call(tokenOf(lab, { preferred_username: 'al' }), 'POST /json-forms/forms', {
      name: 'of the lab',
    });
    assert.deepEqual(await search('subject=f3b1'), [
      ['f3b1', LAB, 'al'],
      ['f3b1', NET, 'alice'],
    ]);
    assert.deepEqual(await search(`subject=f3b1&issuer=${encodeURIComponent(NET)}`), [
      ['f3b1', NET, 'alice'],
    ]);
  });

  it('is two people in the log, which has their names', async () => {
    await call(tokenOf(net), 'GET /adapters');
    const line = testServer.logLines.findLast((text) => text.includes('"path":"/adapters"')) ?? '';
    assert.match(line, new RegExp(`"subject":"f3b1","issuer":"${NET}","caller":"alice"`));
  });

  it('identity review 1: a 403 and the log show the roles of the token, before and after the role map', async () => {
    const token = tokenOf(net, { roles: ['guests', 'offline_access'] });
    const { status, json } = await callUrl(`${testServer.url}/adapters`, { method: 'GET', token });
    assert.equal(status, 403);
    assert.equal(
      (json as { detail: string }).detail,
      'adapters.getAdapters needs one of these roles: admin, viewer. The token has these roles: guests, offline_access; roleMap makes of them: guest.',
    );
    const line = testServer.logLines.findLast((text) => text.includes('"code":"forbidden"')) ?? '';
    assert.match(line, /"roles":\["guest"\],"issuerRoles":\["guests","offline_access"\]/);
    assert.match(testServer.logLines.join(''), /a configured role opens nothing/);
  });
});
