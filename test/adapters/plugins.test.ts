import assert from 'node:assert/strict';
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPlugins } from '../../src/adapters/plugins.js';
import { openRuntime } from '../support/adapter-runtime.js';
import { temporaryFolder } from '../support/temporary-folder.js';

function folderWith(plugins: Readonly<Record<string, string>>): string {
  const { path } = temporaryFolder();
  writeFileSync(join(path, 'package.json'), '{"type":"module"}');
  for (const [name, source] of Object.entries(plugins)) {
    mkdirSync(join(path, name));
    writeFileSync(join(path, name, 'index.js'), source);
  }
  return path;
}

const GOOD = "export const plugin = { type: 'good', apiVersion: 1, summary: '', options: {}, create() {} };";
/** Returns the source of a plugin of another type, of which one part is replaced. */
const goodBut = (type: string, part = '', other = ''): string =>
  GOOD.replace("'good'", `'${type}'`).replace(part, other);

describe('findPlugins', () => {
  it('loads a plugin again after its file was repaired', async () => {
    const path = folderWith({ good: 'export const plugin = ;' });
    const plugins = await findPlugins(path);
    const write = (source: string, second: number): void => {
      const file = join(path, 'good', 'index.js');
      writeFileSync(file, source);
      utimesSync(file, second, second);
    };
    await assert.rejects(
      plugins.load('good'),
      /^Error: SyntaxError: Unexpected token ';' \(good\/index\.js:1\)$/,
    );
    write('export const other = 1;', 1);
    await assert.rejects(plugins.load('good'), /no object named "plugin"/);
    write(GOOD, 2);
    const good = await plugins.load('good');
    assert.equal(good.type, 'good');
    assert.equal(await plugins.load('good'), good);
    write('export const plugin = ;', 3);
    assert.equal(await plugins.load('good'), good);
  });

  it('lists the sub-folders with an index.js, by name', async () => {
    const path = folderWith({ good: GOOD, another: '' });
    mkdirSync(join(path, 'no-plugin'));
    assert.deepEqual((await findPlugins(path)).types, ['another', 'good']);
  });

  for (const [source, expected] of [
    ['export const other = 1;', /exports no object named "plugin"/],
    [GOOD, /type is not the name of its folder/],
    [goodBut('bad', 'apiVersion: 1', 'apiVersion: 2'), /apiVersion is not 1/],
    [goodBut('bad', 'options: {}', 'options: 1'), /options are not a JSON Schema/],
    [goodBut('bad', ', create() {}'), /no function "create"/],
    ["throw new Error('at load');", /at load/],
  ] as const)
    it(`rejects a plugin that breaks the contract: ${expected.source}`, async () => {
      const plugins = await findPlugins(folderWith({ bad: source }));
      await assert.rejects(plugins.load('bad'), expected);
    });
});

type Package = readonly [description: object, source: string];

