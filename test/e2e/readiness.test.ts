import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemScheduler } from '../../src/core/lib/clock.js';
import { createServer, type Server } from '../../src/server/create-server.js';
import { collectingStream } from '../support/collecting-stream.js';
import { callUrl } from '../support/call.js';
import { MOUNTS, POSTGRES_PROGRAMS } from '../support/need-list.js';
import { itWith } from '../support/needs.js';
import { startPostgres } from '../support/postgres-server.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { openTokenSigner } from '../support/token-issuer.js';
import { eventually } from '../support/until.js';

/** Starts a server with these lines in its main file. */
async function start(folder: string, lines: string): Promise<Server> {
  const path = join(folder, 'gatehouse.yaml');
  writeFileSync(
    path,
    `server: { listen: "127.0.0.1:0" }\nauth: { local: { keyFile: issuer.pem } }\n${lines}`,
  );
  return createServer({
    configPath: path,
    clock: systemScheduler,
    env: {},
    logStream: collectingStream().stream,
  });
}

describe('GET /readyz while the audit trail stores no record', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder().path;
  });

  const checks = async (url: string) => {
    const issue = await openTokenSigner(join(folder, 'issuer.pem'));
    const token = issue({ subject: 'ada', roles: ['admin'] });
    return {
      ready: async () => {
        const { status, json } = await callUrl(`${url}/readyz`, { method: 'GET' });
        return [status, (json as { detail?: string }).detail?.split(':')[0]];
      },
      /** Sends an audited request. */
      audited: async () => (await callUrl(`${url}/audit?limit=1`, { method: 'GET', token })).status,
      service: async (name: string) => {
        const { json } = await callUrl(`${url}/health/status`, { method: 'GET', token });
        const { services } = json as { services: readonly { service: string; status: string }[] };
        return services.find(({ service }) => service === name)?.status;
      },
    };
  };

  itWith(
    POSTGRES_PROGRAMS,
    'is 503 while the database of the trail is down, and 200 again afterwards',
    async () => {
      const database = await startPostgres({ own: true });
      const server = await start(
        folder,
        `storage: { url: "${database.url}" }\naudit: { durability: store }\n`,
      );
      try {
        const { ready, service } = await checks(server.url);
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
      const server = await start(folder, lines);
      try {
        const { ready, audited, service } = await checks(server.url);
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
