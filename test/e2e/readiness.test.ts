import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemScheduler } from '../../src/lib/clock.js';
import { createServer } from '../../src/server/create-server.js';
import { callUrl } from '../support/call.js';
import { collectingStream } from '../support/collecting-stream.js';
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
    'is 503 while the database of the trail is down, and 200 again afterwards',
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
        await database.resume();
        await eventually(async () => {
          assert.deepEqual(await ready(), [200, undefined]);
        });
      } finally {
        await server.close();
        await database.close();
      }
    },
  );

  itWith(MOUNTS, 'is 503 while the disk of the trail is full, and 200 again afterwards', async () => {
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]);
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
