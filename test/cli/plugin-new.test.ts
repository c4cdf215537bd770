import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readPage } from '../docs/markdown.js';
import { callUrl } from '../support/call.js';
import { runCommand } from '../support/command-io.js';
import { installKit } from '../support/installed-kit.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer } from '../support/test-server.js';

const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));

/** Runs npm in a folder without a registry, and with the packages for development: the scan for leaks sets NODE_ENV. */
function npm(folder: string, ...words: readonly string[]): string {
  const options = ['--offline', '--no-audit', '--no-fund', '--include=dev'];
  const { status, stdout, stderr } = spawnSync('npm', [...words, ...options], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stdout + stderr);
  return stdout;
}

function testsPassedIn(folder: string): number {
  return Number(/^(?:# |ℹ )pass (\d+)/m.exec(npm(folder, 'test'))?.[1]);
}

function packedFiles(folder: string): readonly string[] {
  const text = npm(folder, 'pack', '--dry-run', '--json', '--ignore-scripts');
  const [packed] = JSON.parse(text) as [{ readonly files: readonly { readonly path: string }[] }];
  return packed.files.map((file) => file.path).sort();
}

describe('the plugin kit', () => {
  it('is small, needs no other package, and runs nothing when it is installed', () => {
    const { path } = temporaryFolder();
    installKit(path);
    const kit = join(path, 'node_modules/gatehouse-plugin-kit');
    const manifest = JSON.parse(readFileSync(join(kit, 'package.json'), 'utf8')) as object;
    for (const member of ['dependencies', 'peerDependencies', 'scripts', 'bin'])
      assert.equal(member in manifest, false, member);
    const files = readdirSync(kit, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
    assert.ok(bytes < 1_000_000, `it has ${bytes} bytes`);
  });

  it('exports what the server gives to plugins', async () => {
    const { path } = temporaryFolder();
    installKit(path);
    const kit = createRequire(join(path, 'index.js'));
    for (const [name, module] of Object.entries({ '': 'index', '/contract': 'contract' })) {
      const url = pathToFileURL(kit.resolve(`gatehouse-plugin-kit${name}`)).href;
      const own = (await import(url)) as object;
      const host = (await import(`../../src/plugin-sdk/${module}.js`)) as object;
      assert.deepEqual(Object.keys(own), Object.keys(host));
    }
  });
});

describe('gatehouse plugin new', () => {
  it('writes a plugin whose tests pass, including the contract and the example of the plugin guide', async () => {
    const { path } = temporaryFolder();
    const { code, out } = await runCommand(['plugin', 'new', 'acme-nms', '--dir', path]);
    assert.equal(code, 0);
    assert.ok(out.startsWith(`${join(path, 'acme-nms')} is written.`));
    const shown = readPage('plugins/README.md').blocks.find(({ language }) => language === 'js');
    const folder = join(path, 'acme-nms');
    writeFileSync(join(folder, 'as-shown.test.js'), shown?.text ?? '');
    npm(folder, 'install');
    assert.ok(testsPassedIn(folder) >= 21);
    assert.deepEqual(packedFiles(folder), ['CHANGELOG.md', 'README.md', 'index.js', 'package.json']);
  });

  it('writes a plugin in TypeScript that compiles, passes its tests, and packs without them', async function () {
    this.timeout(240_000);
    const { path } = temporaryFolder();
    const { code } = await runCommand(['plugin', 'new', 'acme-nms', '--typescript', '--dir', path]);
    assert.equal(code, 0);
    const folder = join(path, 'acme-nms');
    installKit(folder);
    assert.ok(testsPassedIn(folder) >= 12);
    assert.deepEqual(packedFiles(folder), ['CHANGELOG.md', 'README.md', 'dist/index.js', 'package.json']);
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
