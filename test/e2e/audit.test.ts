import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditPage } from '../../src/core/audit-query.js';
import { callUrl } from '../support/call.js';
import { runCommand } from '../support/command-io.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

for (const durability of ['store', 'fsync'] as const)
  describe(`the audit trail (${durability})`, () => {
    const { path: folder } = temporaryFolder();
    let testServer: TestServer;

    before(async () => {
      testServer = await startTestServer({
        folder,
        arrange: () => {
          const path = join(folder, 'gatehouse.yaml');
          const file = 'file: data/audit.log, durability';
          writeFileSync(
            path,
            readFileSync(path, 'utf8').replace('durability: store', `${file}: ${durability}`),
          );
        },
      });
    });
    after(() => testServer.close());

    const search = async (query: string) => {
      const url = `${testServer.url}/audit?${query}`;
      const { status, json } = await callUrl(url, { method: 'GET', token: testServer.issueToken('admin') });
      return { status, ...(json as AuditPage) };
    };

    it('records the caller and the operation, with digests of the states before and after', async () => {
      const forms = `${testServer.url}/json-forms/forms`;
      const token = testServer.issueToken('admin');
      const headers = { 'x-request-id': 'made' };
      const made = await callUrl(forms, { token, headers, body: { name: 'a', description: 'canary-text' } });
      assert.equal(made.status, 200);
      const change = { options: { description: 'changed' } };
      await callUrl(`${forms}/a`, { token, method: 'PUT', body: change });
      const { results } = await search('subject=ada&target=json-forms');
      assert.deepEqual(
        results.map(({ operation, status, seq }) => [operation, status, seq]),
        [
          ['json-forms.updateForm', 200, 2],
          ['json-forms.createForm', 200, 1],
        ],
      );
      const [updated, created] = results;
      assert.deepEqual([created?.requestId, created?.before], ['made', '']);
      assert.match(created?.after ?? '', /^[0-9a-f]{64}$/);
      assert.equal(updated?.before, created?.after);
      assert.notEqual(updated?.after, updated?.before);
      assert.ok(!JSON.stringify(results).includes('canary-text'));
    });

    it('records each search with the names of its filters, but not their values', async () => {
      await search('target=looked-for&limit=5');
      const { results } = await search('operation=audit.getAudit&limit=1');
      assert.equal(results[0]?.outcome, '0 records by limit, target');
      assert.ok(!JSON.stringify(results).includes('looked-for'));
    });

    it('returns pages, and refuses unknown filters', async () => {
      const first = await search('limit=1');
      const second = await search(`limit=1&before=${first.next ?? ''}`);
      assert.equal(second.results[0]?.seq, (first.results[0]?.seq ?? 0) - 1);
      assert.equal((await search('user=ada')).status, 400);
      assert.equal((await search('before=nonsense')).status, 400);
    });

    it('is verified by a command while the server runs', async () => {
      const { code, out } = await runCommand(['audit', 'verify', '--config', testServer.configPath]);
      assert.equal(code, 0, out);
      assert.match(out, /^intact: records 1 to \d+\n/);
    });
  });