/** Creates a folder with installed npm packages: their `package.json` and `index.js`, by name. */
function folderWithPackages(packages: Readonly<Record<string, Package>>): string {
  const { path } = temporaryFolder();
  for (const [name, [description, source]] of Object.entries(packages)) {
    const folder = join(path, 'node_modules', name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', ...description }));
    writeFileSync(join(folder, 'index.js'), source);
  }
  return path;
}

const PACKAGE = { keywords: ['gatehouse-plugin'], exports: './index.js' };

describe('findPlugins with npm packages', () => {
  const none = folderWith({});

  /** Installs the package "good", and returns its folder and the plugins. */
  async function findGood(manifest: object = {}) {
    const home = folderWithPackages({ good: [{ ...PACKAGE, ...manifest }, GOOD] });
    return { folder: join(home, 'node_modules', 'good'), plugins: await findPlugins(none, [home]) };
  }

  it('finds packages next to the configuration or above it, with or without a scope', async () => {
    const home = folderWithPackages({ good: [PACKAGE, GOOD], '@acme/good': [PACKAGE, GOOD] });
    mkdirSync(join(home, 'config'));
    const plugins = await findPlugins(none, [join(home, 'config')]);
    for (const name of ['good', '@acme/good']) {
      assert.ok(plugins.has(name), name);
      assert.equal((await plugins.load(name)).type, 'good');
    }
    assert.deepEqual(plugins.types, []);
  });

  it('prefers a folder over a package of the same name', async () => {
    const home = folderWithPackages({ good: [PACKAGE, "throw new Error('the package');"] });
    const plugins = await findPlugins(folderWith({ good: GOOD }), [home]);
    assert.equal((await plugins.load('good')).type, 'good');
  });

  it('loads only packages with the plugin keyword', async () => {
    const home = folderWithPackages({
      good: [{ exports: './index.js' }, GOOD],
      odd: [{ keywords: 7 }, GOOD],
    });
    const { has } = await findPlugins(none, [home]);
    const names = ['good', 'odd', 'absent', 'fs', 'node:fs', 'a/b/c', '@a', ''];
    const paths = ['..', '../x', '.', '/etc', '@a/../b'];
    for (const name of [...names, ...paths]) assert.equal(has(name), false, name);
  });

  it('loads a package whose exports name a file for imports only (bug: "its package.json leads to no file")', async () => {
    const targets = [{ import: './index.js' }, { '.': { types: './none.d.ts', import: './index.js' } }];
    for (const exports of targets) {
      const { plugins } = await findGood({ exports });
      assert.equal((await plugins.load('good')).type, 'good');
    }
  });

  it('reports a package as outdated after a change of its code, but not of its packages or its texts', async () => {
    const { plugins, folder } = await findGood();
    assert.deepEqual((await plugins.codeOnDisk()).outdated, []);
    await plugins.load('good');
    mkdirSync(join(folder, 'node_modules/other'), { recursive: true });
    writeFileSync(join(folder, 'node_modules/other/index.js'), '');
    writeFileSync(join(folder, 'README.md'), '# Other');
    assert.deepEqual((await plugins.codeOnDisk()).outdated, []);
    mkdirSync(join(folder, 'lib'));
    writeFileSync(join(folder, 'lib/client.js'), '');
    assert.deepEqual((await plugins.codeOnDisk()).outdated, ['good']);
    assert.equal(plugins.folderOf('good'), folder);
    assert.equal(plugins.folderOf('absent'), undefined);
  });

  it('keeps the loaded code of a package until a refresh, and loads it again only after a change', async () => {
    const { plugins, folder } = await findGood({ version: '1.0.0' });
    const first = await plugins.load('good');
    writeFileSync(join(folder, 'index.js'), GOOD.replace("summary: ''", "summary: 'Other.'"));
    const manifest = { ...PACKAGE, type: 'module', version: '1.0.1' };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    assert.equal(await plugins.load('good'), first);
    assert.deepEqual([plugins.generationOf('good'), plugins.versionOf('good')], [1, '1.0.0']);
    assert.deepEqual(await plugins.refresh(), [{ plugin: 'good', changesLeft: 499 }]);
    // No adapter needs it yet; that must not look like another change.
    assert.deepEqual(await plugins.refresh(), []);
    assert.equal((await plugins.load('good')).summary, 'Other.');
    assert.deepEqual([plugins.generationOf('good'), plugins.versionOf('good')], [2, '1.0.1']);
    rmSync(folder, { recursive: true });
    assert.equal((await plugins.refresh()).length, 1);
    assert.ok(plugins.has('good'));
    await assert.rejects(plugins.load('good'), /there is no plugin package "good"/);
    assert.deepEqual([plugins.generationOf('good'), plugins.versionOf('good')], [undefined, '1.0.1']);
    assert.deepEqual(await plugins.refresh(), []);
  });

  it('rejects a package that breaks the contract', async () => {
    const home = folderWithPackages({
      '@acme/other': [PACKAGE, GOOD],
      closed: [{ ...PACKAGE, exports: {} }, GOOD],
    });
    const plugins = await findPlugins(none, [home]);
    await assert.rejects(plugins.load('@acme/other'), /its type is not the name of its package/);
    await assert.rejects(plugins.load('closed'), /write "exports": "\.\/index\.js"/);
    await assert.rejects(plugins.load('absent'), /there is no plugin package "absent"/);
  });
});

describe('an unusable plugin', () => {
  it('affects only its own adapters, whether it throws or breaks the contract', async () => {
    const BROKEN: Readonly<Record<string, readonly [source: string, reason: RegExp]>> = {
      'throws-at-load': [
        "throw new Error('at load');",
        /its plugin "throws-at-load" cannot be used: at load \(throws-at-load\/index\.js:1\)/,
      ],
      'breaks-contract': ['export const other = 1;', /it breaks the contract: its index exports no object/],
      'no-schema': [
        goodBut('no-schema', 'options: {}', "options: { type: 'x' }"),
        /its plugin "no-schema" cannot be used/,
      ],
      'throws-at-create': [
        goodBut('throws-at-create', 'create() {}', 'create() { throw 1 }'),
        /its plugin failed to create it/,
      ],
      'creates-nothing': [
        goodBut('creates-nothing'),
        /what create\(\) of its plugin returns has no function "translate"/,
      ],
    };
    const runtime = await openRuntime({
      arrange: ({ folder, pluginFolder }) => {
        for (const [name, [source]] of Object.entries(BROKEN)) {
          mkdirSync(join(pluginFolder, name));
          writeFileSync(join(pluginFolder, name, 'index.js'), source);
        }
        for (const plugin of ['recording', ...Object.keys(BROKEN)])
          writeFileSync(
            join(folder, 'adapters', `${plugin}.yaml`),
            `plugin: ${plugin}\nbaseUrl: http://127.0.0.1:9\n`,
          );
      },
    });
    const { recording, ...dead } = runtime.states();
    assert.equal(recording, 'RUNNING');
    assert.deepEqual(Object.keys(dead), Object.keys(BROKEN).toSorted());
    for (const [name, [, reason]] of Object.entries(BROKEN)) {
      assert.match(dead[name] ?? '', /^DEAD: /, name);
      assert.match(dead[name] ?? '', reason, name);
    }
    await runtime.close();
  });
});
