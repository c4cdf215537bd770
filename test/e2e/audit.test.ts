import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VerificationState } from '../../src/core/audit-verification.js';
import type { AuditPage } from '../../src/core/audit-query.js';
import { callUrl } from '../support/call.js';
import { runCommand } from '../support/command-io.js';
import { cheapHash } from '../support/password-hash.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { openDatabaseFile } from '../support/sqlite.js';
import { eventually } from '../support/until.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

for (const durability of ['store', 'fsync'] as const)
  describe(`the audit trail (${durability})`, () => {
    const { path: folder } = temporaryFolder();
    const password = randomUUID();
    let testServer: TestServer;

    before(async () => {
      testServer = await startTestServer({
        folder,
        arrange: () => {
          const path = join(folder, 'gatehouse.yaml');
          const file = 'file: data/audit.log, durability';
          const users = `users: [{ username: ada, passwordHash: '${cheapHash(password)}', roles: [admin] }]`;
          writeFileSync(
            path,
            readFileSync(path, 'utf8')
              .replace('durability: store', `${file}: ${durability}`)
              .replace(/(keyFile: [^ ,}]+)/, `$1, ${users}`),
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

    it('names who signed in, the account of a failed sign-in, and only the digest of an unknown name', async () => {
      const login = (username: string, password: string) =>
        callUrl(`${testServer.url}/login`, { body: { user: { username, password } } });
      assert.equal((await login('ada', password)).status, 200);
      assert.equal((await login('ada', 'wrong')).status, 401);
      assert.equal((await login('typed-into-the-name', 'wrong')).status, 401);
      const { results } = await search('operation=login.login');
      const [unknown, wrong, right] = results.map(({ subject, issuer, name }) => [subject, issuer, name]);
      assert.deepEqual(right, ['ada', 'gatehouse', undefined]);
      assert.deepEqual(wrong, ['', '', 'ada']);
      assert.match(unknown?.[2] ?? '', /^unknown user [0-9a-f]{12}$/);
      assert.ok(!JSON.stringify(results).includes('typed-into-the-name'));
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

    it('exports more records than a page has, as CSV and as lines of JSON, and records each export', async () => {
      const get = (path: string) =>
        callUrl(testServer.url + path, { method: 'GET', token: testServer.issueToken('admin') });
      const csv = await get('/audit/export.csv?operation=json-forms.createForm');
      assert.equal(csv.status, 200);
      assert.match(String(csv.headers['content-type']), /^text\/csv/);
      assert.match(String(csv.headers['content-disposition']), /audit\.csv/);
      const [header, line, ...rest] = csv.text.split('\r\n');
      assert.match(header ?? '', /^seq,time,requestId,.*,prev,hash$/);
      assert.match(line ?? '', /^1,.*,made,json-forms.createForm,ada,/);
      assert.deepEqual(rest, ['']);
      assert.equal((await get('/audit/export.csv?limit=5')).status, 400);
      const { results } = await search('operation=audit.exportAuditCsv&status=200');
      assert.deepEqual(
        results.map(({ outcome }) => outcome),
        ['audit.csv by operation'],
      );
    });

    it('exports lines of JSON that are verified offline', async () => {
      const url = `${testServer.url}/audit/export.jsonl`;
      const { text } = await callUrl(url, { method: 'GET', token: testServer.issueToken('admin') });
      const oldestFirst = text.trimEnd().split('\n').reverse();
      const [copy, key] = [join(folder, 'copy.jsonl'), join(folder, 'copy.key')];
      writeFileSync(copy, `${oldestFirst.join('\n')}\n`);
      const keyOfStore = () => {
        const database = openDatabaseFile(join(folder, 'data', 'gatehouse.db'));
        const row = database.prepare('select key from audit_chain').get() as { readonly key: string };
        database.close();
        return `${row.key}\n`;
      };
      const secret =
        durability === 'store' ? keyOfStore() : readFileSync(join(folder, 'data', 'audit.log.key'));
      writeFileSync(key, secret, { mode: 0o600 });
      const good = await runCommand(['audit', 'verify', '--key', key, copy]);
      assert.equal(good.code, 0, good.out + good.err);
      assert.match(good.out, new RegExp(`^intact: records 1 to ${oldestFirst.length}\n`));
      writeFileSync(copy, `${oldestFirst.join('\n').replace('"subject":"ada"', '"subject":"bob"')}\n`);
      assert.match((await runCommand(['audit', 'verify', '--key', key, copy])).out, /^line \d+: changed:/);
    });

    it('verifies the trail on request, and keeps the result in the trail', async () => {
      const url = `${testServer.url}/audit/verification`;
      const token = testServer.issueToken('admin');
      const state = async () => (await callUrl(url, { method: 'GET', token })).json as VerificationState;
      assert.deepEqual(await state(), {});
      assert.equal(
        (await callUrl(url, { method: 'POST', token: testServer.issueToken('engineering') })).status,
        403,
      );
      assert.equal((await callUrl(url, { method: 'POST', token })).status, 200);
      await eventually(async () => {
        const { running, last } = await state();
        assert.deepEqual([running, last?.isIntact, last?.first], [undefined, true, 1]);
      });
      await eventually(async () => {
        const { results } = await search('operation=audit.verify');
        assert.match(results[0]?.outcome ?? '', /^intact: records 1 to \d+$/);
      });
    });

    it('is verified by a command while the server runs', async () => {
      const { code, out } = await runCommand(['audit', 'verify', '--config', testServer.configPath]);
      assert.equal(code, 0, out);
      assert.match(out, /^intact: records 1 to \d+\n/);
    });
  });
