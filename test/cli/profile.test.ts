import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../src/features/open-store.js';
import { runCommand } from '../support/command-io.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describe('gatehouse profile', () => {
  it('prints the active profile and deactivates it with --none', async () => {
    const folder = temporaryFolder().path;
    const config = join(folder, 'gatehouse.yaml');
    writeFileSync(config, 'storage: { url: "sqlite:gatehouse.db" }\n');
    const ask = async (...options: string[]) =>
      (await runCommand(['profile', ...options, '--config', config])).out;
    assert.equal(await ask(), 'no profile is active\n');
    const store = await openStore(`sqlite:${join(folder, 'gatehouse.db')}`);
    // The profile is invalid: no server starts with it.
    const document = { id: 'lab', egress: { allow: 7 } };
    await store.platform.profiles.create({ name: 'lab', id: 'a'.repeat(24), document });
    await store.platform.activate('lab');
    assert.equal(await ask(), 'the active profile is "lab"\n');
    assert.equal(await ask('--json'), '{"active":"lab","was":"lab"}\n');
    assert.equal(
      await ask('--none'),
      'no profile is active; it was "lab". A running server follows within two seconds.\n',
    );
    assert.equal(await ask('--none'), 'no profile is active\n');
    assert.equal(await ask('--none', '--json'), '{"active":null,"was":null}\n');
    assert.equal((await store.platform.read()).profile, undefined);
    await store.close();
  });
});
