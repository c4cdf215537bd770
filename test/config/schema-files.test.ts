import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { schemaFiles } from '../../src/config/schema-files.js';

const CONFIG = new URL('../../../config/', import.meta.url);

describe('schema files', () => {
  for (const [name, schema] of Object.entries(schemaFiles()))
    it(`config/${name} is up to date (UPDATE_GOLDEN=1 writes it)`, async () => {
      const file = new URL(name, CONFIG);
      const text = `${JSON.stringify(schema, null, 2)}\n`;
      if (process.env['UPDATE_GOLDEN'] === '1') await writeFile(file, text);
      assert.equal(await readFile(file, 'utf8'), text);
    });

  it('contain only keywords of JSON Schema, and the messages of the YAML language server', () => {
    const text = JSON.stringify(schemaFiles());
    assert.ok(!/"x-|"discriminator"/.test(text));
    assert.ok(text.includes('"patternErrorMessage":') && text.includes('"errorMessage":'));
  });

  it('use no look-ahead in their own patterns, which some validators lack', () => {
    for (const schema of Object.values(schemaFiles()))
      assert.ok(!/\(\?[!=<]/.test(JSON.stringify(schema['$defs'])));
  });
});
