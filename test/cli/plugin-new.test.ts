import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readPage } from '../docs/markdown.js';
import { callUrl } from '../support/call.js';
import { runCommand } from '../support/command-io.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer } from '../support/test-server.js';

/** The folder of the compiled files: `dist`, or the folder that contains this file. */
const COMPILED = fileURLToPath(new URL('../../', import.meta.url));
const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));

/** Creates a folder in which gatehouse is installed as npm installs it. */
function folderWithGatehouse(): string {
  const { path } = temporaryFolder();
  const installed = join(path, 'node_modules', 'gatehouse-proxy');
  mkdirSync(installed, { recursive: true });
  cpSync(join(CHECKOUT, 'package.json'), join(installed, 'package.json'));
  symlinkSync(COMPILED, join(installed, 'dist'));
  return path;
}

describe('gatehouse plugin new', () => {
  it('writes a plugin whose tests pass, including the contract and the example of the plugin guide', async () => {
    const path = folderWithGatehouse();
    const { code, out } = await runCommand(['plugin', 'new', 'acme-nms', '--dir', path]);
    assert.equal(code, 0);
    assert.ok(out.startsWith(`${join(path, 'acme-nms')} is written.`));
    const shown = readPage('plugins/README.md').blocks.find(({ language }) => language === 'js');
    writeFileSync(join(path, 'acme-nms', 'as-shown.test.js'), shown?.text ?? '');
    const { status, stdout } = spawnSync(process.execPath, ['--test'], {
      cwd: join(path, 'acme-nms'),
      encoding: 'utf8',
      env: {},
    });
    assert.equal(status, 0, stdout);
    assert.ok(Number(/^# pass (\d+)|^ℹ pass (\d+)/m.exec(stdout)?.slice(1).find(Boolean)) >= 21, stdout);
  });

  it('writes a package that a configuration can name', async () => {
    const { path: folder } = temporaryFolder();
    await runCommand(['plugin', 'new', 'acme-nms', '--dir', join(folder, 'node_modules')]);
    const server = await startTestServer({
      folder,
      arrange() {
        const file = join(folder, 'adapters', 'core1.yaml');
        const text = readFileSync(file, 'utf8').replace('plugin: restconf', 'plugin: acme-nms');
        writeFileSync(file, `${text}options: { tenant: blue }\n`);
      },
    });
    try {
      const { status } = await callUrl(`${server.url}/orchestrator_manager/restQuery/core1`, {
        token: server.issueToken('admin'),
        body: { params: { path: '/restconf/yang-library-version', accept: 'application/yang-data+json' } },
      });
      assert.equal(status, 200);
      assert.equal(server.orchestrator.requests.at(-1)?.headers['x-tenant'], 'blue');
    } finally {
      await server.close();
    }
  });

  it('changes nothing in an existing folder', async () => {
    const { path } = temporaryFolder();
    mkdirSync(join(path, 'acme-nms'));
    const { code, err } = await runCommand(['plugin', 'new', 'acme-nms', '--dir', path]);
    assert.equal(code, 64);
    assert.match(err, /acme-nms exists already/);
    assert.deepEqual(readdirSync(join(path, 'acme-nms')), []);
  });

  it('rejects an invalid plugin type', async () => {
    const { path } = temporaryFolder();
    rmSync(path, { recursive: true });
    for (const type of [undefined, '', 'Acme', '../acme', '-x', 'a/b', 'a--b', 'a'.repeat(65), '--dir'])
      assert.equal(
        (await runCommand(['plugin', 'new', ...(type === undefined ? [] : [type]), '--dir', path])).code,
        64,
      );
    assert.equal((await runCommand(['plugin', 'old'])).code, 64);
  });
});
