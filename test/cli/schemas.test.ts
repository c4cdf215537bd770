import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { schemaFiles } from '../../src/config/schema-files.js';
import { runCommand } from '../support/command-io.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describe('gatehouse schemas', () => {
  const folder = temporaryFolder().path;
  const config = join(folder, 'gatehouse.yaml');

  it('writes the schemas beside the configuration, and again after an update', async () => {
    const written = join(folder, 'schemas');
    assert.equal((await runCommand(['schemas', '--config', config])).code, 0);
    writeFileSync(join(written, 'adapter.schema.json'), '{}');
    const { code, out, err } = await runCommand(['schemas'], { env: { GATEHOUSE_CONFIG: config } });
    assert.deepEqual([code, out], [0, '']);
    assert.match(err, /wrote .*schemas\/gatehouse\.schema\.json\nwrote .*schemas\/adapter\.schema\.json\n/);
    assert.deepEqual(readdirSync(written).sort(), ['adapter.schema.json', 'gatehouse.schema.json']);
    for (const [name, schema] of Object.entries(schemaFiles()))
      assert.deepEqual(JSON.parse(readFileSync(join(written, name), 'utf8')), schema);
  });

  it('writes the schemas into another folder', async () => {
    const dir = join(folder, 'a', 'b');
    assert.equal((await runCommand(['schemas', '--dir', dir])).code, 0);
    assert.equal(readdirSync(dir).length, 2);
  });
});
