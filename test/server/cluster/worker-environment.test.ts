import assert from 'node:assert/strict';
import { workerEnvironment } from '../../../src/server/cluster/worker-environment.js';

describe('workerEnvironment', () => {
  it('finding F17: keeps the variables of the system and of Node.js, and no others', () => {
    const kept = {
      PATH: '/bin',
      TMPDIR: '/tmp',
      LC_ALL: 'C',
      MALLOC_ARENA_MAX: '2',
      NODE_EXTRA_CA_CERTS: 'ca',
    };
    const dropped = { VAULT_TOKEN: 's.t', NSO_PASSWORD: 'p', PGPASSWORD: 'p', LISTEN_FDS: '1', DEBUG: '*' };
    assert.deepEqual(workerEnvironment({ ...kept, ...dropped }), kept);
  });
});
