import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../support/command-io.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describe('gatehouse fmt', () => {
  const { path: folder } = temporaryFolder();
  const main = join(folder, 'gatehouse.yaml');
  const adapter = join(folder, 'adapters', 'nso1.yaml');
  const untidy = 'plugin:   restconf # NSO\nbaseUrl: https://nso1.example.com\n';

  beforeEach(() => {
    mkdirSync(join(folder, 'adapters'), { recursive: true });
    writeFileSync(main, 'log: { level: info }\n');
    writeFileSync(adapter, untidy);
    writeFileSync(join(folder, 'adapters', 'nso2.json'), '{"plugin":"restconf"}');
  });

  it('formats the main file and the adapters in place, with their mode', async () => {
    chmodSync(adapter, 0o640);
    const { code, out } = await runCommand(['fmt', '--config', main]);
    assert.deepEqual([code, out], [0, `formatted: ${adapter}\n`]);
    assert.equal(
      readFileSync(adapter, 'utf8'),
      'plugin: restconf # NSO\nbaseUrl: https://nso1.example.com\n',
    );
    assert.equal(statSync(adapter).mode & 0o777, 0o640);
    assert.equal(readFileSync(join(folder, 'adapters', 'nso2.json'), 'utf8'), '{"plugin":"restconf"}');
    assert.deepEqual((await runCommand(['fmt', '--config', main])).out, '');
  });

  it('names the files with --check, and changes none', async () => {
    const { code, out } = await runCommand(['fmt', '--check', adapter]);
    assert.deepEqual([code, out], [1, `not formatted: ${adapter}\n`]);
    assert.equal(readFileSync(adapter, 'utf8'), untidy);
  });

  it('names the file that cannot be read, and formats the others', async () => {
    writeFileSync(main, Buffer.from('log:   { level: \xe4 }\n', 'latin1'));
    const { code, out, err } = await runCommand(['fmt', main, folder, adapter]);
    assert.deepEqual([code, out], [78, `formatted: ${adapter}\n`]);
    assert.equal(
      err,
      `${main} is not valid UTF-8\n    Save the file as UTF-8.\n${folder} is a directory\n    Name a file.\n`,
    );
    assert.ok(readFileSync(main).includes(0xe4));
  });

  it('leaves a file that is not YAML as it is', async () => {
    writeFileSync(adapter, 'plugin: [restconf\n');
    const { code, err } = await runCommand(['fmt', '--config', main]);
    assert.equal(code, 78);
    assert.match(err, /nso1\.yaml is not valid YAML; "gatehouse check" says where/);
    assert.equal(readFileSync(adapter, 'utf8'), 'plugin: [restconf\n');
  });
});
