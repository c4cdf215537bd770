import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPlugins } from '../../src/runtime/plugins.js';
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

describe('the plugins of a folder', () => {
  it('are its sub-folders with an index.js, by name', async () => {
    const path = folderWith({ good: GOOD, another: '' });
    mkdirSync(join(path, 'no-plugin'));
    assert.deepEqual((await findPlugins(path)).types, ['another', 'good']);
  });

  it('are loaded once', async () => {
    const plugins = await findPlugins(folderWith({ good: GOOD }));
    assert.equal((await plugins.load('good')).type, 'good');
    assert.equal(await plugins.load('good'), await plugins.load('good'));
  });

  const breaches: readonly (readonly [string, RegExp])[] = [
    ['export const other = 1;', /exports no object named "plugin"/],
    [GOOD, /type is not the name of its folder/],
    [GOOD.replace("'good'", "'bad'").replace('apiVersion: 1', 'apiVersion: 2'), /apiVersion is not 1/],
    [GOOD.replace("'good'", "'bad'").replace('options: {}', 'options: 1'), /options are not a JSON Schema/],
    [GOOD.replace("'good'", "'bad'").replace(', create() {}', ''), /no function "create"/],
    ["throw new Error('at load');", /at load/],
  ];
  for (const [source, expected] of breaches) {
    it(`are refused when they break the contract: ${expected.source}`, async () => {
      const plugins = await findPlugins(folderWith({ bad: source }));
      await assert.rejects(plugins.load('bad'), expected);
    });
  }
});
