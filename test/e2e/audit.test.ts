import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditPage } from '../../src/features/audit/audit-trail.js';
import { runCommand } from '../support/command-io.js';
import { assertMembers } from '../support/members.js';
import { callsTo } from '../support/server-calls.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { eventually } from '../support/until.js';

describe('the audit trail in a file', () => {
  const { path: folder } = temporaryFolder();

  let testServer: TestServer;
  before(async () => {
    testServer = await startTestServer({
      folder,
      arrange: () => {
        const path = join(folder, 'gatehouse.yaml');
        writeFileSync(path, readFileSync(path, 'utf8').replace('durability: store', 'file: data/audit.log'));
      },
    });
  });
  after(() => testServer.close());

  const { call, ask } = callsTo(() => testServer);
  const search = (query: string): Promise<AuditPage> => ask(`GET /audit?${query}`);

  it('records the caller and the operation, with digests of the states before and after', async () => {
    const body = { name: 'a', description: 'canary-text' };
    const made = await call('POST /json-forms/forms', { headers: { 'x-request-id': 'made' }, body });
    assert.equal(made.status, 200);
    await ask('PUT /json-forms/forms/a', { options: { description: 'changed' } });
    const { results } = await search('subject=ada&target=json-forms');
    const before = /^[0-9a-f]{64}$/;
    assertMembers(results, [
      { operation: 'json-forms.updateForm', status: 200, seq: 2, before },
      { operation: 'json-forms.createForm', status: 200, seq: 1, requestId: 'made', before: '' },
    ]);
    const [updated, created] = results;
    assert.equal(updated?.before, created?.after);
    assert.notEqual(updated?.after, updated?.before);
    assert.ok(!JSON.stringify(results).includes('canary-text'));
  });

  it('records each search with the names of its filters, but not their values', async () => {
    await search('target=looked-for&limit=5');
    const { results } = await search('operation=audit.getAudit&limit=1');
    assert.equal(results[0]?.outcome, '0 records by limit, target');
    assert.ok(!JSON.stringify(results).includes('looked-for'));
    assert.equal((await call('GET /audit?user=ada')).status, 400);
  });

  it('exports CSV, and records each export', async () => {
    const csv = await call('GET /audit/export.csv?operation=json-forms.createForm');
    assertMembers(csv.headers, { 'content-type': /^text\/csv/, 'content-disposition': /audit\.csv/ });
    assert.match(
      csv.text,
      /^seq,time,requestId,.*,prev,hash\r\n1,.*,made,json-forms\.createForm,ada,.*\r\n$/,
    );
    assert.equal((await call('GET /audit/export.csv?limit=5')).status, 400);
    const { results } = await search('operation=audit.exportAuditCsv&status=200');
    assertMembers(results, [{ outcome: 'audit.csv by operation' }]);
  });

  it('verifies the trail on request, keeps the result in the trail, and by a command while it runs', async () => {
    assert.deepEqual(await ask('GET /audit/verification'), {});
    assert.equal((await call('POST /audit/verification', { roles: ['engineering'] })).status, 403);
    await ask('POST /audit/verification');
    await eventually(async () => {
      const state = await ask('GET /audit/verification');
      assertMembers(state, { running: undefined, last: { isIntact: true, first: 1 } });
    });
    await eventually(async () => {
      const { results } = await search('operation=audit.verify');
      assertMembers(results, [{ outcome: /^intact: records 1 to \d+$/ }]);
    });
    const { code, out } = await runCommand(['audit', 'verify', '--config', testServer.configPath]);
    assert.equal(code, 0, out);
    assert.match(out, /^intact: records 1 to \d+\n/);
  });
});
