import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { refusalOf } from '../../support/server-calls.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { startServerAtRelease } from './old-client.js';

const REPAIRED_PLUGIN = `export const plugin = {
  type: 'mended', apiVersion: 1, summary: 'Repaired.',
  options: { type: 'object', properties: { colour: { type: 'string' } } },
  create: () => ({ translate: () => ({}), shape: () => ({}) }),
};`;

describe('POST /providers/schema/update', () => {
  it('returns the schema of a plugin that was repaired since the start', async () => {
    const { path } = temporaryFolder();
    const write = (name: string, source: string): void => {
      mkdirSync(join(path, name), { recursive: true });
      writeFileSync(join(path, name, 'index.js'), source);
    };
    writeFileSync(join(path, 'package.json'), '{"type":"module"}');
    const restconf = new URL('../../../plugins/restconf/index.js', import.meta.url);
    write('restconf', `export { plugin } from ${JSON.stringify(restconf.href)};`);
    write('mended', 'export const plugin = ;');
    const testServer = await startServerAtRelease('2020.2', path);
    try {
      const broken = await testServer.call('POST /providers/schema/update', { body: { id: 'mended' } });
      assert.deepEqual(refusalOf(broken), [503, 'adapter_unavailable']);
      assert.deepEqual(Object.keys(await testServer.ask<object>('GET /providers/schema')), ['restconf']);
      write('mended', REPAIRED_PLUGIN);
      const schema = await testServer.ask('POST /providers/schema/update', { id: 'mended' });
      assert.match(JSON.stringify(schema), /"colour"/);
      const all = await testServer.ask<object>('POST /providers/schema/update');
      assert.deepEqual(Object.keys(all), ['mended', 'restconf']);
    } finally {
      await testServer.close();
    }
  });
});
