import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readPage } from '../docs/markdown.js';
import { callUrl } from '../support/call.js';
import { runCommand } from '../support/command-io.js';
import { installGatehouse } from '../support/installed-gatehouse.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer } from '../support/test-server.js';

const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));

/** Creates a folder in which gatehouse is installed as npm installs it. */
function folderWithGatehouse(withTypes = false): string {
  const { path } = temporaryFolder();
  installGatehouse(path, { withTypes });
  return path;
}

/** Runs a program in a folder with the programs of its packages. Returns the number of tests that passed. */
function testsPassedBy(folder: string, program: string, ...words: readonly string[]): number {
  const PATH = `${join(folder, '../node_modules/.bin')}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
  const { status, stdout, stderr } = spawnSync(program, words, {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH },
  });
  assert.equal(status, 0, stdout + stderr);
  return Number(/^# pass (\d+)|^ℹ pass (\d+)/m.exec(stdout)?.slice(1).find(Boolean));
}

describe('gatehouse plugin new', () => {
  it('writes a plugin whose tests pass, including the contract and the example of the plugin guide', async () => {
    const path = folderWithGatehouse();
    const { code, out } = await runCommand(['plugin', 'new', 'acme-nms', '--dir', path]);
    assert.equal(code, 0);
    assert.ok(out.startsWith(`${join(path, 'acme-nms')} is written.`));
    const shown = readPage('plugins/README.md').blocks.find(({ language }) => language === 'js');
    writeFileSync(join(path, 'acme-nms', 'as-shown.test.js'), shown?.text ?? '');
    assert.ok(testsPassedBy(join(path, 'acme-nms'), process.execPath, '--test') >= 21);
  });

  it('writes a plugin in TypeScript that compiles, passes its tests, and packs without them', async function () {
    // Two programs of the compiler run, one of them for the types of gatehouse.
    this.timeout(240_000);
    const path = folderWithGatehouse(true);
    const { code } = await runCommand(['plugin', 'new', 'acme-nms', '--typescript', '--dir', path]);
    assert.equal(code, 0);
    const folder = join(path, 'acme-nms');
    assert.ok(testsPassedBy(folder, 'npm', 'test', '--offline') >= 12);
    const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: folder,
      encoding: 'utf8',
    });
    const [packed] = JSON.parse(stdout) as [{ readonly files: readonly { readonly path: string }[] }];
    assert.deepEqual(packed.files.map((file) => file.path).sort(), [
      'CHANGELOG.md',
      'README.md',
      'dist/index.js',
      'package.json',
    ]);
  });

  it('refuses a folder of gatehouse itself, where its plugins are built in', async () => {
    for (const dir of ['plugins', '.', 'new/folder']) {
      const { code, err } = await runCommand(['plugin', 'new', 'acme-nms', '--dir', join(CHECKOUT, dir)]);
      assert.equal(code, 64);
      assert.match(err, /is the folder of gatehouse; choose a folder outside of it, for example --dir /);
      assert.equal(existsSync(join(CHECKOUT, dir, 'acme-nms')), false);
    }
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
