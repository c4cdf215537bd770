import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { callUrl } from '../support/call.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { openWorld, SECRET, type World } from '../support/world.js';

const BODY = {
  params: { path: '/restconf/data/ietf-interfaces:interfaces', accept: 'application/yang-data+json' },
};

describe('a rotated secret', () => {
  let world: World;
  before(async () => {
    const folder = temporaryFolder().path;
    world = await openWorld({
      folder,
      arrange: (path) => {
        appendFileSync(`${path}/adapters/core1.yaml`, 'enabled: true\n');
      },
    });
  });
  after(() => world.close());

  it('reaches its adapter with the next reload, without a failed call before or after', async () => {
    const query = () =>
      callUrl(`${world.url}/orchestrator_manager/restQuery/core1`, {
        token: world.mint('admin'),
        body: BODY,
      });
    assert.equal((await query()).status, 200);
    world.vault.putSecret({ path: SECRET.path }, { [SECRET.field]: 'the-next-password' });
    world.orchestrator.setPassword('the-next-password');
    assert.deepEqual(await world.running.reload(), []);
    assert.equal((await query()).status, 200);
  });
});
