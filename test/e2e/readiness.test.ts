import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditRecord } from '../../src/core/audit.js';
import { systemScheduler } from '../../src/lib/clock.js';
import { createServer } from '../../src/server/create-server.js';
import { callUrl } from '../support/call.js';
import { collectingStream } from '../support/collecting-stream.js';
import { columns } from '../support/columns.js';
import { MOUNTS, POSTGRES_PROGRAMS } from '../support/need-list.js';
import { itWith } from '../support/needs.js';
import { startPostgres } from '../support/postgres-server.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { openTokenSigner } from '../support/token-issuer.js';
import { eventually } from '../support/until.js';

describe('GET /readyz while the audit trail stores no record', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder().path;
  });

  /** Starts a server with these lines in its main file. */
  async function start(lines: string) {
    const configPath = join(folder, 'gatehouse.yaml');
    const auth = 'auth: { local: { keyFile: issuer.pem } }';
    writeFileSync(configPath, `server: { listen: "127.0.0.1:0" }\n${auth}\n${lines}`);
    const logStream = collectingStream().stream;
    const server = await createServer({ configPath, clock: systemScheduler, env: {}, logStream });
    const issue = await openTokenSigner(join(folder, 'issuer.pem'));
    const token = issue({ subject: 'ada', roles: ['admin'] });
    const get = (path: string) => callUrl(server.url + path, { method: 'GET', token });
    return {
      close: () => server.close(),
      /** Signs out with a new token as the cookie of a browser, and returns the token with the reply. */
      signOut: async () => {
        const ended = issue({ subject: 'eve', roles: ['admin'] });
        const headers = { cookie: `token=${ended}` };
        return { ended, ...(await callUrl(`${server.url}/console/session`, { method: 'DELETE', headers })) };
      },
      statusWith: async (used: string) =>
        (await callUrl(`${server.url}/whoami`, { method: 'GET', token: used })).status,
      signOutRecords: async () =>
        ((await get('/audit?operation=login.closeSession')).json as { results: readonly AuditRecord[] })
          .results,
      ready: async () => {
        const { status, json } = await get('/readyz');
        return [status, (json as { detail?: string }).detail?.split(':')[0]];
      },
      /** Sends an audited request. */
      audited: async () => (await get('/audit?limit=1')).status,
      service: async (name: string) => {
        const { services } = (await get('/health/status')).json as {
          services: readonly { service: string; status: string }[];
        };
        return services.find(({ service }) => service === name)?.status;
      },
    };
  }

  itWith(
    POSTGRES_PROGRAMS,
    'is 503 while the database of the trail is down; a sign-out counts at once, removes the cookie, and is recorded afterwards (bug: it did nothing)',
    async () => {
      const database = await startPostgres({ own: true });
      const server = await start(`storage: { url: "${database.url}" }\naudit: { durability: store }\n`);
      try {
        const { ready, service } = server;
        assert.deepEqual(await ready(), [200, undefined]);
        assert.equal(await service('audit'), 'running');
        await database.pause();
        await eventually(async () => {
          assert.deepEqual(await ready(), [503, 'audit']);
        });
        assert.equal(await service('audit'), 'failed');
        const { ended, status, json, headers } = await server.signOut();
        assert.deepEqual([status, (json as { code: string }).code], [503, 'store_unavailable']);
        assert.match(String(headers['set-cookie']), /^token=; Path=\/; Max-Age=0/);
        assert.equal(await server.statusWith(ended), 401);
        await database.resume();
        await eventually(async () => {
          assert.deepEqual(columns(await server.signOutRecords(), 'subject', 'status'), [['eve', 503]]);
        });
        assert.deepEqual(await ready(), [200, undefined]);
        assert.equal(await server.statusWith(ended), 401);
      } finally {
        await server.close();
        await database.close();
      }
    },
  );

  itWith(MOUNTS, 'is 503 while the disk of the trail is full, and 200 again afterwards', async () => {
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]);
    assert.equal(mounted.status, 0, String(mounted.stderr));
    const lines =
      'storage: { url: "sqlite:gatehouse.db" }\naudit: { file: disk/audit.log, durability: written }\n';
    try {
      const server = await start(lines);
      try {
        const { ready, audited, service } = server;
        assert.equal(await audited(), 200);
        spawnSync('dd', ['if=/dev/zero', `of=${join(disk, 'filler')}`, 'bs=4k']);
        await eventually(async () => {
          assert.equal(await audited(), 503);
        });
        assert.deepEqual(await ready(), [503, 'audit']);
        assert.equal(await service('audit'), 'failed');
        rmSync(join(disk, 'filler'));
        await eventually(async () => {
          assert.deepEqual(await ready(), [200, undefined]);
        });
        assert.equal(await audited(), 200);
      } finally {
        await server.close();
      }
    } finally {
      spawnSync('umount', [disk]);
    }
  });
});
