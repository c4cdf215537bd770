import assert from 'node:assert/strict';
import type { AuditRecord } from '../../src/core/audit.js';
import { callUrl } from '../support/call.js';
import { columns } from '../support/columns.js';
import { POSTGRES_PROGRAMS } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { openedBySuite } from '../support/opened.js';
import { type PostgresServer, startPostgres } from '../support/postgres-server.js';
import { problemCodeOf } from '../support/server-calls.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { eventually } from '../support/until.js';

describeWith(POSTGRES_PROGRAMS, 'a server whose audit trail stores no record', () => {
  let database: PostgresServer;
  let server: TestServer;
  const opened = openedBySuite();
  before(async () => {
    database = await opened(startPostgres({ own: true }));
    server = await opened(startTestServer({ storageUrl: database.url }));
  });

  const ready = async () => {
    const { status, json } = await server.call('GET /readyz');
    return [status, (json as { detail?: string }).detail?.split(':')[0]];
  };
  const auditService = async () => {
    const { services } = await server.ask<{
      readonly services: readonly { readonly service: string; readonly status: string }[];
    }>('GET /health/status');
    return services.find(({ service }) => service === 'audit')?.status;
  };
  const statusWith = async (token: string) => (await server.call('GET /whoami', { token })).status;

  it('is not ready; a sign-out counts at once, removes the cookie, and is recorded afterwards (bug: it did nothing)', async () => {
    assert.deepEqual([await ready(), await auditService()], [[200, undefined], 'running']);
    await database.pause();
    await eventually(async () => {
      assert.deepEqual(await ready(), [503, 'audit']);
    });
    assert.equal(await auditService(), 'failed');
    const token = server.issueTokenFor('eve', 'admin');
    const reply = await callUrl(`${server.url}/console/session`, {
      method: 'DELETE',
      headers: { cookie: `token=${token}` },
    });
    assert.deepEqual([reply.status, problemCodeOf(reply)], [503, 'store_unavailable']);
    assert.match(String(reply.headers['set-cookie']), /^token=; Path=\/; Max-Age=0/);
    assert.equal(await statusWith(token), 401);
    await database.resume();
    await eventually(async () => {
      const { results } = await server.ask<{ readonly results: readonly AuditRecord[] }>(
        'GET /audit?operation=login.closeSession',
      );
      assert.deepEqual(columns(results, 'subject', 'status'), [['eve', 503]]);
    });
    assert.deepEqual(await ready(), [200, undefined]);
    assert.equal(await statusWith(token), 401);
  });
});
