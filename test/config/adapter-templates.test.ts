import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readTemplates, templateIds } from '../../src/config/adapter-templates.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const FOLDER = join(import.meta.dirname, '../../../config/examples');

describe('the templates of adapters', () => {
  it('are one for each example file, in the order of their titles', async () => {
    const files = readdirSync(FOLDER).flatMap((name) => /^(.+)\.yaml$/.exec(name)?.[1] ?? []);
    assert.deepEqual([...templateIds()].sort(), files.sort());
    const templates = await readTemplates(FOLDER);
    assert.equal(templates.length, files.length);
    const titles = templates.map(({ title }) => title);
    const sorted = [...titles].sort((first, second) => first.localeCompare(second, 'en'));
    assert.deepEqual(titles, sorted);
  });

  it('have settings that name a base URL, contain no files, and refer to Vault for every secret', async () => {
    for (const { id, model, settings } of await readTemplates(FOLDER)) {
      assert.match(model, /^(?:restconf|http-rest)$/, id);
      assert.match(String(settings['baseUrl']), /^https:\/\//, id);
      assert.equal(settings['tls'], undefined, id);
      assert.match(JSON.stringify(settings['auth']), /\$VAULT_adapters\//, id);
    }
  });

  it('are empty where the examples are not installed', async () => {
    assert.deepEqual(await readTemplates(temporaryFolder().path), []);
  });
});
